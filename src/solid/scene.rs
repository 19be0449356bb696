//! Which models lie where: an assembly as parts and instances. Transforms only; the models are never touched.

use std::collections::{BTreeMap, BTreeSet};

use super::Role;
use super::dims::Dims;
use super::model::Model;
use super::vector::{Vector, add, scale, sub};
use crate::puzzle::Puzzle;
use crate::puzzle::assembly::{Assembly, Placement};
use crate::puzzle::colour::Colour;
use crate::puzzle::grid::{Cell, Orientation, Side};
use crate::puzzle::moves::WayApart;
use crate::puzzle::piece::{Piece, PieceId};
use crate::puzzle::settings::Style;

/// Models and where they lie.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// What a reader of the file sees as its name.
    pub name: String,
    /// One a kind of piece that occurs.
    pub parts: Vec<Part<'a>>,
    /// One a piece that lies somewhere.
    pub instances: Vec<Instance>,
    /// By how much the pitch is larger than that of the pieces, in millimetres: 0 unless digits stand proud.
    pub spread: f64,
}

/// A model with a name and colours.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The name of the piece.
    pub name: String,
    /// Of body and panels.
    pub colour: Colour,
    /// Of digits.
    pub ink: Colour,
    /// The solid and its mesh.
    pub model: &'a Model,
}

impl Part<'_> {
    /// The colour of a face or a triangle.
    pub fn colour_of(&self, role: Role) -> Colour {
        match role {
            Role::Body | Role::Panel => self.colour,
            Role::Digit => self.ink,
            Role::Painted(colour) => colour,
        }
    }
}

/// A part that lies somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The number of its part in the scene.
    pub part: usize,
    /// Unique in the scene: the name of the piece, and a number where there are several.
    pub name: String,
    /// How it lies.
    pub transform: Transform,
}

/// A rotation about the origin, then a shift.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Transform {
    /// First the rotation,
    pub rotation: Orientation,
    /// then the shift, in millimetres.
    pub translation: Vector,
}

impl Transform {
    /// Where a point comes to lie.
    pub fn apply(&self, point: Vector) -> Vector {
        let row = |row: [i32; 3]| (0..3).map(|k| f64::from(row[k]) * point[k]).sum::<f64>();
        add(self.rotation.matrix().map(row), self.translation)
    }
}

