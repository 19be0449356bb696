//! Which models lie where: an assembly as parts and instances. Transforms only; the models are never touched.

use std::collections::{BTreeMap, BTreeSet};

use super::Role;
use super::dims::Dims;
use super::model::Model;
use super::vector::{Vector, add, dot, scale, sub, unit, vector};
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
        role.colour(self.colour, self.ink)
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

    /// The least and the greatest corner of the box that a model fills, in millimetres.
    pub fn bounds(&self, model: &Model) -> [Vector; 2] {
        let [a, b] = model.facts.bounds.map(|corner| self.apply(corner.map(f64::from)));
        [std::array::from_fn(|k| a[k].min(b[k])), std::array::from_fn(|k| a[k].max(b[k]))]
    }
}

impl<'a> Part<'a> {
    /// A piece and its model.
    pub fn of(piece: &Piece, model: &'a Model) -> Part<'a> {
        Part { name: piece.name.clone(), colour: piece.colour, ink: piece.colour.ink(), model }
    }
}

impl<'a> Scene<'a> {
    /// One piece as it stands in its frame.
    pub fn of_piece(piece: &Piece, model: &'a Model) -> Scene<'a> {
        let transform = Transform::default();
        let instance = Instance { part: 0, name: piece.name.clone(), transform };
        Scene { name: piece.name.clone(), parts: vec![Part::of(piece, model)], instances: vec![instance], spread: 0.0 }
    }

    /// The assembly put together. `models` are those of the pieces of the puzzle, in their order. Where proud digits
    /// stand on touching sides, the middles of the pieces move apart by what they need: pieces of one cell then clear
    /// each other by the inset; pieces that interlock could not be put together with such digits at all.
    pub fn assembled(puzzle: &Puzzle, assembly: &Assembly, models: &'a [Model], dims: &Dims) -> Scene<'a> {
        Scene::placed(puzzle, assembly, models, dims, &vec![[0.0; 3]; assembly.placements.len()])
    }

    /// The assembly with every piece moved straight away from the middle, in the direction in which its own middle lies:
    /// by a little more than its distance, and further until it is half a cell apart from those that lie further in.
    pub fn exploded(puzzle: &Puzzle, assembly: &Assembly, models: &'a [Model], dims: &Dims) -> Scene<'a> {
        Scene::placed(puzzle, assembly, models, dims, &ways_apart(puzzle, assembly))
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

    /// The corners of the box around an instance.
    fn reach(&self, instance: &Instance) -> [Vector; 2] {
        instance.transform.bounds(self.parts[instance.part].model)
    }

    /// Each piece moved by a way in cells.
    fn placed(puzzle: &Puzzle, assembly: &Assembly, models: &'a [Model], dims: &Dims, ways: &[Vector]) -> Scene<'a> {
        let used: BTreeSet<PieceId> = assembly.placements.iter().map(|placement| placement.piece).collect();
        let numbers: BTreeMap<PieceId, usize> = used.iter().enumerate().map(|(part, &id)| (id, part)).collect();
        let parts = used.iter().map(|&id| Part::of(puzzle.piece(id), &models[id.0])).collect();
        let spread = spread(puzzle, assembly, dims);
        let middle = middle_of_all(puzzle, assembly);
        let mut copies: BTreeMap<PieceId, usize> = BTreeMap::new();
        let mut instances = Vec::with_capacity(assembly.placements.len());
        for (placement, &way) in assembly.placements.iter().zip(ways) {
            let copy = copies.entry(placement.piece).or_default();
            *copy += 1;
            let name = &puzzle.piece(placement.piece).name;
            let name = if *copy == 1 { name.clone() } else { format!("{name} ({copy})") };
            let from_middle = sub(centre(puzzle, placement), middle);
            let away = add(scale(way, dims.pitch() + spread), scale(from_middle, spread));
            let translation = add(scale(vector(placement.offset), dims.pitch()), away);
            let transform = Transform { rotation: placement.orientation, translation };
            instances.push(Instance { part: numbers[&placement.piece], name, transform });
        }
        Scene { name: puzzle.name.clone(), parts, instances, spread }
    }

    /// The scene on a bed: its middle over the origin, its lowest point at z = 0.
    pub fn on_bed(self) -> Scene<'a> {
        let shift = self.to_bed();
        self.moved(shift)
    }

    /// The scene with its least coordinate along each axis at 0.
    pub fn in_positive_octant(&self) -> Scene<'a> {
        let low = self.bounds()[0];
        self.clone().moved(scale(low, -1.0))
    }

    /// The scene shifted as a whole.
    pub fn moved(mut self, shift: Vector) -> Scene<'a> {
        self.instances.iter_mut().for_each(|instance| {
            instance.transform.translation = add(instance.transform.translation, shift);
        });
        self
    }

    /// The shift that puts the middle of the scene over the origin and its lowest point on the bed, z = 0.
    pub fn to_bed(&self) -> Vector {
        let [low, high] = self.bounds();
        [-(low[0] + high[0]) / 2.0, -(low[1] + high[1]) / 2.0, -low[2]]
    }

    /// The least and the greatest coordinates; of a scene with instances.
    fn bounds(&self) -> [Vector; 2] {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in self.instances.iter().flat_map(|instance| self.reach(instance)) {
            low = std::array::from_fn(|k| low[k].min(corner[k]));
            high = std::array::from_fn(|k| high[k].max(corner[k]));
        }
        [low, high]
    }
}

/// What keeps proud digits of touching squares apart: the relief, twice that where two digits face each other. All cells
/// spread by the worst case, so that the whole stays a grid.
pub fn spread(puzzle: &Puzzle, assembly: &Assembly, dims: &Dims) -> f64 {
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

/// How far exploded pieces move, as a share of their distance from the middle.
const AWAY: f64 = 1.2;
/// How far apart exploded pieces are at least, and by how much they are moved further until they are, in cells.
const APART: f64 = 0.5;
const STEP: f64 = 0.25;

/// The way of each piece out of the assembly, in cells.
fn ways_apart(puzzle: &Puzzle, assembly: &Assembly) -> Vec<Vector> {
    let all = middle_of_all(puzzle, assembly);
    let placements = &assembly.placements;
    let from_middle: Vec<Vector> = placements.iter().map(|placement| sub(centre(puzzle, placement), all)).collect();
    let distance = |number: usize| dot(from_middle[number], from_middle[number]).sqrt();
    let mut order: Vec<usize> = (0..placements.len()).collect();
    order.sort_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    let near = |a: &Vector, b: &Vector| sub(*a, *b).iter().all(|d| d.abs() < 1.0 + APART);
    let mut ways = vec![[0.0; 3]; placements.len()];
    let mut inner: Vec<Vector> = Vec::new();
    for number in order {
        // A piece in the very middle has no direction of its own.
        let direction = if distance(number) > 1e-9 { unit(from_middle[number]) } else { [0.0, 0.0, 1.0] };
        let cells: Vec<Vector> =
            placements[number].cells(&puzzle.piece(placements[number].piece).shape).map(vector).collect();
        let moved = |length: f64| cells.iter().map(move |&cell| add(cell, scale(direction, length)));
        let mut length = AWAY * distance(number);
        while moved(length).any(|cell| inner.iter().any(|other| near(&cell, other))) {
            length += STEP;
        }
        inner.extend(moved(length));
        ways[number] = scale(direction, length);
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::glyph::Font;
    use crate::puzzle::grid::{Shape, Square, Turn};
    use crate::puzzle::parse::parse;
    use crate::puzzle::piece::Mark;
    use crate::puzzle::rules::Rules;
    use crate::puzzle::settings::{Length, Settings};
    use crate::puzzle::{Credits, Target};
    use crate::solid::bed::on_bed;
    use crate::solid::lettering::Lettering;
    use crate::solve::{Limit, Options, solve};

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

    fn boxes(scene: &Scene<'_>, puzzle: &Puzzle, assembly: &Assembly, pitch: f64) -> Vec<Vec<[Vector; 2]>> {
        let instances = scene.instances.iter().zip(&assembly.placements);
        let of = |(instance, placement): (&Instance, &Placement)| {
            let cells = puzzle.piece(placement.piece).shape.cells().iter();
            let around = |&cell: &Cell| {
                let middle = instance.transform.apply(scale(vector(cell), pitch));
                [middle.map(|c| c - pitch / 2.0), middle.map(|c| c + pitch / 2.0)]
            };
            cells.map(around).collect()
        };
        instances.map(of).collect()
    }

    /// First assemblies, and one of pieces whose middles coincide.
    #[test]
    fn exploded_pieces_neither_overlap_nor_touch() {
        const NESTED: &str = "cubewright = 1\nname = \"Nested\"\n[target]\nbox = [3, 3, 1]\n[[piece]]\n\
            name = \"ring\"\nlayers = [\"XXX/X.X/XXX\"]\n[[piece]]\nname = \"unit\"\nlayers = [\"X\"]\n";
        let known = ["soma", "soma-crystal", "steinhaus", "slothouber-graatsma", "pentominoes-3x20", "conway"];
        let known = known.map(|name| crate::collection::find(name).expect(name));
        for text in known.into_iter().chain([NESTED]) {
            let puzzle = parse(text).expect("a puzzle");
            let options = Options { limit: Limit::First, keep: 1, ..Options::ALL };
            let assembly = solve(&puzzle, &options).expect("a packing").found.remove(0);
            let dims = Dims::resolve(&Settings::default(), Length::of_micrometres(17_000)).expect("sizes that work");
            let build = |piece| Model::build(piece, &dims, &Lettering::default()).expect("a polycube");
            let models: Vec<Model> = puzzle.pieces.iter().map(build).collect();
            let exploded = Scene::exploded(&puzzle, &assembly, &models, &dims);
            let boxes = boxes(&exploded, &puzzle, &assembly, dims.pitch());
            let gap = |a: &[Vector; 2], b: &[Vector; 2]| {
                (0..3).map(|k| (a[0][k] - b[1][k]).max(b[0][k] - a[1][k])).fold(f64::MIN, f64::max)
            };
            for (number, one) in boxes.iter().enumerate() {
                for other in &boxes[..number] {
                    let least = one.iter().flat_map(|a| other.iter().map(|b| gap(a, b))).fold(f64::MAX, f64::min);
                    assert!(least > 0.49 * dims.pitch(), "{}: {least} mm apart", puzzle.name);
                }
            }
            let assembled = Scene::assembled(&puzzle, &assembly, &models, &dims);
            let size = |scene: &Scene<'_>| {
                let reaches = || scene.instances.iter().map(|instance| scene.reach(instance));
                (0..3)
                    .map(|k| {
                        let low = reaches().map(|reach| reach[0][k]).fold(f64::MAX, f64::min);
                        reaches().map(|reach| reach[1][k]).fold(f64::MIN, f64::max) - low
                    })
                    .collect::<Vec<f64>>()
            };
            // In the mesh, single precision.
            let wanted = puzzle.target.size.coordinates();
            for (is, cells) in size(&assembled).into_iter().zip(wanted) {
                assert!((is - (f64::from(cells) * dims.pitch() - 2.0 * dims.inset())).abs() < 1e-3, "{}", puzzle.name);
            }
            // No more than is good to look at.
            for (is, of) in size(&exploded).into_iter().zip(size(&assembled)) {
                assert!(is < 6.0 * of + 6.0 * dims.pitch(), "{}: {is} mm of {of} mm", puzzle.name);
            }
        }
    }
}
