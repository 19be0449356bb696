//! The tree of separations, found as BurrTools finds it: the first separation in the fewest moves, then both parts.

use super::blocking::{Part, Set, Shifts};
use super::states::{Path, States};
use super::{Search, Unknown};
use crate::puzzle::grid::Side;

/// A part and what becomes of it.
#[derive(Clone, Debug)]
pub(super) enum Branch {
    /// It is this single piece.
    Piece(usize),
    /// It stays together, as the puzzle allows.
    Together(Vec<usize>),
    /// It separates.
    Separation(Box<Separation>),
}

impl Branch {
    /// Its placements.
    pub(super) fn pieces(&self) -> &[usize] {
        match self {
            Branch::Piece(piece) => std::slice::from_ref(piece),
            Branch::Together(pieces) => pieces,
            Branch::Separation(separation) => &separation.pieces,
        }
    }

    /// The sets in it that stay together.
    pub(super) fn together(&self) -> Vec<&[usize]> {
        match self {
            Branch::Piece(_) => Vec::new(),
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
    pub(super) path: Path,
    /// Towards which side some leave.
    pub(super) side: Side,
    /// What becomes of those that stay,
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

/// Room for the search of one separation, used again for the next.
#[derive(Default)]
pub(super) struct Room {
    states: States,
    part: Part,
    now: Shifts,
}

impl Search<'_> {
    /// Takes some placements apart that have moved so far.
    pub(super) fn part(&mut self, pieces: Vec<usize>, shifts: &[[i8; 3]]) -> Result<Ending, Unknown> {
        if self.is_done(&pieces) {
            return Ok(Ending::Done(match pieces[..] {
                [piece] => Branch::Piece(piece),
                _ => Branch::Together(pieces),
            }));
        }
        let Some((path, set, side)) = self.first_separation(&pieces, shifts)? else {
            if !self.may_stay(&pieces, &self.together)? {
                return Ok(Ending::Stuck { separates: None });
            }
            self.together.push(self.ids(&pieces));
            return Ok(Ending::Done(Branch::Together(pieces)));
        };
        let stuck = Ending::Stuck { separates: Some(path.states().len() as u32) };
        let (others, at) = half(&pieces, path.last(), set, false);
        let Ending::Done(staying) = self.part(others, &at)? else { return Ok(stuck) };
        let (leaving, at) = half(&pieces, path.last(), set, true);
        let Ending::Done(left) = self.part(leaving, &at)? else { return Ok(stuck) };
        Ok(Ending::Done(Branch::Separation(Box::new(Separation { pieces, path, side, staying, left }))))
    }

    /// The states from those shifts to the first one in which something can leave, and what leaves towards where.
    fn first_separation(&mut self, pieces: &[usize], shifts: &[[i8; 3]]) -> Result<Option<(Path, Set, Side)>, Unknown> {
        let mut room = std::mem::take(self.room);
        let found = self.first_in(&mut room, pieces, shifts);
        self.deepest = self.deepest.max(room.states.kept());
        *self.room = room;
        found
    }

    fn first_in(
        &mut self,
        Room { states, part, now }: &mut Room,
        pieces: &[usize],
        shifts: &[[i8; 3]],
    ) -> Result<Option<(Path, Set, Side)>, Unknown> {
        self.lay(part, pieces);
        states.begin(shifts)?;
        let mut number = 0;
        while number < states.len() {
            self.count_state()?;
            states.read(number, now);
            if self.blocking.look(part, self.pairs, now) {
                if let Some((set, side)) = self.blocking.first_to_leave() {
                    return Ok(Some((states.path(number), set, side)));
                }
                let most = self.effort.most_states;
                self.blocking.slides(part, now, |set, side, step| {
                    let is_new = states.insert_slide(number, now, set, side, step)?;
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
pub(super) fn half(pieces: &[usize], shifts: &[[i8; 3]], set: Set, is_in: bool) -> (Vec<usize>, Shifts) {
    let both = pieces.iter().zip(shifts).enumerate();
    let chosen = both.filter(|(bit, _)| (set >> bit & 1 == 1) == is_in);
    chosen.map(|(_, (&piece, &shift))| (piece, shift)).unzip()
}