impl<'a> Scene<'a> {
    /// One piece as it stands in its frame.
    pub fn of_piece(piece: &Piece, model: &'a Model) -> Scene<'a> {
        let transform = Transform::default();
        let instance = Instance { part: 0, name: piece.name.clone(), transform };
        Scene { name: piece.name.clone(), parts: vec![part(piece, model)], instances: vec![instance], spread: 0.0 }
    }

    /// The assembly put together. `models` are those of the pieces of the puzzle, in their order. Where proud digits
    /// stand on touching sides, the middles of the pieces move apart by what they need: pieces of one cell then clear
    /// each other by the inset; pieces that interlock could not be put together with such digits at all.
    pub fn assembled(puzzle: &Puzzle, assembly: &Assembly, models: &'a [Model], dims: &Dims) -> Scene<'a> {
        Scene::placed(puzzle, assembly, models, dims, 0.0)
    }

    /// The assembly with every piece moved straight away from the middle, until all are apart by half a cell.
    pub fn exploded(puzzle: &Puzzle, assembly: &Assembly, models: &'a [Model], dims: &Dims) -> Scene<'a> {
        let apart = |&explosion: &f64| are_apart(puzzle, assembly, explosion);
        let explosion = EXPLOSIONS.into_iter().find(apart).unwrap_or(EXPLOSIONS[EXPLOSIONS.len() - 1]);
        Scene::placed(puzzle, assembly, models, dims, explosion)
    }

    /// The assembly after so many steps of its way apart.
    pub fn along(
        puzzle: &Puzzle,
        assembly: &Assembly,
        way: &WayApart,
        steps: usize,
        models: &'a [Model],
        dims: &Dims,
    ) -> Scene<'a> {
        let mut scene = Scene::assembled(puzzle, assembly, models, dims);
        let shifts = &way.shifts(assembly.placements.len())[steps];
        let pitch = dims.pitch() + scene.spread;
        for (instance, &shift) in scene.instances.iter_mut().zip(shifts) {
            instance.transform.translation = add(instance.transform.translation, scale(vector(shift), pitch));
        }
        scene
    }

    fn placed(puzzle: &Puzzle, assembly: &Assembly, models: &'a [Model], dims: &Dims, explosion: f64) -> Scene<'a> {
        let used: BTreeSet<PieceId> = assembly.placements.iter().map(|placement| placement.piece).collect();
        let numbers: BTreeMap<PieceId, usize> = used.iter().enumerate().map(|(part, &id)| (id, part)).collect();
        let parts = used.iter().map(|&id| part(puzzle.piece(id), &models[id.0])).collect();
        let spread = spread(puzzle, assembly, dims);
        let middle = middle_of_all(puzzle, assembly);
        let mut copies: BTreeMap<PieceId, usize> = BTreeMap::new();
        let mut instances = Vec::with_capacity(assembly.placements.len());
        for placement in &assembly.placements {
            let copy = copies.entry(placement.piece).or_default();
            *copy += 1;
            let name = &puzzle.piece(placement.piece).name;
            let name = if *copy == 1 { name.clone() } else { format!("{name} ({copy})") };
            let from_middle = sub(centre(puzzle, placement), middle);
            let away = scale(from_middle, explosion * (dims.pitch() + spread) + spread);
            let translation = add(scale(vector(placement.offset), dims.pitch()), away);
            let transform = Transform { rotation: placement.orientation, translation };
            instances.push(Instance { part: numbers[&placement.piece], name, transform });
        }
        Scene { name: puzzle.name.clone(), parts, instances, spread }
    }

    /// The scene on a bed: its middle over the origin, its lowest point at z = 0.
    pub fn on_bed(mut self) -> Scene<'a> {
        let shift = self.to_bed();
        self.instances.iter_mut().for_each(|instance| {
            instance.transform.translation = add(instance.transform.translation, shift);
        });
        self
    }

    /// The shift that puts the middle of the scene over the origin and its lowest point on the bed, z = 0.
    pub fn to_bed(&self) -> Vector {
        let corners = |instance: &Instance| {
            let bounds = self.parts[instance.part].model.facts.bounds;
            bounds.map(|corner| instance.transform.apply(corner.map(f64::from)))
        };
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in self.instances.iter().flat_map(corners) {
            low = std::array::from_fn(|k| low[k].min(corner[k]));
            high = std::array::from_fn(|k| high[k].max(corner[k]));
        }
        [-(low[0] + high[0]) / 2.0, -(low[1] + high[1]) / 2.0, -low[2]]
    }
}

/// How far pieces are moved, in shares of their distance from the middle; the first that is enough is taken.
const EXPLOSIONS: [f64; 4] = [1.0, 1.5, 2.0, 3.0];

fn part<'a>(piece: &Piece, model: &'a Model) -> Part<'a> {
    Part { name: piece.name.clone(), colour: piece.colour, ink: piece.colour.ink(), model }
}

