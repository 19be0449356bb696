//! The order of the cubies in a stack, which makes no difference: only the order of their kinds is tried, and of looks
//! where cubies are equal.

use super::cubies::{Cubies, Look};
use super::exact_cover::{Problem, Use};

/// What keeps the cubies of a stack in order.
pub(super) struct Order {
    /// The cells, from the first to before the last, in which a kind may lie; all of them where the order makes a difference.
    cells: Vec<std::ops::Range<usize>>,
    /// The place in the order: of a kind whose cubies are all different, or of a look.
    keys: Vec<Vec<usize>>,
    /// Between a cell and the next one: an item for each place in the order, which the cubie before it uses when its own is
    /// higher, the one behind when it is not. Empty where every kind has one cell.
    between: Vec<Vec<Use>>,
}

impl Order {
    pub(super) fn new(cubies: &Cubies, problem: &mut Problem) -> Order {
        let length = cubies.cells.len();
        let mut order = Order { cells: vec![0..length; cubies.kinds.len()], keys: Vec::new(), between: Vec::new() };
        if !cubies.views.is_stack {
            return order;
        }
        let sum = |kinds: std::ops::Range<usize>, most: bool| -> usize {
            let count =
                |kind: usize| if most { *cubies.kinds[kind].count.end() } else { *cubies.kinds[kind].count.start() };
            kinds.map(count).sum()
        };
        let kinds = cubies.kinds.len();
        for kind in 0..kinds {
            // Cells before it that the kinds before must fill, and cells that they and its own copies can reach.
            let first = sum(0..kind, false).max(length.saturating_sub(sum(kind..kinds, true)));
            let end = sum(0..kind + 1, true).min(length.saturating_sub(sum(kind + 1..kinds, false)));
            order.cells[kind] = first..end;
        }
        if (0..kinds).all(|kind| cubies.is_single(kind)) {
            return order;
        }
        let mut next = 0;
        for kind in &cubies.kinds {
            let keys =
                kind.looks.iter().enumerate().map(|(look, _)| if *kind.count.end() > 1 { next + look } else { next });
            order.keys.push(keys.collect());
            next = order.keys.last().and_then(|keys| keys.last()).map_or(next, |key| key + 1);
        }
        order.between = (1..length).map(|_| (0..next).map(|_| problem.counted(0..=1)).collect()).collect();
        order
    }

    /// Whether a cubie of that kind may lie in that cell.
    pub(super) fn allows(&self, kind: u16, cell: usize) -> bool {
        self.cells[usize::from(kind)].contains(&cell)
    }

    /// What a look in a cell uses.
    pub(super) fn uses(&self, look: Look, cell: usize) -> Vec<Use> {
        if self.between.is_empty() {
            return Vec::new();
        }
        let key = self.keys[usize::from(look.kind)][usize::from(look.look)];
        let before = cell.checked_sub(1).map_or(&[][..], |before| &self.between[before][key..]);
        let behind = self.between.get(cell).map_or(&[][..], |items| &items[..key]);
        before.iter().chain(behind).copied().collect()
    }
}
