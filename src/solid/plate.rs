//! Pieces laid out on the beds of a printer, as few as simple shelves need.
//!
//! Rows along x, each as deep as its deepest piece; a piece goes to the first row that has room for it, deep ones first
//! (first fit by decreasing height: Coffman, Garey, Johnson, Tarjan, SIAM J. Comput. 9, 1980).

use super::bed::on_bed;
use super::dims::Dims;
use super::lettering::Lettering;
use super::model::Model;
use super::scene::{Instance, Part, Scene, Transform};
use super::vector::add;
use crate::puzzle::Puzzle;
use crate::puzzle::grid::Orientation;
use crate::puzzle::piece::PieceId;

/// What is printed at once, and what cannot be.
#[derive(Clone, Debug, Default)]
pub struct Plates<'a> {
    /// One scene a plate; x and y run from 0 to the size of the bed, the pieces stand on z = 0.
    pub plates: Vec<Scene<'a>>,
    /// The pieces that are larger than the bed.
    pub too_large: Vec<PieceId>,
}

/// Room between two pieces, and along the edges of the bed, in millimetres.
pub const GAP: f64 = 5.0;

/// Lays out so many copies of each piece; `models` and `copies` are in the order of the pieces of the puzzle.
pub fn plates<'a>(
    puzzle: &Puzzle,
    copies: &[usize],
    models: &'a [Model],
    dims: &Dims,
    lettering: &Lettering,
) -> Plates<'a> {
    let bed = dims.bed();
    let mut plates = Plates::default();
    let mut lying: Vec<Lying> = Vec::new();
    for (id, &copies) in puzzle.ids().zip(copies) {
        let piece = puzzle.piece(id);
        match Lying::on(id, on_bed(piece, &models[id.0], lettering), &models[id.0], bed) {
            Some(piece) => lying.extend((1..=copies).map(|copy| Lying { copy, ..piece })),
            None => plates.too_large.push(id),
        }
    }
    lying.sort_by(|a, b| b.size[1].total_cmp(&a.size[1]).then(b.size[0].total_cmp(&a.size[0])));
    let filled = fill(&lying, bed);
    let count = filled.len();
    let scene = |(number, shelves): (usize, Vec<Shelf<'_>>)| {
        let name =
            if count == 1 { puzzle.name.clone() } else { format!("{}, plate {} of {count}", puzzle.name, number + 1) };
        place(puzzle, models, name, &shelves, bed)
    };
    plates.plates = filled.into_iter().enumerate().map(scene).collect();
    plates
}

/// A copy of a piece as it will be printed, and what it takes up along x and y.
#[derive(Clone, Copy)]
struct Lying {
    piece: PieceId,
    copy: usize,
    transform: Transform,
    size: [f64; 2],
}

impl Lying {
    /// With its long side along x, or along y where the bed is too narrow; `None` where it does not fit at all.
    fn on(piece: PieceId, transform: Transform, model: &Model, bed: [f64; 2]) -> Option<Lying> {
        let size = footprint(&transform, model);
        let turned = Transform { rotation: transform.rotation.then(Orientation::QUARTER), ..transform };
        let lie = |transform: Transform| Lying { piece, copy: 1, transform, size: footprint(&transform, model) };
        let mut ways = [lie(transform), lie(turned)];
        if size[0] < size[1] {
            ways.reverse();
        }
        let fits = |lying: &Lying| (0..2).all(|k| lying.size[k] + 2.0 * GAP <= bed[k]);
        ways.into_iter().find(fits)
    }
}

fn footprint(transform: &Transform, model: &Model) -> [f64; 2] {
    let [least, most] = transform.bounds(model);
    [most[0] - least[0], most[1] - least[1]]
}

/// A row of pieces along x.
struct Shelf<'a> {
    pieces: Vec<&'a Lying>,
    width: f64,
    depth: f64,
}

/// The rows of each plate.
fn fill(lying: &[Lying], bed: [f64; 2]) -> Vec<Vec<Shelf<'_>>> {
    let mut plates: Vec<Vec<Shelf<'_>>> = Vec::new();
    for piece in lying {
        let has_room = |shelf: &&mut Shelf<'_>| shelf.width + GAP + piece.size[0] + GAP <= bed[0];
        if let Some(shelf) = plates.iter_mut().flatten().find(has_room) {
            shelf.width += GAP + piece.size[0];
            shelf.pieces.push(piece);
            continue;
        }
        let shelf = Shelf { pieces: vec![piece], width: GAP + piece.size[0], depth: piece.size[1] };
        let depth = |plate: &[Shelf<'_>]| plate.iter().map(|shelf| GAP + shelf.depth).sum::<f64>();
        match plates.iter_mut().find(|plate| depth(plate) + GAP + shelf.depth + GAP <= bed[1]) {
            Some(plate) => plate.push(shelf),
            None => plates.push(vec![shelf]),
        }
    }
    plates
}

