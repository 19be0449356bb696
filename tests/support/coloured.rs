//! Coloured cubes counted by trying cell after cell. Shares nothing with the program but the puzzle file that it writes:
//! a cube is six letters in the order top, left, front, right, back, bottom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::LazyLock;

pub(crate) type Cube = [char; 6];
type Cell = [i32; 3];
/// A cube as it is named and what it shows where that makes a difference.
type Pattern = Vec<(Cell, Cube, [Option<char>; 6])>;

const SIDES: [&str; 6] = ["top", "left", "front", "right", "back", "bottom"];
const STEPS: [Cell; 6] = [[0, 0, 1], [-1, 0, 0], [0, -1, 0], [1, 0, 0], [0, 1, 0], [0, 0, -1]];

/// Cubes that a turn makes equal.
struct Kind {
    name: Cube,
    least: usize,
    most: usize,
    looks: BTreeSet<Cube>,
}

/// A box of coloured cubes with its rules.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coloured {
    pub(crate) size: Cell,
    /// Each with the least and greatest number of copies.
    pub(crate) cubes: Vec<(Cube, usize, usize)>,
    pub(crate) all_different: bool,
    pub(crate) all_colours: bool,
    pub(crate) sum: Option<i64>,
    pub(crate) touching: Option<bool>,
    pub(crate) outside: Vec<(usize, char)>,
    pub(crate) one_colour_a_side: bool,
}

pub(crate) fn cube(letters: &str) -> Cube {
    letters.chars().collect::<Vec<_>>().try_into().expect("six letters")
}

/// The 24 rotations: where each side goes.
pub(crate) static ROTATIONS: LazyLock<Vec<[usize; 6]>> = LazyLock::new(|| {
    // A quarter turn about the vertical, and one about the line from left to right.
    let quarters = [[0, 4, 1, 2, 3, 5], [4, 1, 0, 3, 5, 2]];
    let mut all = vec![[0, 1, 2, 3, 4, 5]];
    let mut next = 0;
    while next < all.len() {
        for quarter in quarters {
            let turned = all[next].map(|side| quarter[side]);
            if !all.contains(&turned) {
                all.push(turned);
            }
        }
        next += 1;
    }
    assert_eq!(all.len(), 24);
    all
});

pub(crate) fn turned(cube: Cube, by: &[usize; 6]) -> Cube {
    let mut turned = cube;
    (0..6).for_each(|side| turned[by[side]] = cube[side]);
    turned
}

/// The name that all turns of a cube share.
pub(crate) fn least(cube: Cube) -> Cube {
    ROTATIONS.iter().map(|by| turned(cube, by)).min().expect("24 turns")
}

impl Coloured {
    /// The puzzle file; colours are the digits that occur and a few letters.
    pub(crate) fn toml(&self) -> String {
        let [x, y, z] = self.size;
        let mut text = format!(
            "cubewright = 1\nname = \"test\"\norder = \"{}\"\n[target]\nbox = [{x}, {y}, {z}]\n[palette]\n",
            SIDES.join(" ")
        );
        let colours = ["red", "green", "blue", "white", "orange", "black", "yellow", "purple"];
        for (letter, colour) in self.letters().into_iter().zip(colours) {
            let _ = writeln!(text, "{letter} = \"{colour}\"");
        }
        text += "[rules]\n";
        let sum = self.sum.map(|sum| format!(", sum = {sum}")).unwrap_or_default();
        let (different, colours) = (self.all_different, self.all_colours);
        let _ = writeln!(text, "sides = {{ all_different = {different}, all_colours = {colours}{sum} }}");
        if let Some(equal) = self.touching {
            let _ = writeln!(text, "touching = \"{}\"", if equal { "equal" } else { "different" });
        }
        if self.one_colour_a_side {
            text += "outside = \"one-colour-a-side\"\n";
        } else if !self.outside.is_empty() {
            let sides = self.outside.iter().map(|(side, letter)| format!("{} = \"{letter}\"", SIDES[*side]));
            let _ = writeln!(text, "outside = {{ {} }}", sides.collect::<Vec<_>>().join(", "));
        }
        for (number, (cube, least, most)) in self.cubes.iter().enumerate() {
            let letters: String = cube.iter().collect();
            let _ =
                writeln!(text, "[[cubie]]\nname = \"c{number}\"\ncolours = \"{letters}\"\ncount = [{least}, {most}]");
        }
        text
    }

