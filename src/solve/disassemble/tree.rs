//! The tree of separations, found as BurrTools finds it: the first separation in the fewest moves, then both parts.

use super::blocking::{Set, Shifts};
use super::states::States;
use super::{Search, Unknown};
use crate::puzzle::grid::Side;

/// A part and what becomes of it.
#[derive(Clone, Debug)]
pub(super) enum Branch {
    /// It is a single piece.
    Piece,
    /// It stays together, as the puzzle allows.
    Together(Vec<usize>),
    /// It separates.
    Separation(Box<Separation>),
}

impl Branch {
    /// The sets in it that stay together.
    pub(super) fn together(&self) -> Vec<&[usize]> {
        match self {
            Branch::Piece => Vec::new(),
            Branch::Together(pieces) => vec![pieces],
            Branch::Separation(separation) => [&separation.staying, &separation.left].map(Branch::together).concat(),
        }
    }
}

/// How a part separates into two.
#[derive(Clone, Debug)]
pub(super) struct Separation {
    /// Its placements.
    pub(super) pieces: Vec<usize>,
    /// How far they have moved relative to the first of them, before each slide and before the parting.
    pub(super) states: Vec<Shifts>,
    /// The placements that leave,
    pub(super) leaving: Vec<usize>,
    /// and towards which side.
    pub(super) side: Side,
    /// What becomes of the others,
    pub(super) staying: Branch,
    /// and of those that left.
    pub(super) left: Branch,
}

/// What became of a part.
pub(super) enum Ending {
    /// It is apart as far as it must.
    Done(Branch),
    /// It is not; after so many moves it separates, but one of the parts is then stuck.
    Stuck { separates: Option<u32> },
}

impl Search<'_> {
    /// Takes some placements apart that have moved so far.
    pub(super) fn part(&mut self, pieces: &[usize], shifts: &Shifts) -> Result<Ending, Unknown> {
        if let Some(branch) = self.is_done(pieces) {
            return Ok(Ending::Done(branch));
        }
        let Some((states, set, side)) = self.first_separation(pieces, shifts)? else {
            if !self.may_stay(pieces, &self.together)? {
                return Ok(Ending::Stuck { separates: None });
            }
            self.together.push(self.ids(pieces));
            return Ok(Ending::Done(Branch::Together(pieces.to_vec())));
        };
        let moves = states.len() as u32;
        let last = states.last().expect("a path has a first state");
        let mut branches = Vec::with_capacity(2);
        for leaves in [false, true] {
            let (pieces, shifts) = half(pieces, last, set, leaves);
            match self.part(&pieces, &shifts)? {
                Ending::Done(branch) => branches.push(branch),
                Ending::Stuck { .. } => return Ok(Ending::Stuck { separates: Some(moves) }),
            }
        }
        let [staying, left] = <[Branch; 2]>::try_from(branches).expect("a part separates into two");
        let leaving = half(pieces, last, set, true).0;
        let separation = Separation { pieces: pieces.to_vec(), states, leaving, side, staying, left };
        Ok(Ending::Done(Branch::Separation(Box::new(separation))))
    }

    /// The states from those shifts to the first one in which something can leave, and what leaves towards where.
    fn first_separation(
        &mut self,
        pieces: &[usize],
        shifts: &Shifts,
    ) -> Result<Option<(Vec<Shifts>, Set, Side)>, Unknown> {
        let mut states = std::mem::take(self.states);
        states.clear(pieces.len());
        let found = self.first_in(&mut states, pieces, shifts);
        self.deepest = self.deepest.max(states.kept());
        *self.states = states;
        found
    }

    fn first_in(
        &mut self,
        states: &mut States,
        pieces: &[usize],
        shifts: &Shifts,
    ) -> Result<Option<(Vec<Shifts>, Set, Side)>, Unknown> {
        let part = self.part_of(pieces);
        states.insert(shifts, 0)?;
        let mut now = Shifts::new();
        let mut number = 0;
        while number < states.len() {
            self.count_state()?;
            states.read(number, &mut now);
            if self.blocking.look(&part, self.pairs, &now) {
                if let Some((set, side)) = self.blocking.first_to_leave() {
                    return Ok(Some((states.path(number), set, side)));
                }
                let most = self.effort.most_states;
                self.blocking.slides(&part, &now, |set, side, step| {
                    let is_new = states.insert_slide(number, &now, set, side, step)?;
                    counted(is_new, states, most).map(drop)
                })?;
            }
            number += 1;
        }
        Ok(None)
    }
}

/// Whether a state is new; no more than so many are taken.
pub(super) fn counted(is_new: bool, states: &States, most: u64) -> Result<bool, Unknown> {
    match is_new && states.len() as u64 > most.min(u32::MAX.into()) {
        true => Err(Unknown::ManyStates),
        false => Ok(is_new),
    }
}

/// The pieces of a set, or those not in it, and their shifts.
pub(super) fn half(pieces: &[usize], shifts: &Shifts, set: Set, is_in: bool) -> (Vec<usize>, Shifts) {
    let both = pieces.iter().zip(shifts).enumerate();
    let chosen = both.filter(|(bit, _)| (set >> bit & 1 == 1) == is_in);
    chosen.map(|(_, (&piece, &shift))| (piece, shift)).unzip()
}
