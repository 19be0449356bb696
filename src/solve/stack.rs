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

/// More items than this are not made.
const MOST_ITEMS: usize = 1 << 20;

impl Order {
    /// The order of the cubies as items; `None` when that takes more than a search can hold.
    pub(super) fn new(cubies: &Cubies, problem: &mut Problem) -> Option<Order> {
        let length = cubies.cells.len();
        let mut order = Order { cells: vec![0..length; cubies.kinds.len()], keys: Vec::new(), between: Vec::new() };
        if !cubies.views.is_stack {
            return Some(order);
        }
        let kinds = cubies.kinds.len();
        // How many cubies of the kinds up to each, and of those from it on, there are at least and at most.
        let until = sums(cubies, 0..kinds);
        let mut from = sums(cubies, (0..kinds).rev());
        from.reverse();
        for kind in 0..kinds {
            let (before, here) = (until[kind], until[kind + 1]);
            let (with, behind) = (from[kind], from[kind + 1]);
            let first = before.0.max(length.saturating_sub(with.1));
            order.cells[kind] = first..here.1.min(length.saturating_sub(behind.0));
        }
        if (0..kinds).all(|kind| cubies.is_single(kind)) {
            return Some(order);
        }
        let mut next = 0;
        for kind in &cubies.kinds {
            let keys =
                kind.looks.iter().enumerate().map(|(look, _)| if *kind.count.end() > 1 { next + look } else { next });
            order.keys.push(keys.collect());
            next = order.keys.last().and_then(|keys| keys.last()).map_or(next, |key| key + 1);
        }
        if length.saturating_mul(next) > MOST_ITEMS {
            return None;
        }
        order.between = (1..length).map(|_| (0..next).map(|_| problem.counted(0..=1)).collect()).collect();
        Some(order)
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

/// The sums of the least and of the greatest numbers of the kinds so far, from none to all.
fn sums(cubies: &Cubies, kinds: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut sums = vec![(0, 0)];
    let mut sum = (0, 0);
    for kind in kinds {
        let count = &cubies.kinds[kind].count;
        sum = (sum.0 + count.start(), sum.1 + count.end());
        sums.push(sum);
    }
    sums
}
