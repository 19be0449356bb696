//! The two innermost steps of the search, to branch and to filter, the same in all instruction sets.
//!
//! To branch is to find the item with fewest options and test each of them: one whose choice leaves an open item
//! without an option is dropped before anything is built for it, which is what happens to most. Items are counted in
//! bit slices: bit `i` of plane `p` is bit `p` of the count of item `i`, so that one addition counts 64 items.
//!
//! Everything generic is inlined into what [`Instructions::perform`](super::lanes::Instructions::perform) calls, which
//! alone has the instructions; no other code names a type of lanes, which is what makes the unsafe blocks right.

// Arrays run side by side by the word of their masks.
#![allow(unsafe_code, clippy::needless_range_loop)]

use super::lanes::Lanes;
use super::list::GROUP;

/// The options of a node.
#[derive(Clone, Copy)]
pub(super) struct Options<'a> {
    /// Word `w` of option `o` is at `w * stride + o`; zeros behind the last option.
    pub(super) masks: &'a [u64],
    pub(super) stride: usize,
    pub(super) count: usize,
}

impl Options<'_> {
    /// How many groups there are.
    #[inline(always)]
    fn groups(&self, words: usize) -> usize {
        let groups = self.count.div_ceil(GROUP);
        assert!(groups * GROUP <= self.stride && self.masks.len() >= words * self.stride);
        groups
    }

    /// Some options of a group.
    #[inline(always)]
    unsafe fn load<V: Lanes, const W: usize>(&self, group: usize, vector: usize) -> [V; W] {
        let at = group * GROUP + vector * V::COUNT;
        let mut masks = unsafe { [V::splat(0); W] };
        for word in 0..W {
            debug_assert!(word * self.stride + at + V::COUNT <= self.masks.len());
            // SAFETY: the caller has the group from `groups`.
            masks[word] = unsafe { V::load(self.masks.as_ptr().add(word * self.stride + at)) };
        }
        masks
    }
}

/// The same mask in each lane.
#[inline(always)]
unsafe fn splat<V: Lanes, const W: usize>(mask: [u64; W]) -> [V; W] {
    unsafe {
        let mut lanes = [V::splat(0); W];
        for word in 0..W {
            lanes[word] = V::splat(mask[word]);
        }
        lanes
    }
}

/// What masks share with others.
#[inline(always)]
unsafe fn shared<V: Lanes, const W: usize>(masks: [V; W], others: [V; W]) -> V {
    unsafe {
        let mut shared = masks[0].and(others[0]);
        for word in 1..W {
            shared = shared.or_both(masks[word], others[word]);
        }
        shared
    }
}

/// Tests the options of one item, of that with fewest if none is given; writes the masks of those that leave every other open item an option. How many were
/// tested, and how many written.
#[inline(always)]
pub(super) fn branch<V: Lanes, const W: usize>(
    options: Options<'_>,
    open: [u64; W],
    once: [u64; W],
    item: Option<usize>,
    children: &mut [u64],
) -> (usize, usize) {
    let item = match item {
        Some(item) => item,
        None => fewest::<V, W>(options, open),
    };
    let mut wanted = [0; W];
    wanted[item / 64] = 1 << (item % 64);
    let tested = with_any::<V, W>(options, wanted, children);
    // Several tests at a time share what is loaded, and do not wait for each other.
    let (mut next, mut written) = (0, 0);
    while next < tested {
        let lost = {
            match tested - next {
                1 => {
                    let [a] = lost::<V, W, 1>(options, open, once, &children[next * W..]);
                    [a, 1, 1, 1]
                }
                2 => {
                    let [a, b] = lost::<V, W, 2>(options, open, once, &children[next * W..]);
                    [a, b, 1, 1]
                }
                3 => {
                    let [a, b, c] = lost::<V, W, 3>(options, open, once, &children[next * W..]);
                    [a, b, c, 1]
                }
                _ => lost::<V, W, 4>(options, open, once, &children[next * W..]),
            }
        };
        for lost in &lost[..(tested - next).min(4)] {
            // No branch: it would be mispredicted every other time.
            (0..W).for_each(|word| children[written * W + word] = children[next * W + word]);
            written += usize::from(*lost == 0);
            next += 1;
        }
    }
    (tested, written)
}

