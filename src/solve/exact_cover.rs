//! Exact cover with colours and counts: choose options so that every item is used as it demands. Knows no puzzle.
//!
//! The problem is Knuth's XCC (The Art of Computer Programming 4B, section 7.2.2.1) with counted and weighed items beside
//! it; the data structure is not his. Each item keeps the set of its options as one row of bits, so that the options which a
//! choice rules out are a handful of ORs over machine words; the options left per item are kept up to date from
//! whichever is fewer, those that fell or those that stay. With some ten thousand options this is faster than dancing
//! links or cells, which touch every entry of every option that falls, and again on the way back.

use std::ops::{ControlFlow, RangeInclusive};

/// Items and the options that use them.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    columns: Vec<Column>,
    /// What the options use, one after the other.
    uses: Vec<Use>,
    /// Where the uses of each option end.
    ends: Vec<u32>,
}

/// A row of bits, one an option: set where the option uses the item, or the item in that colour.
#[derive(Clone, Debug)]
enum Column {
    Once,
    Counted(RangeInclusive<u32>),
    /// A coloured item in any colour; its colours follow.
    Coloured,
    /// One colour of the coloured item in that column.
    Colour(usize),
    /// A weighed item with any weight; its weights follow, as many as there are here.
    Weighed {
        times: u32,
        total: RangeInclusive<i64>,
        weights: Vec<i64>,
    },
    /// One weight of the weighed item in that column.
    Weight(usize),
}

/// How an option uses an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use(u32);

impl Use {
    const fn column(self) -> usize {
        self.0 as usize
    }
}

/// An item that any number of options may share as long as they agree on its colour.
#[derive(Clone, Copy, Debug)]
pub struct Coloured {
    column: u32,
    colours: u32,
}

impl Coloured {
    /// The use of this item in that colour.
    ///
    /// # Panics
    /// When the item was made with fewer colours.
    pub fn colour(self, colour: u32) -> Use {
        assert!(colour < self.colours, "colour {colour} of {}", self.colours);
        Use(self.column + 1 + colour)
    }
}

/// An item that options use with weights, which are to add up.
#[derive(Clone, Debug)]
pub struct Weighed {
    column: u32,
    weights: Vec<i64>,
}

impl Weighed {
    /// The use of this item with that weight.
    ///
    /// # Panics
    /// When the item was made without it.
    pub fn weight(&self, weight: i64) -> Use {
        let place = self.weights.binary_search(&weight).expect("the item was made with all its weights");
        Use(self.column + 1 + place as u32)
    }
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Whether everything was tried: neither callback stopped the search.
    pub complete: bool,
    /// Options chosen on the way, the forced ones too.
    pub nodes: u64,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Options chosen so far.
    pub nodes: u64,
    /// The share of the search tree behind us, in millionths, as far as that can be told.
    pub millionths: u32,
    /// About how many options there will be in all, where that was estimated by sampling the tree.
    pub expected: Option<u64>,
    /// Whether there may be far fewer, as dead ends that are met again are left out, which samples do not tell.
    pub is_most: bool,
}

impl Problem {
    /// An item to be used exactly once. Only such items are branched on.
    pub fn once(&mut self) -> Use {
        self.column(Column::Once)
    }

    /// An item to be used that many times.
    pub fn counted(&mut self, times: RangeInclusive<u32>) -> Use {
        self.column(Column::Counted(times))
    }

    /// An item that may be used at will, but in one of `colours` colours only.
    pub fn coloured(&mut self, colours: u32) -> Coloured {
        let Use(column) = self.column(Column::Coloured);
        (0..colours).for_each(|_| {
            self.column(Column::Colour(column as usize));
        });
        Coloured { column, colours }
    }

    /// An item to be used that many times, with weights that add up to a total in that range; `weights` lists all that
    /// options use, in any order.
    pub fn weighed(&mut self, times: u32, total: RangeInclusive<i64>, weights: &[i64]) -> Weighed {
        let mut weights = weights.to_vec();
        weights.sort_unstable();
        weights.dedup();
        let Use(column) = self.column(Column::Weighed { times, total, weights: weights.clone() });
        weights.iter().for_each(|_| {
            self.column(Column::Weight(column as usize));
        });
        Weighed { column, weights }
    }

    /// Makes room for that many options with that many uses each, so that adding them is quick.
    pub fn reserve(&mut self, options: usize, uses: usize) {
        self.ends.reserve(options);
        self.uses.reserve(options * uses);
    }

