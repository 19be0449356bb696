//! Symmetry is broken at the root: one piece, or the piece in one cell, is tried only in ways that differ.
//!
//! Where every assembly uses exactly one of a set of placements and the motions carry that set to itself, it is enough
//! to try one placement of each orbit. What is left of the group then, the motions that keep that placement, is used up
//! by a second piece in the same way, and so on; when no piece is left for it, each assembly found is compared with its
//! images. Where an assembly may use several of the set (equal pieces, the corners of a box), orbits that were tried
//! are banned afterwards, and the comparison sorts out the rest.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::estimate::Random;
use super::lanes::Instructions;
use super::placements::Placements;
use super::problem::Problem;
use super::search::{Search, Start};
use super::signal::Signal;
use super::symmetry::{Images, Motion, Symmetry};

/// Where a search begins, and how to know an assembly from its images.
pub(super) struct Root {
    pub(super) start: Start,
    /// The motions that may carry an assembly found here to another one found here.
    group: Vec<usize>,
    /// The placement that the last step chose; only images with it are found here.
    chosen: Option<u32>,
}

/// A set of placements that the group carries to itself.
struct Choice {
    placements: Vec<u32>,
    /// Whether an assembly uses exactly one of them.
    is_unique: bool,
}

/// How large the trees below some roots are.
struct Estimate<'r> {
    /// The number of the choice that the roots come from.
    number: usize,
    roots: &'r [Root],
    nodes: u64,
    /// How many nodes were gone into at each depth.
    width: u64,
    at_depth: Vec<u128>,
    random: Random,
}

/// Roots of smaller trees than this are left as they are.
const WORTH_A_STEP: u64 = 1_000_000;
const WORTH_A_CLOSER_LOOK: u64 = WORTH_A_STEP / 10;

/// Nodes gone into at each depth to estimate a tree, and roots to begin at.
const LEAST_WIDTH: u64 = 16;
const MOST_WIDTH: u64 = 2048;
const MOST_ROOTS: usize = 64;

/// As many nodes of a tree for each one of the width that it is looked at: looking costs some per cent of the search.
const WORTH_A_LOOK: u64 = 9_000;

/// When so many words of masks are read, about a second's worth, no other choices are looked at, and no further steps taken.
pub(super) const MOST_READ: u64 = 1 << 29;

/// So many choices are looked at before what was read is added up again; the same whatever the number of threads.
const AT_ONCE: usize = 8;

/// Trees that nobody will see the end of are not worth a closer look.
const HOPELESS: u64 = 1_000_000_000_000;

/// The roots below which one assembly of each class is to be found, and how many nodes there are below them, as far as
/// that can be known before.
pub(super) fn roots(
    placements: &Placements,
    symmetry: &Symmetry,
    problem: &Problem,
    (instructions, threads): (Instructions, NonZero<usize>),
    signal: &Signal,
) -> (Vec<Root>, u64) {
    let searches = (0..threads.get().min(AT_ONCE)).map(|_| Search::new(problem, instructions, signal)).collect();
    let mut planner = Planner { placements, symmetry, searches, read: 0 };
    let all = Root { start: Start::default(), group: (0..symmetry.motions.len()).collect(), chosen: None };
    let roots = planner.split(all, true);
    let nodes = if roots.is_empty() { 0 } else { planner.twice(&roots) };
    (roots, nodes)
}

/// What an assembly stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// How many images it has, itself among them.
    pub(super) images: u64,
    /// How many of them differ when rotations alone are merged.
    pub(super) up_to_rotations: u64,
}