    fn letters(&self) -> BTreeSet<char> {
        let shown = self.cubes.iter().flat_map(|(cube, _, _)| *cube).filter(|&letter| letter != '.');
        shown.chain(self.outside.iter().map(|(_, letter)| *letter)).collect()
    }

    fn cells(&self) -> Vec<Cell> {
        let [x, y, z] = self.size;
        (0..z).flat_map(|k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k]))).collect()
    }

    fn is_inside(&self, cell: Cell) -> bool {
        (0..3).all(|axis| (0..self.size[axis]).contains(&cell[axis]))
    }

    /// The axis of a stack whose order makes no difference.
    fn stack(&self) -> Option<usize> {
        let long: Vec<usize> = (0..3).filter(|&axis| self.size[axis] > 1).collect();
        let speaks = self.speaks_of_sides() && self.touching.is_none() && !self.one_colour_a_side;
        let names_end = |axis: usize| self.outside.iter().any(|&(side, _)| STEPS[side][axis] != 0);
        long.first().copied().filter(|&axis| long.len() == 1 && speaks && !names_end(axis))
    }

    fn speaks_of_sides(&self) -> bool {
        self.all_different
            || self.all_colours
            || self.sum.is_some()
            || !self.outside.is_empty()
            || self.one_colour_a_side
    }

    /// Patterns that can be told apart, and classes of them under the turns of the box.
    pub(crate) fn count(&self) -> (usize, usize) {
        let mut kinds: BTreeMap<Cube, (usize, usize)> = BTreeMap::new();
        for &(cube, low, high) in &self.cubes {
            let kind = kinds.entry(least(cube)).or_default();
            *kind = (kind.0 + low, kind.1 + high);
        }
        let mut found = BTreeSet::new();
        let looks = |cube: Cube| ROTATIONS.iter().map(|by| turned(cube, by)).collect();
        let kinds: Vec<Kind> =
            kinds.into_iter().map(|(name, (least, most))| Kind { name, least, most, looks: looks(name) }).collect();
        self.fill(&kinds, &self.cells(), &mut vec![0; kinds.len()], &mut Vec::new(), &mut found);
        let classes: BTreeSet<Pattern> = found.iter().map(|pattern| self.least_image(pattern)).collect();
        (found.len(), classes.len())
    }

    fn fill(
        &self,
        kinds: &[Kind],
        cells: &[Cell],
        used: &mut Vec<usize>,
        placed: &mut Vec<(Cell, usize, Cube)>,
        found: &mut BTreeSet<Pattern>,
    ) {
        let Some(&cell) = cells.get(placed.len()) else {
            if used.iter().zip(kinds).all(|(used, kind)| *used >= kind.least) && self.is_finished(placed) {
                found.insert(self.pattern(kinds, placed));
            }
            return;
        };
        for kind in 0..kinds.len() {
            let in_order = self.stack().is_none() || placed.last().is_none_or(|&(_, before, _)| before <= kind);
            if used[kind] == kinds[kind].most || !in_order {
                continue;
            }
            used[kind] += 1;
            for &look in &kinds[kind].looks {
                placed.push((cell, kind, look));
                if self.fits(placed) {
                    self.fill(kinds, cells, used, placed, found);
                }
                placed.pop();
            }
            used[kind] -= 1;
        }
    }

    /// Whether the last cube breaks no rule beside those before it.
    fn fits(&self, placed: &[(Cell, usize, Cube)]) -> bool {
        let (last, before) = placed.split_last().expect("a cube was placed");
        (0..6).all(|side| {
            let (own, step) = (last.2[side], STEPS[side]);
            let next: Cell = std::array::from_fn(|axis| last.0[axis] + step[axis]);
            if self.is_inside(next) {
                let other = before.iter().find(|(cell, _, _)| *cell == next).map(|(_, _, cube)| cube[opposite(side)]);
                return other.is_none_or(|other| match self.touching {
                    Some(true) => own == other,
                    Some(false) => own != other || own == '.',
                    None => true,
                });
            }
            let seen = || before.iter().filter(|(cell, _, _)| self.is_on(*cell, side)).map(|(_, _, cube)| cube[side]);
            let others = || {
                (0..6).filter(|&other| other != side).flat_map(|other| {
                    placed
                        .iter()
                        .filter(move |(cell, _, _)| self.is_on(*cell, other))
                        .map(move |(_, _, cube)| cube[other])
                })
            };
            (!self.all_different || own == '.' || seen().all(|other| other != own))
                && self.outside.iter().all(|&(of, letter)| of != side || own == letter)
                && (!self.one_colour_a_side
                    || (own != '.' && seen().all(|other| other == own) && others().all(|other| other != own)))
        })
    }

    fn is_on(&self, cell: Cell, side: usize) -> bool {
        let next: Cell = std::array::from_fn(|axis| cell[axis] + STEPS[side][axis]);
        !self.is_inside(next)
    }

    /// The rules that only a whole side can keep.
    fn is_finished(&self, placed: &[(Cell, usize, Cube)]) -> bool {
        (0..6).all(|side| {
            let on_side = placed.iter().filter(|(cell, _, _)| self.is_on(*cell, side));
            let shown: Vec<char> = on_side.map(|(_, _, cube)| cube[side]).collect();
            let value = |letter: &char| letter.to_digit(10).map_or(0, i64::from);
            shown.len() == 1
                || (self.sum.is_none_or(|sum| shown.iter().map(value).sum::<i64>() == sum)
                    && (!self.all_colours || self.letters().iter().all(|letter| shown.contains(letter))))
        })
    }

    fn pattern(&self, kinds: &[Kind], placed: &[(Cell, usize, Cube)]) -> Pattern {
        let pattern = placed.iter().map(|&(cell, kind, cube)| (cell, kinds[kind].name, cube.map(Some)));
        self.told_apart(pattern.collect())
    }

    /// Leaves out what makes no difference.
    fn told_apart(&self, mut pattern: Pattern) -> Pattern {
        let ignores_inside = self.speaks_of_sides() && self.touching.is_none();
        for (cell, _, cube) in &mut pattern {
            for side in 0..6 {
                let along = self.stack().is_some_and(|axis| STEPS[side][axis] != 0);
                if along || (ignores_inside && !self.is_on(*cell, side)) {
                    cube[side] = None;
                }
            }
        }
        if self.stack().is_some() {
            pattern.iter_mut().for_each(|(cell, _, _)| *cell = [0; 3]);
        }
        pattern.sort_unstable();
        pattern
    }

    fn least_image(&self, pattern: &Pattern) -> Pattern {
        let keeps = |by: &&[usize; 6]| {
            let axis = |side: usize| (0..3).find(|&axis| STEPS[side][axis] != 0).expect("a side is on an axis");
            let wanted = |side: usize| self.outside.iter().find(|(of, _)| *of == side).map(|(_, letter)| letter);
            (0..6).all(|side| self.size[axis(side)] == self.size[axis(by[side])] && wanted(side) == wanted(by[side]))
        };
        let image = |by: &[usize; 6]| -> Pattern {
            let to = |cell: Cell| -> Cell {
                if self.stack().is_some() {
                    return cell;
                }
                // From the middle, doubled; right, back and top are where x, y and z grow.
                let from: Cell = std::array::from_fn(|axis| 2 * cell[axis] - self.size[axis] + 1);
                let mut twice = [0; 3];
                for (along, side) in from.into_iter().zip([3, 4, 0]) {
                    (0..3).for_each(|axis| twice[axis] += along * STEPS[by[side]][axis]);
                }
                std::array::from_fn(|axis| (twice[axis] + self.size[axis] - 1) / 2)
            };
            let turn = |&(cell, name, shown): &(Cell, Cube, [Option<char>; 6])| {
                let mut turned = [None; 6];
                (0..6).for_each(|side| turned[by[side]] = shown[side]);
                (to(cell), name, turned)
            };
            let mut image: Pattern = pattern.iter().map(turn).collect();
            image.sort_unstable();
            image
        };
        ROTATIONS.iter().filter(keeps).map(image).min().expect("the box stays where it is")
    }
}

fn opposite(side: usize) -> usize {
    [5, 3, 4, 1, 2, 0][side]
}