    /// Adds an option, which is to name each item once; options are numbered from 0. One that uses no item of
    /// [`Problem::once`] is never chosen.
    ///
    /// # Panics
    /// When a use belongs to another problem with more items: in the search.
    pub fn option(&mut self, uses: impl IntoIterator<Item = Use>) {
        self.uses.extend(uses);
        self.ends.push(self.uses.len() as u32);
    }

    /// How many options there are.
    pub fn options(&self) -> usize {
        self.ends.len()
    }

    /// How many rows of bits the search keeps, each with one bit an option.
    pub fn rows(&self) -> usize {
        self.columns.len()
    }

    /// Visits every solution as the numbers of its options, in an order that is always the same. `watch` is called now
    /// and then; both stop the search by breaking.
    pub fn search(
        &self,
        mut watch: impl FnMut(Progress) -> ControlFlow<()>,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> Ended {
        let mut search = Search::new(self);
        let complete = search.run(&mut watch, &mut visit).is_continue();
        Ended { complete, nodes: search.nodes }
    }

    fn column(&mut self, column: Column) -> Use {
        self.columns.push(column);
        Use(self.columns.len() as u32 - 1)
    }

    fn uses(&self, option: usize) -> &[Use] {
        let start = if option == 0 { 0 } else { self.ends[option - 1] };
        &self.uses[start as usize..self.ends[option] as usize]
    }
}

/// Calls of `watch` are at least this many nodes apart.
const WATCH: u64 = 256;

struct Search<'a> {
    problem: &'a Problem,
    /// Words in a row of bits.
    words: usize,
    /// The rows of all columns, one after the other.
    bits: Vec<u64>,
    /// Columns of counted and weighed items.
    counted: Vec<u32>,
    /// The branches down to the current node, and at `depth` what is left there; deeper ones are kept for reuse.
    levels: Vec<Level>,
    depth: usize,
    /// The options chosen, forced ones too.
    chosen: Vec<u32>,
    /// The options that the last choice rules out.
    fallen: Vec<u64>,
    nodes: u64,
}

/// What is left at a node of the search tree.
#[derive(Clone, Default)]
struct Level {
    /// Options that can still be chosen, one bit each.
    alive: Vec<u64>,
    /// How many of those use an item, by column; meaningless for items that are settled.
    left: Vec<u32>,
    /// How often each item is used, by column.
    used: Vec<u32>,
    /// Items still to be used once, in the order they were made.
    open: Vec<u32>,
    /// The branch taken here.
    branch: Branch,
}

impl Level {
    /// Whether a counted or weighed item is used as it demands, when nothing more is chosen.
    fn is_met(&self, problem: &Problem, item: usize) -> bool {
        match &problem.columns[item] {
            Column::Counted(range) => self.used[item] >= *range.start(),
            Column::Weighed { times, total, weights } => {
                let (least, most) = (i128::from(*total.start()), i128::from(*total.end()));
                self.used[item] == *times && (least..=most).contains(&self.weight(item, weights))
            }
            _ => true,
        }
    }

    /// Whether the options left may still do so.
    fn can_be_met(&self, problem: &Problem, item: usize) -> bool {
        match &problem.columns[item] {
            Column::Counted(range) => self.used[item] + self.left[item] >= *range.start(),
            Column::Weighed { times, .. } if self.used[item] == *times => self.is_met(problem, item),
            Column::Weighed { times, total, weights } => {
                let Some((lightest, heaviest)) = self.extremes(item, weights) else { return false };
                let (now, more) = (self.weight(item, weights), i128::from(*times - self.used[item]));
                now + more * lightest <= (*total.end()).into() && now + more * heaviest >= (*total.start()).into()
            }
            _ => true,
        }
    }

    /// The columns of those weights of an item that leave its total out of reach.
    fn too_heavy_or_light(&self, problem: &Problem, item: usize) -> Vec<usize> {
        let Column::Weighed { times, total, weights } = &problem.columns[item] else { return Vec::new() };
        let all = item + 1..item + 1 + weights.len();
        let Some(others) = times.saturating_sub(self.used[item]).checked_sub(1) else { return all.collect() };
        let Some((lightest, heaviest)) = self.extremes(item, weights) else { return Vec::new() };
        let (now, others) = (self.weight(item, weights), i128::from(others));
        let (least, most) = (i128::from(*total.start()), i128::from(*total.end()));
        let is_out = |weight: i64| {
            let with = now + i128::from(weight);
            with + others * lightest > most || with + others * heaviest < least
        };
        all.zip(weights).filter(|&(_, &weight)| is_out(weight)).map(|(column, _)| column).collect()
    }

