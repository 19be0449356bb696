//! The way apart with the fewest moves, over all orders of separations.
//!
//! A part of n pieces needs n - 1 separations whatever the order, so the fewest moves are the fewest slides. Leaving a
//! piece out of a way apart leaves a way apart of the others with no more slides. So where a single piece can leave it
//! may as well do so at once, and nothing else needs to be tried there; unless it might stay together with others.
//!
//! Slides can be undone. So a part that has come off can be slid back to where it lay and taken apart in the order in which
//! all can be: no first separation spoils anything, and what it leaves stuck is locked in every order. Other orders make
//! ways shorter, not possible.

use std::collections::HashMap;

use super::blocking::{Part, Set, Shifts};
use super::states::States;
use super::tree::{Branch, Ending, Separation, counted, half};
use super::{Search, Unknown};
use crate::puzzle::groups;
use crate::puzzle::piece::PieceId;

/// The best way found for parts seen before, by pieces and shifts relative to the first; `None` for those that are locked.
type Known = HashMap<(Vec<usize>, Shifts), Option<(u32, Branch)>>;

impl Search<'_> {
    /// Takes some placements apart that have moved so far.
    pub(super) fn part_thorough(&mut self, pieces: &[usize], shifts: &[[i8; 3]]) -> Result<Ending, Unknown> {
        let Some((_, branch)) = self.best(pieces, shifts, &mut Known::new())? else {
            return Ok(Ending::Stuck { separates: None });
        };
        // Each set may stay together alone; all of them in one way apart are another question.
        let sets: Vec<Vec<PieceId>> = branch.together().into_iter().map(|set| self.ids(set)).collect();
        match groups::may_stay(&self.puzzle.rules.groups, &sets) {
            Some(true) => Ok(Ending::Done(branch)),
            _ => Err(Unknown::GroupLimits),
        }
    }

    /// The fewest moves of a part, and its tree.
    fn best(
        &mut self,
        pieces: &[usize],
        shifts: &[[i8; 3]],
        known: &mut Known,
    ) -> Result<Option<(u32, Branch)>, Unknown> {
        if let [piece] = pieces {
            return Ok(Some((0, Branch::Piece(*piece))));
        }
        if self.may_stay(pieces, &[])? {
            return Ok(Some((0, Branch::Together(pieces.to_vec()))));
        }
        let mut states = States::new(shifts)?;
        let mut now = Shifts::new();
        states.read(0, &mut now);
        let key = (pieces.to_vec(), now.clone());
        if let Some(best) = known.get(&key) {
            return Ok(best.clone());
        }
        let mut part = Part::default();
        self.lay(&mut part, pieces);
        let mut best: Option<(u32, Branch)> = None;
        // How many slides lead to each state.
        let mut depths: Vec<u32> = vec![0];
        let fewest = if self.puzzle.rules.groups.is_empty() { pieces.len() as u32 - 1 } else { 1 };
        let mut number = 0;
        while number < states.len() && best.as_ref().is_none_or(|(moves, _)| depths[number] + fewest < *moves) {
            self.count_state()?;
            states.read(number, &mut now);
            if self.blocking.look(&part, self.pairs, &now) {
                let single = self.blocking.first_to_leave().filter(|(set, _)| self.is_loner(pieces, *set));
                let sets = match single {
                    Some(single) => vec![single],
                    None => self.blocking.all_to_leave(&part)?,
                };
                if single.is_none() {
                    let most = self.effort.most_states;
                    self.blocking.slides(&part, &now, |set, side, step| {
                        let is_new = states.insert_slide(number, &now, set, side, step)?;
                        if counted(is_new, &states, most)? {
                            depths.push(depths[number] + 1);
                        }
                        Ok(())
                    })?;
                }
                for (set, side) in sets {
                    let Some((moves, [staying, left])) = self.both(pieces, &now, set, known)? else { continue };
                    let moves = moves + depths[number] + 1;
                    if best.as_ref().is_none_or(|(least, _)| moves < *least) {
                        let path = states.path(number);
                        let separation = Separation { pieces: pieces.to_vec(), path, side, staying, left };
                        best = Some((moves, Branch::Separation(Box::new(separation))));
                    }
                }
            }
            number += 1;
        }
        self.deepest = self.deepest.max(states.kept());
        known.insert(key, best.clone());
        Ok(best)
    }

    /// Whether the set is a single piece that can stay with no other.
    fn is_loner(&self, pieces: &[usize], set: Set) -> bool {
        let id = self.assembly.placements[pieces[set.trailing_zeros() as usize]].piece;
        set.count_ones() == 1 && !self.puzzle.rules.groups.iter().any(|group| group.most.contains_key(&id))
    }

    /// The fewest moves of both parts together after a set has left, those that stay first.
    fn both(
        &mut self,
        pieces: &[usize],
        shifts: &[[i8; 3]],
        set: Set,
        known: &mut Known,
    ) -> Result<Option<(u32, [Branch; 2])>, Unknown> {
        let (others, at) = half(pieces, shifts, set, false);
        let Some((of_others, staying)) = self.best(&others, &at, known)? else { return Ok(None) };
        let (leaving, at) = half(pieces, shifts, set, true);
        let Some((of_leaving, left)) = self.best(&leaving, &at, known)? else { return Ok(None) };
        Ok(Some((of_others + of_leaving, [staying, left])))
    }
}
