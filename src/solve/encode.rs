//! Cubies as exact cover with colours.
//!
//! Items: the cells; the kinds of cubie, as often as there are pieces; each symbol of each plane; and coloured, each
//! plane: where the tops of its symbols point, or blank. A plane is one side of all cubies of one layer, so there are 18
//! in a 3x3x3. An option is a cubie in a cell in one of its looks and with one reading of each of its faces (a 6 is also
//! a 9 upside down); or a plane that is blank, which takes all its symbols at once. The rules on single squares have items
//! of their own (`squares`), and so has the order of a stack (`stack`).

use super::SolveError;
use super::cubies::{Cubies, Face, Look, NO_TOP, Pattern};
use super::exact_cover::{Coloured, Problem, Use};
use super::lock::Lock;
use super::squares::Squares;
use super::stack::Order;
use super::symmetry::is_even;
use crate::puzzle::Puzzle;
use crate::puzzle::grid::{Cell, Side};
use crate::puzzle::rules::Rules;

/// A puzzle as items and options.
pub(super) struct Encoded {
    /// For the engine.
    pub(super) problem: Problem,
    /// What each option means, by number.
    meaning: Vec<Meaning>,
}

#[derive(Clone, Copy)]
enum Meaning {
    Cubie(Look, u32),
    BlankPlane,
}

/// Rows of bits above this many bytes are refused; 4D Sudoku needs less than one million.
const MOST_BYTES: usize = 1 << 29;

impl Encoded {
    /// All placements of all cubies that the lock allows.
    pub(super) fn new(cubies: &Cubies, puzzle: &Puzzle, lock: &Lock) -> Result<Encoded, SolveError> {
        let (rules, mut problem) = (&puzzle.rules, Problem::default());
        let cells: Vec<Use> = cubies.cells.iter().map(|_| problem.once()).collect();
        let planes = Planes::new(cubies, rules, &mut problem)?;
        let kinds: Vec<Use> = (cubies.kinds.iter())
            .map(|kind| match (*kind.count.start(), *kind.count.end()) {
                (1, 1) => problem.once(),
                // More than there are cells are never used.
                (least, most) => problem.counted(least.min(cells.len() + 1) as u32..=most.min(cells.len() + 1) as u32),
            })
            .collect();
        let squares = Squares::new(cubies, &puzzle.target, rules, &mut problem);
        let too_large = SolveError::TooLarge { cubies: cubies.kinds.len(), cells: cells.len() };
        let Some(order) = Order::new(cubies, &mut problem) else { return Err(too_large) };
        let mut encoded = Encoded { problem, meaning: Vec::new() };
        let may_lie = |look: Look, cell: Cell| match rules.chequered {
            Some([first, second]) => {
                cubies.kinds[usize::from(look.kind)].colour == if is_even(cell) { first } else { second }
            }
            None => true,
        };
        let looks: Vec<(Look, Vec<[Reading; 6]>)> =
            cubies.looks().map(|look| (look, planes.readings(cubies, look))).collect();
        let options = cells.len() * looks.iter().map(|(_, readings)| readings.len()).sum::<usize>();
        if options.saturating_mul(encoded.problem.rows()) / 8 > MOST_BYTES {
            return Err(too_large);
        }
        encoded.problem.reserve(options, if planes.all.is_empty() { 2 } else { 14 });
        for ((number, &cell), &place) in (0..).zip(&cubies.cells).zip(&cells) {
            let (planes, index) = (planes.around(cell), number as usize);
            for (look, readings) in &looks {
                let stands_for_all = cubies.views.seen(*look, index) == *look && order.allows(look.kind, index);
                if !stands_for_all || !may_lie(*look, cell) || !lock.allows(*look, number) {
                    continue;
                }
                let Some(mut uses) = squares.uses(cubies, index, cubies.faces(*look)) else { continue };
                uses.extend([place, kinds[usize::from(look.kind)]]);
                uses.extend(order.uses(*look, index));
                for reading in readings {
                    let faces = planes.iter().zip(reading).flat_map(|(plane, reading)| plane.uses(reading));
                    encoded.option(uses.iter().copied().chain(faces), Meaning::Cubie(*look, number));
                }
            }
        }
        if rules.blank_plane {
            for plane in &planes.all {
                let uses = plane.symbols.iter().copied().chain([plane.top.colour(BLANK)]);
                encoded.option(uses, Meaning::BlankPlane);
            }
        }
        Ok(encoded)
    }