    /// The weight that an item has now.
    fn weight(&self, item: usize, weights: &[i64]) -> i128 {
        let used = weights.iter().zip(&self.used[item + 1..]);
        used.map(|(&weight, &used)| i128::from(weight) * i128::from(used)).sum()
    }

    /// The least and greatest weight of the options left.
    fn extremes(&self, item: usize, weights: &[i64]) -> Option<(i128, i128)> {
        let mut left = weights.iter().zip(&self.left[item + 1..]).filter(|&(_, &left)| left > 0);
        let lightest = left.next()?.0;
        Some((i128::from(*lightest), i128::from(*left.next_back().map_or(lightest, |(heaviest, _)| heaviest))))
    }
}

#[derive(Clone, Copy, Default)]
struct Branch {
    item: u32,
    /// How many options the item has here, and how many of them were taken.
    options: u32,
    taken: u32,
    /// The number after the option taken last.
    next: usize,
    /// How many options were chosen before.
    chosen: usize,
}

enum Found {
    Solution,
    /// An item with that many options left, two or more.
    Branch(u32, u32),
    DeadEnd,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem) -> Search<'a> {
        let (options, columns) = (problem.options(), problem.columns.len());
        let words = options.div_ceil(64);
        let mut bits = vec![0_u64; words * columns];
        for option in 0..options {
            let (word, bit) = (option / 64, 1 << (option % 64));
            problem.uses(option).iter().for_each(|used| bits[used.column() * words + word] |= bit);
        }
        let mut root = Level { used: vec![0; columns], ..Level::default() };
        root.alive = (0..words).map(|word| u64::MAX >> (64 * (word + 1)).saturating_sub(options)).collect();
        for (number, column) in problem.columns.iter().enumerate() {
            let row = number * words..(number + 1) * words;
            match column {
                Column::Colour(any) | Column::Weight(any) => {
                    let (before, after) = bits.split_at_mut(row.start);
                    let any = &mut before[any * words..][..words];
                    any.iter_mut().zip(&after[..words]).for_each(|(any, colour)| *any |= colour);
                }
                Column::Counted(times) if *times.end() == 0 => {
                    root.alive.iter_mut().zip(&bits[row]).for_each(|(alive, with)| *alive &= !with);
                }
                _ => {}
            }
        }
        let left = |row: &[u64]| row.iter().zip(&root.alive).map(|(with, alive)| (with & alive).count_ones()).sum();
        root.left = if words == 0 { vec![0; columns] } else { bits.chunks(words).map(left).collect() };
        let (mut open, mut counted) = (Vec::new(), Vec::new());
        for (number, column) in (0..).zip(&problem.columns) {
            match column {
                Column::Once => open.push(number),
                Column::Counted(_) | Column::Weighed { .. } => counted.push(number),
                Column::Coloured | Column::Colour(_) | Column::Weight(_) => {}
            }
        }
        root.open = open;
        let (levels, fallen) = (vec![root], vec![0; words]);
        Search { problem, words, bits, counted, levels, depth: 0, chosen: Vec::new(), fallen, nodes: 0 }
    }

    fn run(
        &mut self,
        watch: &mut impl FnMut(Progress) -> ControlFlow<()>,
        visit: &mut impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut next_watch = WATCH;
        let mut found = self.settle();
        loop {
            match found {
                Found::Solution => visit(&self.chosen)?,
                Found::Branch(item, options) => {
                    let chosen = self.chosen.len();
                    self.levels[self.depth].branch = Branch { item, options, taken: 0, next: 0, chosen };
                    self.depth += 1;
                }
                Found::DeadEnd => {}
            }
            if self.nodes >= next_watch {
                next_watch = self.nodes + WATCH;
                watch(self.progress())?;
            }
            // Back to the last branch that has an option left.
            let option = loop {
                let Some(above) = self.depth.checked_sub(1) else { return ControlFlow::Continue(()) };
                let Branch { item, next, .. } = self.levels[above].branch;
                match self.first_option(above, item, next) {
                    Some(option) => break option,
                    None => self.depth = above,
                }
            };
            found = if self.take(option) { self.settle() } else { Found::DeadEnd };
        }
    }

    /// Chooses what is forced, until there is a branch, a solution or a contradiction.
    fn settle(&mut self) -> Found {
        loop {
            let level = &self.levels[self.depth];
            let fewest = level.open.iter().map(|&item| (level.left[item as usize], item)).min_by_key(|&(left, _)| left);
            let forced = match fewest {
                Some((0, _)) => None,
                Some((1, item)) => self.first_option(self.depth, item, 0),
                Some((left, item)) => return Found::Branch(item, left),
                None if self.counted.iter().all(|&item| level.is_met(self.problem, item as usize)) => {
                    return Found::Solution;
                }
                None => None,
            };
            if !forced.is_some_and(|option| self.choose(option)) {
                return Found::DeadEnd;
            }
        }
    }

    /// Takes the option at the current level. False when a counted item can no longer be used often enough.
    fn choose(&mut self, option: usize) -> bool {
        self.nodes += 1;
        self.chosen.push(option as u32);
        let Search { problem, words, bits, counted, levels, fallen, .. } = self;
        let row = |column: usize| &bits[column * *words..][..*words];
        let level = &mut levels[self.depth];
        fallen.fill(0);
        let used = problem.uses(option);
        for column in used.iter().map(|used| used.column()) {
            level.used[column] += 1;
            match &problem.columns[column] {
                Column::Counted(times) if level.used[column] < *times.end() => {}
                Column::Weight(any) => {
                    level.used[*any] += 1;
                    for column in level.too_heavy_or_light(problem, *any) {
                        fallen.iter_mut().zip(row(column)).for_each(|(fallen, with)| *fallen |= with);
                    }
                }
                Column::Colour(any) => {
                    let other = row(*any).iter().zip(row(column)).map(|(any, same)| any & !same);
                    fallen.iter_mut().zip(other).for_each(|(fallen, other)| *fallen |= other);
                }
                _ => fallen.iter_mut().zip(row(column)).for_each(|(fallen, with)| *fallen |= with),
            }
        }
        level.open.retain(|&item| !used.contains(&Use(item)));

        let (mut fell, mut stay) = (0, 0);
        for (fallen, alive) in fallen.iter_mut().zip(&mut level.alive) {
            *fallen &= *alive;
            *alive &= !*fallen;
            fell += fallen.count_ones();
            stay += alive.count_ones();
        }
        if fell <= stay {
            for option in ones(fallen) {
                problem.uses(option).iter().for_each(|used| level.left[used.column()] -= 1);
            }
        } else {
            level.left.fill(0);
            for option in ones(&level.alive) {
                problem.uses(option).iter().for_each(|used| level.left[used.column()] += 1);
            }
        }
        counted.iter().all(|&item| level.can_be_met(problem, item as usize))
    }

    /// The first option of the item at that level, from this number on.
    fn first_option(&self, depth: usize, item: u32, from: usize) -> Option<usize> {
        let row = &self.bits[item as usize * self.words..][..self.words];
        let alive = &self.levels[depth].alive;
        let mut mask = u64::MAX << (from % 64);
        (from / 64..self.words).find_map(|word| {
            let left = row[word] & alive[word] & std::mem::replace(&mut mask, u64::MAX);
            (left != 0).then(|| 64 * word + left.trailing_zeros() as usize)
        })
    }

    /// Goes one level below the branch at `depth - 1`, to take that option of it.
    fn take(&mut self, option: usize) -> bool {
        if self.levels.len() == self.depth {
            self.levels.push(Level::default());
        }
        let (above, below) = self.levels.split_at_mut(self.depth);
        let (above, below) = (&mut above[self.depth - 1], &mut below[0]);
        above.branch.taken += 1;
        above.branch.next = option + 1;
        below.alive.clone_from(&above.alive);
        below.left.clone_from(&above.left);
        below.used.clone_from(&above.used);
        below.open.clone_from(&above.open);
        self.chosen.truncate(above.branch.chosen);
        self.choose(option)
    }

    /// As if all branches were equally large.
    fn progress(&self) -> Progress {
        let (mut share, mut done) = (1_000_000, 0);
        for branch in self.levels[..self.depth].iter().map(|level| level.branch) {
            done += share * u64::from(branch.taken.saturating_sub(1)) / u64::from(branch.options.max(1));
            share /= u64::from(branch.options.max(1));
        }
        Progress { nodes: self.nodes, millionths: done as u32, expected: None, is_most: false }
    }
}

