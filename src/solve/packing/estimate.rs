//! How large a tree is, by sampling it.

use super::search::{Search, Start};

/// Walks that tell how many nodes there are at each depth.
const WALKS: u64 = 8;

impl Search<'_> {
    /// How many nodes there are below some starts, estimated: of the nodes at each depth about `width` are gone into,
    /// chosen at random (Chen, Heuristic sampling, 1992, with depth as the stratum).
    pub(super) fn estimate(&mut self, starts: &[&Start], width: u64, random: &mut Random) -> u64 {
        // Nodes at each depth, estimated by walks that take one child each (Knuth, Estimating the efficiency of
        // backtrack programs, 1975): good enough to tell how many to leave out.
        let mut at_depth: Vec<u128> = Vec::new();
        for _ in 0..WALKS {
            let start = starts[random.below(starts.len() as u64) as usize];
            let (mut node, mut weight) = (Some(self.enter(start)), starts.len() as u128);
            for depth in 0.. {
                let Some(at) = node.filter(|node| !self.is_solved(node)) else { break };
                if at_depth.len() == depth {
                    at_depth.push(0);
                }
                at_depth[depth] = at_depth[depth].saturating_add(weight);
                let frame = self.expand(at);
                weight = weight.saturating_mul(frame.count as u128);
                let child = (frame.count > 0).then(|| random.below(frame.count as u64) as usize);
                node = child.and_then(|child| self.descend(&frame, child));
            }
        }
        // One in so many is gone into at each depth, counted from the start; a power of two, so that one depth's number
        // divides the next one's.
        let one_in = |depth: usize| {
            let nodes = at_depth.iter().take(depth + 1).max().map_or(0, |nodes| nodes / u128::from(WALKS * width));
            1_u64 << u64::try_from(nodes).map_or(63, |nodes| nodes.max(1).ilog2())
        };
        let mut sum = 0_u128;
        for start in starts {
            if random.below(one_in(0)) > 0 {
                continue;
            }
            let root = self.enter(start);
            let mut waiting = Some(root);
            loop {
                let depth = self.frames.len();
                if let Some(node) = waiting.take().filter(|node| !self.is_solved(node)) {
                    let before = self.nodes;
                    let frame = self.expand(node);
                    sum = sum.saturating_add(u128::from(self.nodes - before) * u128::from(one_in(depth)));
                    self.frames.push(frame);
                }
                let depth = self.frames.len();
                let Some(frame) = self.frames.last_mut() else { break };
                let (here, child) = (*frame, frame.next);
                frame.next += 1;
                self.undo(here.chosen);
                if child == here.count {
                    self.frames.pop();
                } else if random.below(one_in(depth) / one_in(depth - 1)) == 0 {
                    waiting = self.descend(&here, child);
                }
            }
        }
        u64::try_from(sum).unwrap_or(u64::MAX)
    }
}

/// Numbers that look random and are always the same (Steele, Lea, Flood: SplitMix, 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(z ^ (z >> 31)) * u128::from(bound)) >> 64) as u64
    }
}