    /// The looks of a solution.
    pub(super) fn pattern(&self, chosen: &[u32], pattern: &mut Pattern) {
        for &option in chosen {
            if let Meaning::Cubie(look, cell) = self.meaning[option as usize] {
                pattern[cell as usize] = look;
            }
        }
    }

    fn option(&mut self, uses: impl Iterator<Item = Use>, meaning: Meaning) {
        self.problem.option(uses);
        self.meaning.push(meaning);
    }
}

/// The planes of faces, when a rule speaks of them.
struct Planes {
    all: Vec<Plane>,
    /// The number of a plane by side and by the coordinate of its layer; empty when no rule speaks of planes.
    of: [Vec<usize>; 6],
    /// Whether the top of a plane may point to a side, by the number of that side.
    tops: [bool; 6],
    blank: bool,
}

struct Plane {
    symbols: Vec<Use>,
    top: Coloured,
}

/// What a plane must be for a face to be read like this: its colour, if the face has a top or is blank, and the symbol that
/// then stands on the face.
#[derive(Clone, Copy)]
struct Reading {
    top: Option<u32>,
    symbol: Option<u16>,
}

/// The colour of a blank plane, after those for the six sides that a top can point to.
const BLANK: u32 = 6;

impl Planes {
    fn new(cubies: &Cubies, rules: &Rules, problem: &mut Problem) -> Result<Planes, SolveError> {
        let texts = &cubies.texts;
        // Where every symbol is one upside down too, each plane can be read both ways; one of them is enough.
        let is_ambiguous = (0..texts.symbols() as u16)
            .all(|symbol| texts.upside_down(symbol).is_some_and(|other| usize::from(other) < texts.symbols()));
        let tops = Side::ALL.map(|side| side.is_positive() || !is_ambiguous);
        let mut planes = Planes { all: Vec::new(), of: Default::default(), tops, blank: rules.blank_plane };
        for side in Side::ALL.into_iter().filter(|_| rules.latin_planes) {
            let most = cubies.cells.iter().map(|cell| cell.along(side.axis())).max().unwrap_or(-1);
            for layer in 0..=most {
                planes.of[side as usize].push(planes.all.len());
                let squares = cubies.cells.iter().filter(|cell| cell.along(side.axis()) == layer).count();
                if squares == 0 {
                    continue;
                }
                if squares != texts.symbols() {
                    return Err(SolveError::PlaneSize { side, squares, symbols: texts.symbols() });
                }
                let symbols = (0..squares).map(|_| problem.once()).collect();
                planes.all.push(Plane { symbols, top: problem.coloured(BLANK + 1) });
            }
        }
        Ok(planes)
    }

    /// The ways to read all faces of a cubie.
    fn readings(&self, cubies: &Cubies, look: Look) -> Vec<[Reading; 6]> {
        let mut all = vec![[Reading { top: None, symbol: None }; 6]];
        for (side, &face) in cubies.faces(look).iter().enumerate().filter(|_| !self.all.is_empty()) {
            let readings = self.readings_of(cubies, face);
            let read = |before: [Reading; 6]| {
                readings.iter().map(move |&reading| {
                    let mut now = before;
                    now[side] = reading;
                    now
                })
            };
            all = all.into_iter().flat_map(read).collect();
        }
        all
    }

    fn readings_of(&self, cubies: &Cubies, face: Option<Face>) -> Vec<Reading> {
        match face {
            Some(face) => {
                let is_allowed = |reading: &Face| self.tops.get(usize::from(reading.up)).is_none_or(|&allowed| allowed);
                let allowed = cubies.texts.readings(face).filter(is_allowed);
                let top = |up: u8| (up != NO_TOP).then_some(u32::from(up));
                allowed.map(|Face { text, up }| Reading { top: top(up), symbol: Some(text) }).collect()
            }
            None if self.blank => vec![Reading { top: Some(BLANK), symbol: None }],
            None => Vec::new(),
        }
    }

    /// The planes that the faces of a cubie in that cell belong to, side by side; none when no rule speaks of planes.
    fn around(&self, cell: Cell) -> Vec<&Plane> {
        let plane = |side: Side| self.of[side as usize].get(cell.along(side.axis()) as usize);
        Side::ALL.into_iter().filter_map(plane).map(|&number| &self.all[number]).collect()
    }
}

impl Plane {
    fn uses(&self, reading: &Reading) -> impl Iterator<Item = Use> + use<> {
        let symbol = reading.symbol.map(|symbol| self.symbols[usize::from(symbol)]);
        [reading.top.map(|top| self.top.colour(top)), symbol].into_iter().flatten()
    }
}