impl Root {
    /// The class of an assembly found here; `None` when another one found here stands for it.
    pub(super) fn class(&self, images: &mut Images<'_>, assembly: &dyn Fn() -> Vec<u32>) -> Option<Class> {
        let Images { placements, symmetry, .. } = *images;
        let (mut keep, mut mirrors_keep) = (1, false);
        let asks_nothing = self.group.len() == 1 && symmetry.mirrors.is_empty() && placements.fewest == 0;
        let mut own = if asks_nothing { Vec::new() } else { assembly() };
        if own.iter().map(|&placement| placements.covered(placement).len()).sum::<usize>() < placements.fewest {
            return None;
        }
        own.sort_unstable();
        let mut image = Vec::with_capacity(own.len());
        // The identity comes first.
        for &motion in &self.group[1..] {
            let is_whole = images.image(motion, &own, &mut image);
            debug_assert!(is_whole, "a motion carries assemblies to assemblies");
            if self.chosen.is_some_and(|chosen| !image.contains(&chosen)) {
                continue;
            }
            image.sort_unstable();
            match image.cmp(&own) {
                Ordering::Less => return None,
                Ordering::Equal => {
                    (keep, mirrors_keep) = (keep + 1, mirrors_keep || symmetry.motions[motion].is_mirror);
                }
                Ordering::Greater => {}
            }
        }
        let has_mirrors = symmetry.motions.iter().any(|motion| motion.is_mirror);
        let up_to_rotations = if has_mirrors && !mirrors_keep { 2 } else { 1 };
        let class = Class { images: symmetry.motions.len() as u64 / keep, up_to_rotations };
        if symmetry.mirrors.is_empty() {
            return Some(class);
        }
        let Some(mirrored) = images.least_mirrored(&own) else { return Some(class) };
        // The one with the least image stands for both.
        let images = symmetry.motions.iter().filter_map(|motion| motion.image(placements, &own));
        match images.min().cmp(&Some(mirrored)) {
            Ordering::Less => Some(Class { images: 2 * class.images, up_to_rotations: 2 }),
            Ordering::Equal => Some(class),
            Ordering::Greater => None,
        }
    }
}

struct Planner<'a> {
    placements: &'a Placements,
    symmetry: &'a Symmetry,
    /// One for each thread.
    searches: Vec<Search<'a>>,
    /// Words of masks that were read.
    read: u64,
}

