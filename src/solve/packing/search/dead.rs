//! Open items that cannot be filled, remembered: with copies of pieces the same cells are often left again, filled
//! otherwise (Nishino, Yasuda, Minato, Nagata, Dancing with decision diagrams, 2017, remember the solutions as well).

use super::Search;
use super::chosen::unpack;
use crate::solve::packing::lanes::Lanes;
use crate::solve::packing::list::first_slot;

/// Nodes with fewer options are not looked up: below them there is little to do.
const WORTH_A_LOOK_UP: usize = 32;

/// Most words that are kept, few enough for the cache of a processor.
const MOST_WORDS: usize = 1 << 18;

/// What is known to be dead below one start.
#[derive(Default)]
pub(super) struct Dead {
    /// Rows of the number of the start, the open items and how often each counted kind is used; as many as a power of two.
    /// The last that is remembered takes the place of what was there.
    rows: Vec<u64>,
    start: u64,
    /// The row that is looked up.
    row: Vec<u64>,
}

impl Dead {
    /// Forgets everything.
    pub(super) fn begin(&mut self, words: usize, counted: usize) {
        self.row.resize(1 + words + counted, 0);
        let most = (MOST_WORDS / self.row.len()).max(2);
        self.rows.resize((1 << most.ilog2()) * self.row.len(), 0);
        self.start += 1;
    }

    /// Where the row is, if it is remembered. The number of the start has no say: which rows take the places of others must
    /// not depend on what this thread did before.
    fn place(&self) -> std::ops::Range<usize> {
        let width = self.row.len();
        let row = first_slot(self.row[1..].iter().copied(), self.rows.len() / width);
        row * width..(row + 1) * width
    }
}

impl Search<'_> {
    /// Whether the node where the search is was found to have no solution below; it is left then.
    #[inline(always)]
    pub(super) fn is_dead<V: Lanes>(&mut self) -> bool {
        if self.path.last().is_none_or(|node| node.options < WORTH_A_LOOK_UP) {
            return false;
        }
        self.look_up::<V>();
        let is_dead = self.dead.rows[self.dead.place()].iter().eq(&self.dead.row);
        if is_dead {
            self.path.pop();
        }
        is_dead
    }

    /// Remembers the node where the search is when all below it was searched and no solution found.
    #[inline(always)]
    pub(super) fn bury<V: Lanes>(&mut self) {
        let Some(node) = self.path.last() else { return };
        let is_dead = node.child == node.count && node.found == self.found;
        if !is_dead || node.options < WORTH_A_LOOK_UP {
            return;
        }
        let chosen = node.chosen;
        self.undo(chosen);
        self.look_up::<V>();
        let place = self.dead.place();
        self.dead.rows[place].copy_from_slice(&self.dead.row);
    }

    /// Writes the row of the node where the search is.
    #[inline(always)]
    fn look_up<V: Lanes>(&mut self) {
        let Some(node) = self.path.last() else { return };
        let open = &self.words[node.at - node.words..node.at];
        let row = &mut self.dead.row;
        row[0] = self.dead.start;
        let (of_items, of_kinds) = row[1..].split_at_mut(self.items[0].words);
        unpack::<V>(&self.items[..=node.numbering], open, of_items);
        of_kinds.iter_mut().zip(&self.used).for_each(|(word, &used)| *word = u64::from(used));
    }
}
