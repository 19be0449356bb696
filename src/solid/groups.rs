//! Which numbers belong together (union-find).

/// Numbers from 0, each in a group of its own until joined.
pub(super) struct Groups {
    parent: Vec<usize>,
    count: usize,
}

impl Groups {
    /// `count` groups of one.
    pub(super) fn new(count: usize) -> Groups {
        Groups { parent: (0..count).collect(), count }
    }

    /// Makes the groups of both into one.
    pub(super) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        if one != other {
            self.parent[other] = one;
            self.count -= 1;
        }
    }

    /// The number that stands for the group.
    pub(super) fn of(&mut self, mut number: usize) -> usize {
        while self.parent[number] != number {
            self.parent[number] = self.parent[self.parent[number]];
            number = self.parent[number];
        }
        number
    }

    /// How many groups there are.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}