/// Writes the masks of the options that have one of the items; how many there are.
#[inline(always)]
pub(super) fn with_any<V: Lanes, const W: usize>(options: Options<'_>, items: [u64; W], masks: &mut [u64]) -> usize {
    let mut count = 0;
    let groups = options.groups(W);
    assert!(masks.len() >= W * options.count + GROUP);
    // SAFETY: the group is one of `groups`; masks have room for a vector behind those of all options.
    unsafe {
        let items = splat::<V, W>(items);
        for group in 0..groups {
            for vector in 0..GROUP / V::COUNT {
                let from = options.load::<V, W>(group, vector);
                let mut with = !shared(from, items).zeros() & V::ALL;
                if W == 1 {
                    // No branch: which vectors have one is as good as random.
                    from[0].store(with, masks.as_mut_ptr().add(count));
                    count += with.count_ones() as usize;
                    continue;
                }
                while with != 0 {
                    let option = group * GROUP + vector * V::COUNT + with.trailing_zeros() as usize;
                    with &= with - 1;
                    (0..W).for_each(|word| masks[count * W + word] = options.masks[word * options.stride + option]);
                    count += 1;
                }
            }
        }
    }
    count
}

/// For each of some options, the open items that would be left without one; the other options with items in `once` are
/// ruled out.
#[inline(always)]
fn lost<V: Lanes, const W: usize, const N: usize>(
    options: Options<'_>,
    open: [u64; W],
    once: [u64; W],
    tried: &[u64],
) -> [u64; N] {
    let tried: [[u64; W]; N] = std::array::from_fn(|i| std::array::from_fn(|word| tried[i * W + word]));
    let groups = options.groups(W);
    // SAFETY: the group is one of `groups`.
    unsafe {
        let mut conflicts = [[V::splat(0); W]; N];
        let mut covered = conflicts;
        for i in 0..N {
            for word in 0..W {
                conflicts[i][word] = V::splat(tried[i][word] & once[word]);
            }
        }
        for group in 0..groups {
            for vector in 0..GROUP / V::COUNT {
                let masks = options.load::<V, W>(group, vector);
                for i in 0..N {
                    let shared = shared(masks, conflicts[i]);
                    for word in 0..W {
                        covered[i][word] = covered[i][word].or(masks[word].where_zero(shared));
                    }
                }
            }
        }
        let mut lost = [0; N];
        for word in 0..W {
            let mut unions = [0; N];
            if let (Some(four), Some(unions)) = (covered.first_chunk::<4>(), unions.first_chunk_mut::<4>()) {
                *unions = V::unions([four[0][word], four[1][word], four[2][word], four[3][word]]);
            } else {
                for i in 0..N {
                    unions[i] = covered[i][word].union();
                }
            }
            for i in 0..N {
                lost[i] |= open[word] & !tried[i][word] & !unions[i];
            }
        }
        lost
    }
}

/// The low bits of the sums of lanes and four others, and two lanes of carries.
#[inline(always)]
unsafe fn sum<V: Lanes>(low: V, [a, b, c, d]: [V; 4]) -> (V, [V; 2]) {
    unsafe {
        let first = low.xor3(a, b);
        (first.xor3(c, d), [low.majority(a, b), first.majority(c, d)])
    }
}

/// The sums of counts of lanes and those `step` away.
#[inline(always)]
unsafe fn both_halves<V: Lanes>([low, high, many]: [V; 3], step: usize) -> [V; 3] {
    unsafe {
        let (other_low, other_high) = (low.exchange(step), high.exchange(step));
        let carry = low.and(other_low);
        let many = many.or(many.exchange(step)).or(high.majority(other_high, carry));
        [low.xor(other_low), high.xor3(other_high, carry), many]
    }
}

/// The first of the open items with fewest options.
#[inline(always)]
pub(super) fn fewest<V: Lanes, const W: usize>(options: Options<'_>, open: [u64; W]) -> usize {
    let groups = options.groups(W);
    // SAFETY: the groups are those of `groups`; planes hold counts up to the number of vectors.
    unsafe {
        match groups * GROUP / V::COUNT {
            0..16 => fewest_of::<V, W, 4, 7>(options, groups, open),
            16..64 => fewest_of::<V, W, 6, 9>(options, groups, open),
            64..256 => fewest_of::<V, W, 8, 11>(options, groups, open),
            _ => fewest_of::<V, W, 24, 27>(options, groups, open),
        }
    }
}