/// What keeps proud digits of touching squares apart: the relief, twice that where two digits face each other. All cells
/// spread by the worst case, so that the whole stays a grid.
fn spread(puzzle: &Puzzle, assembly: &Assembly, dims: &Dims) -> f64 {
    if dims.style() != Style::Proud {
        return 0.0;
    }
    let mut marked: BTreeSet<(Cell, Side)> = BTreeSet::new();
    let mut filled: BTreeSet<Cell> = BTreeSet::new();
    for placement in &assembly.placements {
        let piece = puzzle.piece(placement.piece);
        filled.extend(placement.cells(&piece.shape));
        let marks = piece.marks.keys().map(|square| {
            (placement.orientation.turn(square.cell) + placement.offset, placement.orientation.side(square.side))
        });
        marked.extend(marks);
    }
    let facing = |&&(cell, side): &&(Cell, Side)| filled.contains(&(cell + side.step()));
    let digits = |&(cell, side): &(Cell, Side)| {
        if marked.contains(&(cell + side.step(), side.opposite())) { 2.0 } else { 1.0 }
    };
    marked.iter().filter(facing).map(digits).fold(0.0, f64::max) * dims.relief()
}

/// The middle of the cells of a placement, in cells.
fn centre(puzzle: &Puzzle, placement: &Placement) -> Vector {
    middle(placement.cells(&puzzle.piece(placement.piece).shape))
}

fn middle_of_all(puzzle: &Puzzle, assembly: &Assembly) -> Vector {
    middle(assembly.placements.iter().flat_map(|placement| placement.cells(&puzzle.piece(placement.piece).shape)))
}

fn middle(cells: impl Iterator<Item = Cell>) -> Vector {
    let (sum, count) = cells.fold(([0.0; 3], 0), |(sum, count), cell| (add(sum, vector(cell)), count + 1));
    scale(sum, 1.0 / f64::from(count.max(1)))
}

/// Whether the cells of different placements are half a cell apart after the explosion.
fn are_apart(puzzle: &Puzzle, assembly: &Assembly, explosion: f64) -> bool {
    let middle = middle_of_all(puzzle, assembly);
    let moved = |placement: &Placement| -> Vec<Vector> {
        let away = scale(sub(centre(puzzle, placement), middle), explosion);
        placement.cells(&puzzle.piece(placement.piece).shape).map(|cell| add(vector(cell), away)).collect()
    };
    let all: Vec<Vec<Vector>> = assembly.placements.iter().map(moved).collect();
    let near = |a: &Vector, b: &Vector| sub(*a, *b).iter().all(|d| d.abs() < 1.5);
    let touch = |a: &[Vector], b: &[Vector]| a.iter().any(|a| b.iter().any(|b| near(a, b)));
    !all.iter().enumerate().any(|(i, a)| all[i + 1..].iter().any(|b| touch(a, b)))
}

