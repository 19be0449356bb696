//! The rules that speak of single squares: what the sides of the whole show, and what faces that meet show.

use std::collections::BTreeSet;

use super::cubies::{Cubies, Faces};
use super::exact_cover::{Coloured, Problem, Use, Weighed};
use crate::puzzle::Target;
use crate::puzzle::grid::{Cell, Side};
use crate::puzzle::rules::{Outside, Rules, Touching};

/// What the squares of each cell have to do with.
pub(super) struct Squares {
    rules: Vec<Rule>,
    /// The rules for each square: cell by cell, the sides in the order of [`Side::ALL`].
    of: Vec<[Vec<usize>; 6]>,
}

/// A rule on the squares that share it. Symbols are numbers of texts.
enum Rule {
    /// One item a symbol.
    Symbols(Vec<Use>),
    /// The value of each text, and the item that adds them up.
    Sum(Vec<i64>, Weighed),
    /// One symbol, or nothing, on all of them: one colour a symbol, the last for nothing.
    Same(Coloured),
    /// Some symbol on all of them, and on no other side.
    Own(Vec<Coloured>, Side),
    /// This symbol; `None` when no cubie shows it.
    Given(Option<u16>),
}

impl Squares {
    /// The rules of a puzzle as items.
    pub(super) fn new(cubies: &Cubies, target: &Target, rules: &Rules, problem: &mut Problem) -> Squares {
        let mut squares = Squares { rules: Vec::new(), of: cubies.cells.iter().map(|_| Default::default()).collect() };
        let sides: Vec<(Side, Vec<Cell>)> =
            Side::ALL.into_iter().map(|side| (side, target.seen_from(side).collect())).collect();
        let owners: Vec<Coloured> = match rules.outside {
            Some(Outside::OneColourASide) => (0..cubies.texts.len()).map(|_| problem.coloured(6)).collect(),
            _ => Vec::new(),
        };
        for (side, cells) in &sides {
            if cells.len() > 1 {
                squares.side(cubies, rules, problem, *side, cells);
            }
            let all = || cells.iter().map(|&cell| (cell, *side));
            match &rules.outside {
                Some(Outside::Given(given)) => {
                    for (_, symbol) in given.iter().filter(|(of, _)| of == side) {
                        squares.add(
                            cubies,
                            Rule::Given(cubies.texts.number(symbol).map(|text| cubies.texts.either_way(text))),
                            all(),
                        );
                    }
                }
                Some(Outside::OneColourASide) => {
                    squares.add(cubies, Rule::Own(owners.clone(), *side), all());
                    let same = Rule::Same(problem.coloured(cubies.texts.len() as u32 + 1));
                    squares.add(cubies, same, all());
                }
                None => {}
            }
        }
        if let Some(touching) = rules.touching {
            for &cell in &cubies.cells {
                for side in [Side::Right, Side::Back, Side::Top] {
                    let next = cell + side.step();
                    if cubies.cells.binary_search(&next).is_ok() {
                        let rule = match touching {
                            Touching::Equal => Rule::Same(problem.coloured(cubies.texts.len() as u32 + 1)),
                            Touching::Different => Rule::Symbols(items(cubies, || problem.counted(0..=1))),
                        };
                        squares.add(cubies, rule, [(cell, side), (next, side.opposite())]);
                    }
                }
            }
        }
        squares
    }

    /// What a cubie in the cell of that number uses; `None` when it may not lie there.
    pub(super) fn uses(&self, cubies: &Cubies, cell: usize, faces: &Faces) -> Option<Vec<Use>> {
        let texts = &cubies.texts;
        let mut uses = Vec::new();
        let mut owned: Vec<(u16, Side)> = Vec::new();
        for (face, rules) in faces.iter().zip(&self.of[cell]) {
            let symbol = face.map(|face| texts.shown(face));
            for &rule in rules {
                match (&self.rules[rule], symbol) {
                    (Rule::Symbols(items), Some(symbol)) => uses.push(items[usize::from(symbol)]),
                    (Rule::Symbols(_), None) => {}
                    (Rule::Sum(values, item), symbol) => {
                        uses.push(item.weight(symbol.map_or(0, |symbol| values[usize::from(symbol)])));
                    }
                    (Rule::Same(item), symbol) => {
                        uses.push(item.colour(symbol.map_or(texts.len() as u32, u32::from)));
                    }
                    (Rule::Own(owners, side), Some(symbol)) => {
                        if owned.iter().any(|&(other, _)| other == symbol) {
                            return None;
                        }
                        owned.push((symbol, *side));
                        uses.push(owners[usize::from(symbol)].colour(*side as u32));
                    }
                    (Rule::Own(..), None) => return None,
                    (Rule::Given(wanted), symbol) => {
                        if wanted.is_none() || *wanted != symbol {
                            return None;
                        }
                    }
                }
            }
        }
        Some(uses)
    }

    /// What a side of more than one square shows.
    fn side(&mut self, cubies: &Cubies, rules: &Rules, problem: &mut Problem, side: Side, cells: &[Cell]) {
        let (texts, squares) = (&cubies.texts, cells.len() as u32);
        let all = || cells.iter().map(|&cell| (cell, side));
        let faces = || cubies.kinds.iter().flat_map(|kind| kind.looks[0]);
        let shown: BTreeSet<u16> = faces().flatten().map(|face| texts.shown(face)).collect();
        let is_wanted = |symbol: u16| usize::from(symbol) < texts.symbols() && texts.either_way(symbol) == symbol;
        if rules.sides.all_different || rules.sides.all_colours {
            let most = if rules.sides.all_different { 1 } else { squares };
            // With as many symbols as squares and no blank face each is there once: such items are branched on.
            let is_exact = most == 1 && shown.len() == cells.len() && faces().all(|face| face.is_some());
            let item = |symbol: u16| match () {
                () if is_exact && shown.contains(&symbol) => problem.once(),
                () if rules.sides.all_colours && is_wanted(symbol) => problem.counted(1..=most),
                () => problem.counted(0..=most),
            };
            let symbols = (0..texts.len() as u16).map(item).collect();
            self.add(cubies, Rule::Symbols(symbols), all());
        }
        if let Some(sum) = rules.sides.sum {
            let values: Vec<i64> = (0..texts.len() as u16).map(|text| texts.name(text).parse().unwrap_or(0)).collect();
            let weights: Vec<i64> = values.iter().copied().chain([0]).collect();
            let item = problem.weighed(squares, sum..=sum, &weights);
            self.add(cubies, Rule::Sum(values, item), all());
        }
    }

    fn add(&mut self, cubies: &Cubies, rule: Rule, squares: impl IntoIterator<Item = (Cell, Side)>) {
        let number = self.rules.len();
        self.rules.push(rule);
        for (cell, side) in squares {
            let cell = cubies.cells.binary_search(&cell).expect("a side is made of cells");
            self.of[cell][side as usize].push(number);
        }
    }
}

fn items(cubies: &Cubies, mut item: impl FnMut() -> Use) -> Vec<Use> {
    (0..cubies.texts.len()).map(|_| item()).collect()
}