#[inline(always)]
unsafe fn fewest_of<V: Lanes, const W: usize, const PLANES: usize, const ALL: usize>(
    options: Options<'_>,
    groups: usize,
    open: [u64; W],
) -> usize {
    let mut least = open;
    let mut planes = [[0_u64; ALL]; W];
    for word in 0..W {
        // SAFETY: the caller says that there are that many groups.
        unsafe {
            let mut lanes = [V::splat(0); ALL];
            for group in 0..groups {
                for four in 0..GROUP / V::COUNT / 4 {
                    let mut masks = [V::splat(0); 4];
                    for i in 0..4 {
                        masks[i] = options.load::<V, W>(group, 4 * four + i)[word];
                    }
                    let (low, twos) = sum(lanes[0], masks);
                    let mut carry = lanes[1].majority(twos[0], twos[1]);
                    (lanes[0], lanes[1]) = (low, lanes[1].xor3(twos[0], twos[1]));
                    for plane in 2..PLANES {
                        let sum = lanes[plane].xor(carry);
                        carry = lanes[plane].and(carry);
                        lanes[plane] = sum;
                    }
                }
            }
            let (mut step, mut used) = (V::COUNT / 2, PLANES);
            while step > 0 {
                let mut carry = V::splat(0);
                for plane in 0..used {
                    let (a, b) = (lanes[plane], lanes[plane].exchange(step));
                    lanes[plane] = a.xor3(b, carry);
                    carry = a.majority(b, carry);
                }
                lanes[used] = carry;
                (step, used) = (step / 2, used + 1);
            }
            for plane in 0..ALL {
                planes[word][plane] = lanes[plane].first();
            }
        }
    }
    for plane in (0..ALL).rev() {
        let without: [u64; W] = std::array::from_fn(|word| least[word] & !planes[word][plane]);
        least = if without == [0; W] { least } else { without };
    }
    lowest(least).unwrap_or(0)
}

/// The first of some items.
#[inline(always)]
pub(super) fn lowest<const W: usize>(items: [u64; W]) -> Option<usize> {
    let word = items.iter().position(|&word| word != 0)?;
    Some(word * 64 + items[word].trailing_zeros() as usize)
}

/// What is left of options.
pub(super) struct Left<const W: usize> {
    pub(super) count: usize,
    /// Open items with so many options.
    pub(super) none: [u64; W],
    pub(super) ones: [u64; W],
    pub(super) twos: [u64; W],
    pub(super) threes: [u64; W],
}

/// Writes the options that have none of some items, in order and with arrays as long, and counts how many each open item
/// has.
#[inline(always)]
pub(super) fn filter<V: Lanes, const W: usize>(
    options: Options<'_>,
    items: [u64; W],
    open: [u64; W],
    kept: &mut [u64],
) -> Left<W> {
    let groups = options.groups(W);
    assert!(options.count + GROUP <= options.stride && kept.len() >= W * options.stride + GROUP);
    let (mut count, to) = (0, kept.as_mut_ptr());
    let mut left = Left { count: 0, none: [0; W], ones: [0; W], twos: [0; W], threes: [0; W] };
    // SAFETY: the group is one of `groups`. What is written behind the kept options of an array is inside it, or behind
    // the last one inside `kept`: no more was kept than read, and there is room for a group behind.
    unsafe {
        let items = splat::<V, W>(items);
        // The two low bits of counts, and whether they are four or more.
        let mut counts = [[V::splat(0); 3]; W];
        for group in 0..groups {
            for four in 0..GROUP / V::COUNT / 4 {
                let mut four_kept = [[V::splat(0); 4]; W];
                for i in 0..4 {
                    let masks = options.load::<V, W>(group, 4 * four + i);
                    let shared = shared(masks, items);
                    let mut number = 0;
                    for word in 0..W {
                        (four_kept[word][i], number) = masks[word].keep(shared, to.add(word * options.stride + count));
                    }
                    count += number;
                }
                for word in 0..W {
                    let [low, high, many] = counts[word];
                    let (low, twos) = sum(low, four_kept[word]);
                    let fours = high.majority(twos[0], twos[1]);
                    counts[word] = [low, high.xor3(twos[0], twos[1]), many.or(fours)];
                }
            }
        }
        // The zeros behind the last option were kept too.
        left.count = count - (groups * GROUP - options.count);
        for word in 0..W {
            for vector in 0..GROUP / V::COUNT {
                V::splat(0).write(to.add(word * options.stride + left.count + vector * V::COUNT));
            }
        }
        for word in 0..W {
            let mut count = counts[word];
            if V::COUNT > 4 {
                count = both_halves(count, 4);
            }
            if V::COUNT > 2 {
                count = both_halves(count, 2);
            }
            if V::COUNT > 1 {
                count = both_halves(count, 1);
            }
            let [low, high, many] = [count[0].first(), count[1].first(), count[2].first()];
            let few = open[word] & !many;
            left.none[word] = few & !low & !high;
            left.ones[word] = few & low & !high;
            left.twos[word] = few & high & !low;
            left.threes[word] = few & low & high;
        }
    }
    left
}

/// The bits of a word that a mask selects, moved together.
#[inline(always)]
pub(super) fn gather<V: Lanes>(bits: u64, mask: u64) -> u64 {
    // SAFETY: the processor has the instructions.
    unsafe { V::gather(bits, mask) }
}

/// The bits of a word moved apart to where a mask is set.
#[inline(always)]
pub(super) fn scatter<V: Lanes>(bits: u64, mask: u64) -> u64 {
    // SAFETY: the processor has the instructions.
    unsafe { V::scatter(bits, mask) }
}