fn vector(cell: Cell) -> Vector {
    [cell.x, cell.y, cell.z].map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glyph::Font;
    use crate::puzzle::grid::{Shape, Square, Turn};
    use crate::puzzle::piece::Mark;
    use crate::puzzle::rules::Rules;
    use crate::puzzle::settings::{Length, Settings};
    use crate::puzzle::{Credits, Target};
    use crate::solid::bed::on_bed;
    use crate::solid::lettering::Lettering;

    /// Two cubies side by side, the second turned so that its marked back faces the front of the first.
    fn pair(marks: [&[Side]; 2]) -> (Puzzle, Assembly) {
        let piece = |(name, sides): (&str, &[Side])| {
            let mark = |&side: &Side| (Square { cell: Cell::ZERO, side }, Mark::new("7", Turn::Upright));
            let marks = sides.iter().map(mark).collect();
            Piece {
                name: name.to_owned(),
                colour: Colour::of_palette(0),
                shape: Shape::cube(),
                marks,
                count: 1..=1,
                twin_of: None,
            }
        };
        let puzzle = Puzzle {
            name: "Pair".to_owned(),
            credits: Credits::default(),
            target: Target::full_box(Cell::new(2, 1, 1)),
            pieces: ["A", "B"].into_iter().zip(marks).map(piece).collect(),
            rules: Rules::default(),
            settings: Settings::default(),
        };
        let turn = Orientation::all().find(|o| o.side(Side::Top) == Side::Left && o.side(Side::Back) == Side::Back);
        let placements = vec![
            Placement { piece: PieceId(0), orientation: Orientation::IDENTITY, offset: Cell::ZERO },
            Placement { piece: PieceId(1), orientation: turn.expect("a turn"), offset: Cell::new(1, 0, 0) },
        ];
        (puzzle, Assembly { placements })
    }

    fn models(puzzle: &Puzzle, style: Style) -> (Vec<Model>, Dims, Lettering) {
        let settings = Settings { style: Some(style), ..Settings::default() };
        let dims = Dims::resolve(&settings, Length::of_micrometres(20_000)).expect("sizes that work");
        let lettering = Lettering::cut(puzzle, &dims, &Font::built_in()).expect("a seven");
        let build = |piece| Model::build(piece, &dims, &lettering).expect("a cubie");
        (puzzle.pieces.iter().map(build).collect(), dims, lettering)
    }

    fn gap(scene: &Scene<'_>) -> f64 {
        let reach = |instance: &Instance| {
            let bounds = scene.parts[instance.part].model.facts.bounds;
            let xs = bounds.map(|corner| instance.transform.apply(corner.map(f64::from))[0]);
            [xs[0].min(xs[1]), xs[0].max(xs[1])]
        };
        let [a, b] = [reach(&scene.instances[0]), reach(&scene.instances[1])];
        b[0] - a[1]
    }

    #[test]
    fn flush_digits_leave_the_clearance_and_proud_ones_are_kept_apart_by_what_they_need() {
        for (marks, style, spread) in [
            ([&[Side::Right][..], &[Side::Top][..]], Style::Embossed, 0.0),
            ([&[Side::Right], &[Side::Top]], Style::Proud, 1.2),
            ([&[Side::Right], &[Side::Back]], Style::Proud, 0.6),
            ([&[Side::Top], &[Side::Back]], Style::Proud, 0.0),
        ] {
            let (puzzle, assembly) = pair(marks);
            let (models, dims, _) = models(&puzzle, style);
            let scene = Scene::assembled(&puzzle, &assembly, &models, &dims);
            assert_eq!(scene.spread, spread);
            assert!((gap(&scene) - 0.2).abs() < 1e-5, "{marks:?} {style:?}: {}", gap(&scene));
            let exploded = Scene::exploded(&puzzle, &assembly, &models, &dims);
            assert!(gap(&exploded) > 10.0, "{}", gap(&exploded));
            let names: Vec<&str> = exploded.instances.iter().map(|instance| instance.name.as_str()).collect();
            assert_eq!((names, exploded.parts.len()), (vec!["A", "B"], 2));
        }
    }

    #[test]
    fn a_piece_lies_on_the_bed_on_a_blank_side() {
        let (puzzle, _) = pair([&[Side::Bottom, Side::Top, Side::Left], &[]]);
        let (models, _, lettering) = models(&puzzle, Style::Proud);
        let bed = on_bed(&puzzle.pieces[0], &models[0], &lettering);
        assert_eq!(bed.rotation.side(Side::Right), Side::Bottom);
        let corners = models[0].facts.bounds.map(|corner| bed.apply(corner.map(f64::from)));
        assert_eq!(corners[0][2].min(corners[1][2]), 0.0);
        let blank = on_bed(&puzzle.pieces[1], &models[1], &lettering);
        assert_eq!((blank.rotation, blank.translation[2]), (Orientation::IDENTITY, f64::from(9.9f32)));
    }

    #[test]
    fn a_transform_takes_cells_where_the_placement_does() {
        for rotation in Orientation::all() {
            let transform = Transform { rotation, translation: [20.0, 40.0, 60.0] };
            let cell = Cell::new(1, 2, 3);
            let expected = vector(rotation.turn(cell) + Cell::new(1, 2, 3)).map(|k| k * 20.0);
            assert_eq!(transform.apply(vector(cell).map(|k| k * 20.0)), expected);
        }
    }
}