impl Planner<'_> {
    /// Breaks the symmetry that is left at a root, if it can be done exactly or this is the first step.
    fn split(&mut self, root: Root, is_first: bool) -> Vec<Root> {
        if root.group.len() == 1 || (!is_first && self.read > MOST_READ) {
            return vec![root];
        }
        if !is_first && !(WORTH_A_STEP..u64::MAX).contains(&self.twice(std::slice::from_ref(&root))) {
            return vec![root];
        }
        let choices = self.choices(&root, is_first);
        let mut splits: Vec<Vec<Root>> = choices.iter().map(|choice| self.orbits(&root, choice)).collect();
        // Comparing assemblies costs next to nothing: a later step competes with none.
        if !is_first || choices.is_empty() {
            splits.push(vec![root]);
        }
        let best = self.best(&splits, choices.len());
        let split = splits.swap_remove(best);
        match choices.get(best) {
            Some(Choice { is_unique: true, .. }) => {
                split.into_iter().flat_map(|root| self.split(root, false)).collect()
            }
            _ => split,
        }
    }

    /// The number of the split with the smallest tree. That numbered `whole`, if there is one, splits nothing: others have
    /// to be smaller by a quarter.
    fn best(&mut self, splits: &[Vec<Root>], whole: usize) -> usize {
        // First roughly, to know how much looking closer may cost; then closer, and the closer the fewer are left.
        let mut order: Vec<Estimate<'_>> =
            splits.iter().enumerate().map(|(number, split)| Estimate::new(number, split)).collect();
        let size = |estimate: &Estimate<'_>| match estimate.number < whole {
            true => estimate.nodes,
            false => estimate.nodes / 4 * 3,
        };
        self.refine(&mut order, LEAST_WIDTH);
        order.retain(|estimate| estimate.width > 0);
        order.sort_by_key(size);
        // A single rough estimate can be wrong by orders of magnitude, the middle one seldom is.
        let middle = order.get(order.len() / 2).map_or(0, |middle| middle.nodes);
        let worth = if middle < HOPELESS { middle / WORTH_A_LOOK } else { 0 };
        // The better half is looked at as long as the whole before.
        while order.len() > 1 {
            let width = (worth / order.len() as u64).min(MOST_WIDTH);
            if width > LEAST_WIDTH {
                self.refine(&mut order, width);
                order.sort_by_key(size);
            }
            order.truncate(order.len().div_ceil(2));
        }
        order.first().map_or(whole, |best| best.number)
    }

    /// The sets of placements that can be tried by orbits.
    fn choices(&self, root: &Root, with_many: bool) -> Vec<Choice> {
        let Planner { placements, symmetry, .. } = self;
        let motions = || root.group.iter().map(|&motion| &symmetry.motions[motion]);
        let used: BTreeSet<usize> = root.start.chosen.iter().map(|&p| placements.kind(p)).collect();
        let filled: BTreeSet<u32> = root.start.chosen.iter().flat_map(|&p| placements.covered(p)).copied().collect();
        let covering = |cells: &BTreeSet<u32>| {
            (0..placements.len() as u32)
                .filter(|&p| placements.covered(p).iter().any(|cell| cells.contains(cell)))
                .collect()
        };
        let kind_orbits = (0..placements.kinds.len()).filter(|kind| !used.contains(kind));
        let kind_orbits =
            kind_orbits.map(|kind| motions().filter_map(|motion| motion.kind(kind)).collect::<BTreeSet<_>>());
        let cell_orbits = (0..placements.filled as u32).filter(|cell| !filled.contains(cell));
        let cell_orbits = cell_orbits.map(|cell| motions().map(|motion| motion.cell(cell)).collect::<BTreeSet<_>>());
        let (mut kind_orbits, mut cell_orbits): (BTreeSet<_>, BTreeSet<_>) =
            (kind_orbits.collect(), cell_orbits.collect());
        kind_orbits.retain(|orbit| orbit.iter().all(|&kind| *placements.kinds[kind].count.start() > 0));
        let is_unique_kind =
            |orbit: &BTreeSet<usize>| orbit.iter().map(|&kind| &placements.kinds[kind].count).eq([&(1..=1)]);
        let is_unique = kind_orbits.iter().any(is_unique_kind) || cell_orbits.iter().any(|orbit| orbit.len() == 1);
        if is_unique {
            kind_orbits.retain(is_unique_kind);
            cell_orbits.retain(|orbit| orbit.len() == 1);
        } else if !with_many {
            return Vec::new();
        }
        let of_kinds =
            kind_orbits.iter().map(|kinds| kinds.iter().flat_map(|&kind| placements.of_kind(kind)).collect());
        let of_cells = cell_orbits.iter().map(covering);
        let mut choices: Vec<Choice> =
            of_kinds.chain(of_cells).map(|placements: Vec<u32>| Choice { placements, is_unique }).collect();
        let copies = |kind: usize| root.start.chosen.iter().filter(|&&p| placements.kind(p) == kind).count() as u32;
        let is_free = |&p: &u32| {
            let kind = placements.kind(p);
            copies(kind) < *placements.kinds[kind].count.end()
                && placements.covered(p).iter().all(|cell| !filled.contains(cell))
        };
        choices.iter_mut().for_each(|choice| choice.placements.retain(is_free));
        choices.retain(|choice| !choice.placements.is_empty());
        choices
    }

    /// One root for each orbit.
    fn orbits(&self, root: &Root, choice: &Choice) -> Vec<Root> {
        let Planner { placements, symmetry, .. } = self;
        let motion = |motion: usize| -> &Motion { &symmetry.motions[motion] };
        let mut seen: BTreeSet<u32> = BTreeSet::new();
        let mut banned: Vec<u32> = root.start.banned.to_vec();
        let mut roots = Vec::new();
        for &placement in &choice.placements {
            if seen.contains(&placement) {
                continue;
            }
            let image = |&m: &usize| motion(m).placement(placements, placement);
            let images: Option<Vec<u32>> = root.group.iter().map(image).collect();
            let images = images.expect("a motion carries placements to placements");
            // An image of an assembly holds this placement when the motion carries one of the assembly to it; where no
            // other of its kind is used, that is itself.
            let kind = placements.kind(placement);
            let is_alone = choice.is_unique || *placements.kinds[kind].count.end() == 1;
            let may_return = |&(&m, &image): &(&usize, &u32)| {
                image == placement || !is_alone || (!choice.is_unique && motion(m).kind(kind) != Some(kind))
            };
            let group = root.group.iter().zip(&images).filter(may_return).map(|pair| *pair.0).collect();
            let chosen = root.start.chosen.iter().copied().chain([placement]).collect();
            let start = Start { chosen, banned: banned.as_slice().into() };
            roots.push(Root { start, group, chosen: Some(placement) });
            let new: BTreeSet<u32> = images.into_iter().filter(|&image| seen.insert(image)).collect();
            if !choice.is_unique {
                banned.extend(new);
            }
        }
        roots
    }

    /// About how many nodes there are below roots; where they are many a second, closer look is taken, since the first
    /// can be wrong by a factor of ten.
    fn twice(&mut self, roots: &[Root]) -> u64 {
        match self.estimate(roots, LEAST_WIDTH) {
            few @ ..=WORTH_A_CLOSER_LOOK => few,
            _ => self.estimate(roots, 8 * LEAST_WIDTH),
        }
    }

    /// About how many nodes there are below roots.
    fn estimate(&mut self, roots: &[Root], width: u64) -> u64 {
        let mut estimate = Estimate::new(0, roots);
        self.read += estimate.refine(&mut self.searches[0], width);
        estimate.nodes
    }

    /// Looks closer at each of some choices, as long as not too much was read.
    fn refine(&mut self, estimates: &mut [Estimate<'_>], width: u64) {
        for estimates in estimates.chunks_mut(AT_ONCE) {
            if self.read >= MOST_READ {
                return;
            }
            let (threads, read) = (estimates.len(), AtomicU64::new(0));
            let queue = Mutex::new(estimates.iter_mut());
            let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let work = |search: &mut Search<'_>| {
                while let Some(estimate) = next() {
                    read.fetch_add(estimate.refine(search, width), Relaxed);
                }
            };
            thread::scope(|scope| {
                for search in self.searches.iter_mut().take(threads) {
                    scope.spawn(|| work(search));
                }
            });
            self.read += read.into_inner();
        }
    }
}

impl Estimate<'_> {
    fn new(number: usize, roots: &[Root]) -> Estimate<'_> {
        Estimate { number, roots, nodes: 0, width: 0, at_depth: Vec::new(), random: Random(number as u64) }
    }

    /// The mean of the estimates with this width and those before, as far as they weigh; how many words were read.
    fn refine(&mut self, search: &mut Search<'_>, width: u64) -> u64 {
        // Of many roots some stand for all.
        let (some, all) = (self.roots.len().min(MOST_ROOTS), self.roots.len());
        let starts: Vec<&Start> = (0..some).map(|i| &self.roots[i * all / some].start).collect();
        let before = search.read;
        let nodes = search.estimate(&starts, width, &mut self.at_depth, &mut self.random);
        let weighed = |nodes: u64, width: u64| u128::from(nodes) * u128::from(width);
        let nodes = u64::try_from(u128::from(nodes) * all as u128 / some as u128).unwrap_or(u64::MAX);
        let sum = weighed(self.nodes, self.width) + weighed(nodes, width);
        self.width += width;
        self.nodes = u64::try_from(sum / u128::from(self.width)).unwrap_or(u64::MAX);
        search.read - before
    }
}
