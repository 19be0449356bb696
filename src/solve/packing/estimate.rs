//! How large a tree is, by sampling it.

use super::lanes::{Lanes, Work};
use super::roots;
use super::search::{Next, Search, Start};

/// Walks that tell how many nodes there are at each depth.
const WALKS: u64 = 8;

/// An estimate reads about as many words of masks for each one of its width at most: some milliseconds' worth. Only
/// trees that nobody will see the end of have lists so long and branches so deep that it matters.
const MOST_READ: u64 = 1 << 20;

impl Search<'_> {
    /// How many nodes there are below some starts, estimated: of the nodes at each depth about `width` are gone into,
    /// chosen at random (Chen, Heuristic sampling, 1992, with depth as the stratum). How many nodes there are at each
    /// depth tells how many to leave out; it is replaced by what is found.
    pub(super) fn estimate(
        &mut self,
        starts: &[&Start],
        width: u64,
        at_depth: &mut Vec<u128>,
        random: &mut Random,
    ) -> u64 {
        self.instructions.perform(Estimate { search: self, starts, width, at_depth, random })
    }

    /// Nodes at each depth, estimated by walks that take one child each (Knuth, Estimating the efficiency of backtrack
    /// programs, 1975).
    #[inline(always)]
    fn walk<V: Lanes>(&mut self, starts: &[&Start], most_read: u64, random: &mut Random) -> Vec<u128> {
        let mut at_depth: Vec<u128> = Vec::new();
        let before = self.read;
        let mut walks = 0;
        while walks < WALKS && self.read - before <= most_read && !self.signal.is_stopped() {
            walks += 1;
            let start = starts[random.below(starts.len() as u64) as usize];
            let (mut is_new, mut weight) = (self.enter::<V>(start), starts.len() as u128);
            for depth in 0.. {
                if !is_new || self.path.last().is_none_or(|node| node.next == Next::Solved) {
                    break;
                }
                if at_depth.len() == depth {
                    at_depth.push(0);
                }
                at_depth[depth] = at_depth[depth].saturating_add(weight);
                self.expand::<V>();
                let Some(node) = self.path.last_mut().filter(|node| node.count > 0) else { break };
                weight = weight.saturating_mul(node.count as u128);
                node.child = random.below(node.count as u64) as usize;
                is_new = self.descend::<V>();
            }
        }
        at_depth.iter_mut().for_each(|nodes| *nodes /= u128::from(walks.max(1)));
        at_depth
    }
}

struct Estimate<'s, 'a> {
    search: &'s mut Search<'a>,
    starts: &'s [&'s Start],
    width: u64,
    at_depth: &'s mut Vec<u128>,
    random: &'s mut Random,
}

impl Work for Estimate<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn perform<V: Lanes>(self) -> u64 {
        let Estimate { search, starts, width, at_depth, random } = self;
        let most_read = (MOST_READ * width).min(roots::MOST_READ);
        if at_depth.is_empty() {
            *at_depth = search.walk::<V>(starts, most_read, random);
        }
        let most_read = search.read + most_read;
        let known = std::mem::take(at_depth);
        // One in so many is gone into at each depth, counted from the start; a power of two, so that one depth's number
        // divides the next one's.
        let mut most = 0;
        let so_many = known.iter().map(|&nodes| {
            most = nodes.max(most);
            1_u64 << u64::try_from(most / u128::from(width)).map_or(63, |nodes| nodes.max(1).ilog2())
        });
        let so_many: Vec<u64> = so_many.collect();
        let one_in = |depth: usize| so_many.get(depth).or(so_many.last()).copied().unwrap_or(1);
        let mut sum = 0_u128;
        // Walks say little of depths that few of them reach: the more nodes are gone into after all, the fewer follow, so
        // that no tree takes long.
        let mut gone_into: Vec<u64> = Vec::new();
        let mut weights: Vec<u64> = Vec::new();
        for start in starts {
            if random.below(one_in(0)) > 0 {
                continue;
            }
            let mut before = search.nodes;
            let mut is_new = search.enter::<V>(start);
            let mut weight = one_in(0);
            weights.clear();
            while !search.signal.is_stopped() {
                if is_new && search.path.last().is_some_and(|node| node.next != Next::Solved) {
                    let depth = search.path.len() - 1;
                    search.expand::<V>();
                    at_depth.resize(at_depth.len().max(depth + 1), 0);
                    at_depth[depth] = at_depth[depth].saturating_add(u128::from(weight));
                    gone_into.resize(gone_into.len().max(depth + 2), 0);
                    gone_into[depth] += 1;
                }
                weights.resize(search.path.len(), weight);
                sum = sum.saturating_add(u128::from(search.nodes - before) * u128::from(weight));
                before = search.nodes;
                let depth = search.path.len();
                if depth == 0 {
                    break;
                }
                is_new = search.back();
                if is_new {
                    let own = weights[depth - 1];
                    let too_many = (gone_into[depth] / (2 * width)).saturating_sub(1);
                    let wanted = one_in(depth).saturating_mul(1 << (too_many * too_many).min(60));
                    weight = own.max(1 << wanted.ilog2());
                    is_new = random.below(weight / own) == 0 && search.read <= most_read;
                    if is_new {
                        is_new = search.descend::<V>();
                    } else {
                        search.skip();
                    }
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