/// The scene of a plate, its rows in the middle of the bed.
fn place<'a>(puzzle: &Puzzle, models: &'a [Model], name: String, shelves: &[Shelf<'_>], bed: [f64; 2]) -> Scene<'a> {
    let mut used: Vec<PieceId> = shelves.iter().flat_map(|shelf| &shelf.pieces).map(|lying| lying.piece).collect();
    used.sort_unstable();
    used.dedup();
    let parts = used.iter().map(|&id| Part::of(puzzle.piece(id), &models[id.0])).collect();
    let depth = shelves.iter().map(|shelf| shelf.depth).sum::<f64>() + GAP * (shelves.len() as f64 - 1.0);
    let mut front = (bed[1] - depth) / 2.0;
    let mut instances = Vec::new();
    for shelf in shelves {
        let mut left = (bed[0] - (shelf.width - GAP)) / 2.0;
        for lying in &shelf.pieces {
            let middle = [left + lying.size[0] / 2.0, front + lying.size[1] / 2.0, 0.0];
            let piece = &puzzle.piece(lying.piece).name;
            instances.push(Instance {
                part: used.binary_search(&lying.piece).expect("every piece of the shelves is used"),
                name: if lying.copy == 1 { piece.clone() } else { format!("{piece} ({})", lying.copy) },
                transform: centred(lying, &models[lying.piece.0], middle),
            });
            left += lying.size[0] + GAP;
        }
        front += shelf.depth + GAP;
    }
    instances.sort_by(|a, b| (a.part, &a.name).cmp(&(b.part, &b.name)));
    Scene { name, parts, instances, spread: 0.0 }
}

/// The turn of a piece, moved so that the middle of its footprint is there and its lowest point at z = 0.
fn centred(lying: &Lying, model: &Model, there: [f64; 3]) -> Transform {
    let turned = Transform { rotation: lying.transform.rotation, translation: [0.0; 3] };
    let [least, most] = turned.bounds(model);
    let middle = [-(least[0] + most[0]) / 2.0, -(least[1] + most[1]) / 2.0, -least[2]];
    Transform { translation: add(there, middle), ..turned }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collection;
    use crate::glyph::Font;
    use crate::puzzle::parse::parse;
    use crate::puzzle::settings::{Length, Settings};

    /// How many pieces lie on each plate, and how many kinds are too large.
    fn filled(name: &str, copies: usize, bed: [i32; 2]) -> (Vec<usize>, usize) {
        let puzzle = parse(collection::find(name).expect("built in")).expect("a puzzle");
        let bed = bed.map(|side| Length::of_micrometres(1_000 * side));
        let settings = Settings { bed: Some(bed), ..Settings::default() };
        let dims = Dims::resolve(&settings, Length::of_micrometres(20_000)).expect("sizes that work");
        let lettering = Lettering::cut(&puzzle, &dims, &Font::built_in()).expect("digits");
        let build = |piece| Model::build(piece, &dims, &lettering).expect("a piece");
        let models: Vec<Model> = puzzle.pieces.iter().map(build).collect();
        let copies = vec![copies; puzzle.pieces.len()];
        let laid_out = plates(&puzzle, &copies, &models, &dims, &lettering);
        laid_out.plates.iter().for_each(|plate| check(plate, dims.bed()));
        let names: usize = laid_out.plates.iter().flat_map(|plate| &plate.instances).count();
        assert_eq!(names + laid_out.too_large.len() * copies[0], puzzle.pieces.len() * copies[0], "none is lost");
        (laid_out.plates.iter().map(|plate| plate.instances.len()).collect(), laid_out.too_large.len())
    }

    /// Every piece stands on the bed, within it, and apart from the others.
    fn check(plate: &Scene<'_>, bed: [f64; 2]) {
        let reach = |instance: &Instance| -> [[f64; 2]; 3] {
            let bounds = plate.parts[instance.part].model.facts.bounds;
            let [a, b] = bounds.map(|corner| instance.transform.apply(corner.map(f64::from)));
            std::array::from_fn(|k| [a[k].min(b[k]), a[k].max(b[k])])
        };
        let all: Vec<_> = plate.instances.iter().map(reach).collect();
        for (i, one) in all.iter().enumerate() {
            assert!(one[2][0].abs() < 1e-9, "{one:?}");
            assert!((0..2).all(|k| one[k][0] > GAP - 1e-6 && one[k][1] < bed[k] - GAP + 1e-6), "{one:?}");
            let apart = |other: &[[f64; 2]; 3]| {
                (0..2).any(|k| one[k][1] + GAP < other[k][0] + 1e-6 || other[k][1] + GAP < one[k][0] + 1e-6)
            };
            assert!(all[..i].iter().all(apart), "{one:?}");
        }
    }

    #[test]
    fn as_many_plates_as_the_bed_needs() {
        // 19.8 mm and gaps of 5 mm: 8 in a row of 220 mm, 3 in one of 80 mm, 2 in one of 55 mm.
        assert_eq!(filled("4d-sudoku", 1, [220, 220]), (vec![27], 0));
        assert_eq!(filled("4d-sudoku", 1, [80, 55]), (vec![6, 6, 6, 6, 3], 0));
        assert_eq!(filled("4d-sudoku", 3, [220, 220]), (vec![64, 17], 0));
        assert_eq!(filled("4d-sudoku", 1, [29, 220]), (vec![], 27));
    }

    #[test]
    fn long_pieces_are_turned_to_fit() {
        // Soma pieces lie on 3 x 2 or 2 x 2 cells of 20 mm: one more than 59.8 mm wide fits neither way.
        let (plates, too_large) = filled("soma", 1, [50, 220]);
        assert_eq!((plates.iter().sum::<usize>(), too_large), (7, 0));
        assert_eq!(filled("soma", 1, [69, 69]).1, 3);
    }
}