/// The places of the bits set, in order.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let rest = std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(move |rest| 64 * index + rest.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solutions(problem: &Problem) -> Vec<Vec<u32>> {
        let mut all = Vec::new();
        let ended = problem.search(
            |_| ControlFlow::Continue(()),
            |chosen| {
                let mut chosen = chosen.to_vec();
                chosen.sort_unstable();
                all.push(chosen);
                ControlFlow::Continue(())
            },
        );
        assert!(ended.complete);
        all.sort();
        all
    }

    #[test]
    fn no_item_has_the_empty_solution_and_an_item_without_options_none() {
        let mut problem = Problem::default();
        assert_eq!(solutions(&problem), [Vec::<u32>::new()]);
        problem.counted(0..=3);
        assert_eq!(solutions(&problem), [Vec::<u32>::new()]);
        problem.once();
        assert_eq!(solutions(&problem).len(), 0);
        let mut problem = Problem::default();
        problem.counted(1..=3);
        assert_eq!(solutions(&problem).len(), 0);
    }

    #[test]
    fn knuths_small_example_with_colours_has_its_one_solution() {
        // The Art of Computer Programming 4B, 7.2.2.1, (49): p q r primary, x y secondary, A = 0, B = 1.
        let mut problem = Problem::default();
        let (p, q, r) = (problem.once(), problem.once(), problem.once());
        let (x, y) = (problem.coloured(3), problem.coloured(3));
        problem.option([p, q, x.colour(2), y.colour(0)]);
        problem.option([p, r, x.colour(0), y.colour(2)]);
        problem.option([p, x.colour(1)]);
        problem.option([q, x.colour(0)]);
        problem.option([r, y.colour(1)]);
        assert_eq!(solutions(&problem), [vec![1, 3]]);
    }

    #[test]
    fn queens_do_not_share_a_diagonal() {
        for (size, count) in [(1, 1), (2, 0), (4, 2), (5, 10), (6, 4), (8, 92)] {
            let mut problem = Problem::default();
            let lines: Vec<Use> = (0..2 * size).map(|_| problem.once()).collect();
            let diagonals: Vec<Use> = (0..4 * size).map(|_| problem.counted(0..=1)).collect();
            for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
                problem.option([lines[x], lines[size + y], diagonals[x + y], diagonals[3 * size + x - y]]);
            }
            assert_eq!(solutions(&problem).len(), count, "{size} queens");
        }
    }

    #[test]
    fn equal_pieces_with_a_range_need_no_labels() {
        // Ways to fill seven places in a row with a (1 to 2 times), b (2 times) and c (0 to 4 times).
        let mut problem = Problem::default();
        let letters = [problem.counted(1..=2), problem.counted(2..=2), problem.counted(0..=4)];
        for place in (0..7).map(|_| problem.once()).collect::<Vec<_>>() {
            letters.iter().for_each(|&letter| problem.option([place, letter]));
        }
        let (one_a, two_a) = (7 * 15, 21 * 10);
        assert_eq!(solutions(&problem).len(), one_a + two_a);
    }

    #[test]
    fn weights_add_up() {
        // Throws of four dice, told apart, by their total (the coefficients of (x + ... + x^6)^4).
        for (total, throws) in [(4, 1), (5, 4), (9, 56), (14, 146), (24, 1), (25, 0), (3, 0)] {
            let mut problem = Problem::default();
            let dice: Vec<Use> = (0..4).map(|_| problem.once()).collect();
            let sum = problem.weighed(4, total..=total, &[6, 5, 4, 3, 2, 1, 1]);
            dice.iter().for_each(|&die| (1..=6).for_each(|eyes| problem.option([die, sum.weight(eyes)])));
            assert_eq!(solutions(&problem).len(), throws, "{total}");
        }
        // No more of them than asked for, with weights of either sign.
        let mut problem = Problem::default();
        let places: Vec<Use> = (0..3).map(|_| problem.once()).collect();
        let sum = problem.weighed(2, -1..=0, &[-2, 1]);
        for &place in &places {
            problem.option([place]);
            [-2, 1].into_iter().for_each(|weight| problem.option([place, sum.weight(weight)]));
        }
        assert_eq!(solutions(&problem).len(), 6);
    }

    #[test]
    fn three_thousand_branches_need_no_stack_and_a_search_can_be_stopped() {
        let mut problem = Problem::default();
        for place in (0..3000).map(|_| problem.once()).collect::<Vec<_>>() {
            problem.option([place]);
            problem.option([place]);
        }
        let mut found = 0;
        let ended = problem.search(
            |_| ControlFlow::Continue(()),
            |chosen| {
                assert_eq!(chosen.len(), 3000);
                found += 1;
                if found == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        assert_eq!((found, ended.complete), (5, false));
        let ended = problem.search(
            |progress| if progress.nodes > 5000 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) },
            |_| ControlFlow::Continue(()),
        );
        assert!(!ended.complete && ended.nodes < 5300);
    }
}
