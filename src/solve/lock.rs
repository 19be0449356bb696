//! Search one assembly where symmetry makes many: the motions of the target are used up on one item.
//!
//! Every motion carries a placement of a given cubie to a placement of that cubie, and a cubie in the middle cell to one
//! in the middle cell. So the placements of such an item fall into orbits, and the assemblies with one placement of an
//! orbit are images of those with another: it is enough to search the least of each and to count what is found as
//! often as the orbit is large. No cubie is presumed to lie anywhere.

use super::cubies::{Cubies, Look, Pattern};
use super::symmetry::Symmetry;

/// An item that every motion leaves in place, and which of its placements are to be tried.
pub(super) struct Lock {
    item: Item,
    /// The size of the orbit, for the least placement of each; 0 for all others. By cell and look, 24 looks a cell; or,
    /// for a cell, by kind and look.
    orbits: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// This cell, which no motion moves.
    Cell(u32),
    /// This kind, of which there is one piece.
    Kind(u16),
    /// There is no such item.
    Nothing,
}

impl Lock {
    /// The lock on the first cubie that has no twin, or else on the cell in the middle. In 4D Sudoku the first leaves 4
    /// placements of one cubie to try and takes 52 nodes in all, the second 27 looks in the middle and 1,780 nodes.
    pub(super) fn new(cubies: &Cubies, symmetry: &Symmetry) -> Lock {
        let single = (0..cubies.kinds.len()).find(|&kind| cubies.is_single(kind));
        // In a stack, equal cubies may change places when they are put in order after a motion.
        let keeps_places = !cubies.views.is_stack || cubies.kinds.iter().all(|kind| *kind.count.end() <= 1);
        let is_fixed =
            |&cell: &usize| keeps_places && symmetry.motions.iter().all(|motion| motion.to[cell] as usize == cell);
        let cell = (0..cubies.cells.len()).find(is_fixed);
        let item = match (single, cell) {
            (Some(kind), _) => Item::Kind(kind as u16),
            (None, Some(cell)) => Item::Cell(cell as u32),
            (None, None) => Item::Nothing,
        };
        let places: Vec<(Look, u32)> = match item {
            Item::Cell(cell) => cubies.looks().map(|look| (look, cell)).collect(),
            Item::Kind(kind) => {
                let looks = cubies.looks().filter(|look| look.kind == kind);
                looks.flat_map(|look| (0..cubies.cells.len() as u32).map(move |cell| (look, cell))).collect()
            }
            Item::Nothing => Vec::new(),
        };
        let mut orbits = vec![0; 24 * cubies.kinds.len().max(cubies.cells.len())];
        let mut seen = vec![false; orbits.len()];
        for (look, cell) in places.into_iter().filter(|&(look, cell)| cubies.views.seen(look, cell as usize) == look) {
            let place = index(item, look, cell);
            if seen[place] {
                continue;
            }
            for motion in &symmetry.motions {
                let (look, cell) = motion.moved(cubies, look, cell);
                let image = index(item, look, cell);
                orbits[place] += u32::from(!std::mem::replace(&mut seen[image], true));
            }
        }
        Lock { item, orbits }
    }

    /// Whether a cubie with that look in that cell is to be tried.
    pub(super) fn allows(&self, look: Look, cell: u32) -> bool {
        match self.item {
            Item::Nothing => true,
            Item::Cell(locked) if locked != cell => true,
            Item::Kind(locked) if locked != look.kind => true,
            Item::Cell(_) | Item::Kind(_) => self.orbits[index(self.item, look, cell)] > 0,
        }
    }

    /// How many images of the pattern there are by where they place the locked item.
    pub(super) fn orbit(&self, pattern: &[Look]) -> u64 {
        self.place(pattern).map_or(1, |(look, cell)| u64::from(self.orbits[index(self.item, look, cell)]))
    }

    /// The least of the images of a pattern that can be found under this lock.
    pub(super) fn least(&self, cubies: &Cubies, symmetry: &Symmetry, pattern: &[Look]) -> Pattern {
        let mut least = pattern.to_vec();
        let place = self.place(pattern);
        for motion in &symmetry.motions {
            let keeps = |(look, cell): (Look, u32)| motion.moved(cubies, look, cell) == (look, cell);
            if place.is_none_or(keeps) {
                least = least.min(motion.image(cubies, pattern));
            }
        }
        least
    }

    /// Where the locked item is.
    fn place(&self, pattern: &[Look]) -> Option<(Look, u32)> {
        match self.item {
            Item::Cell(cell) => Some((pattern[cell as usize], cell)),
            Item::Kind(kind) => {
                let cell = pattern.iter().position(|look| look.kind == kind)?;
                Some((pattern[cell], cell as u32))
            }
            Item::Nothing => None,
        }
    }
}

fn index(item: Item, look: Look, cell: u32) -> usize {
    let row = if matches!(item, Item::Cell(_)) { usize::from(look.kind) } else { cell as usize };
    24 * row + usize::from(look.look)
}
