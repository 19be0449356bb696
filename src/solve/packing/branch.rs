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
use super::list::PAD;

/// The options of a node.
#[derive(Clone, Copy)]
pub(super) struct Options<'a> {
    /// Word `w` of option `o` is at `w * stride + o`; zeros behind the last option.
    pub(super) masks: &'a [u64],
    pub(super) stride: usize,
    pub(super) count: usize,
}

/// What becomes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Branches {
    /// How many options were tested, and how many masks were written.
    pub(super) tested: usize,
    pub(super) written: usize,
    /// The masks written are all chosen together, not one of them.
    pub(super) are_forced: bool,
}

/// What is still to be used.
#[derive(Clone, Copy)]
pub(super) struct Items<'a> {
    /// Items to be used exactly once.
    pub(super) open: &'a [u64],
    /// Items that no two options share.
    pub(super) once: &'a [u64],
    /// Whether options that are forced may be chosen together.
    pub(super) are_independent: bool,
}

impl Options<'_> {
    fn check(&self, words: usize) {
        assert!(self.stride.is_multiple_of(PAD) && self.count < self.stride && self.masks.len() >= words * self.stride);
    }

    #[inline(always)]
    unsafe fn load<V: Lanes>(&self, word: usize, at: usize) -> V {
        debug_assert!(word * self.stride + at + V::COUNT <= self.masks.len());
        // SAFETY: the caller stays inside the arrays.
        unsafe { V::load(self.masks.as_ptr().add(word * self.stride + at)) }
    }
}

/// Tests the options of the open item with fewest, the first such item; writes the masks of those that leave every
/// other open item an option. Where open items have a single option, those options are tested together.
#[inline(always)]
pub(super) fn branch<V: Lanes, const W: usize>(
    options: Options<'_>,
    items: Items<'_>,
    children: &mut [u64],
) -> Branches {
    options.check(W);
    assert!(items.open.len() == W && items.once.len() == W && children.len() >= W * options.count + PAD);
    let (mut open, mut once) = ([0; W], [0; W]);
    open.copy_from_slice(items.open);
    once.copy_from_slice(items.once);
    // Two vectors are added at a time; arrays are padded for that.
    let pairs = options.count.div_ceil(2 * V::COUNT);
    let vectors = options.count.div_ceil(V::COUNT);
    // SAFETY: `pairs` pairs are inside the arrays.
    let [ones, twos, threes] = match unsafe { rare::<V, W>(options, pairs, open) } {
        Some(rare) => rare,
        None => return Branches { tested: 0, written: 0, are_forced: false },
    };
    if ones != [0; W] {
        // SAFETY: `vectors` vectors are inside the arrays.
        return unsafe { forced::<V, W>(options, vectors, open, once, items.are_independent, ones, children) };
    }
    let few = if twos != [0; W] { twos } else { threes };
    let item = match lowest(few) {
        Some(item) => item,
        // SAFETY: planes hold counts up to the number of vectors.
        None => unsafe {
            match 2 * pairs {
                0..16 => fewest::<V, W, 4, 7>(options, pairs, open),
                16..64 => fewest::<V, W, 6, 9>(options, pairs, open),
                64..256 => fewest::<V, W, 8, 11>(options, pairs, open),
                _ => fewest::<V, W, 24, 27>(options, pairs, open),
            }
        },
    };
    let mut wanted = [0; W];
    wanted[item / 64] = 1 << (item % 64);
    // SAFETY: `vectors` vectors are inside the arrays.
    let tested = unsafe { with_any::<V, W>(options, vectors, wanted, children) };
    // Several tests at a time share what is loaded, and do not wait for each other.
    let (mut next, mut written) = (0, 0);
    while next < tested {
        let lost = match tested - next {
            // SAFETY: `vectors` vectors are inside the arrays.
            1 => unsafe { lost::<V, W, 1>(options, vectors, open, once, &children[next * W..]) }
                .map(|lost| [lost, 1, 1, 1])[0],
            2 => unsafe {
                let [a, b] = lost::<V, W, 2>(options, vectors, open, once, &children[next * W..]);
                [a, b, 1, 1]
            },
            3 => unsafe {
                let [a, b, c] = lost::<V, W, 3>(options, vectors, open, once, &children[next * W..]);
                [a, b, c, 1]
            },
            _ => unsafe { lost::<V, W, 4>(options, vectors, open, once, &children[next * W..]) },
        };
        for lost in &lost[..(tested - next).min(4)] {
            // No branch: it would be mispredicted every other time.
            (0..W).for_each(|word| children[written * W + word] = children[next * W + word]);
            written += usize::from(*lost == 0);
            next += 1;
        }
    }
    Branches { tested, written, are_forced: false }
}

/// Tests the options of items that have no other.
#[inline(always)]
unsafe fn forced<V: Lanes, const W: usize>(
    options: Options<'_>,
    vectors: usize,
    open: [u64; W],
    once: [u64; W],
    are_independent: bool,
    ones: [u64; W],
    children: &mut [u64],
) -> Branches {
    let mut tested = unsafe { with_any::<V, W>(options, vectors, ones, children) };
    if !are_independent {
        tested = 1;
    }
    let (mut all, mut clash) = ([0; W], 0);
    for child in children.chunks_exact(W).take(tested) {
        for word in 0..W {
            clash |= all[word] & child[word] & once[word];
            all[word] |= child[word];
        }
    }
    // Most often two of them clash.
    if clash != 0 {
        return Branches { tested, written: 0, are_forced: true };
    }
    // SAFETY: `vectors` vectors are inside the arrays.
    let [lost] = unsafe { lost::<V, W, 1>(options, vectors, open, once, &all) };
    Branches { tested, written: if lost == 0 { tested } else { 0 }, are_forced: true }
}

/// Writes the masks of the options that have one of the items; how many there are.
#[inline(always)]
unsafe fn with_any<V: Lanes, const W: usize>(
    options: Options<'_>,
    vectors: usize,
    items: [u64; W],
    children: &mut [u64],
) -> usize {
    let mut count = 0;
    for vector in 0..vectors {
        // SAFETY: the caller says that `vector` is inside the arrays; what is written behind the last mask is inside
        // `children`, as `branch` checked.
        let mut with = unsafe {
            let first: V = options.load(0, vector * V::COUNT);
            let mut shared = first.and(V::splat(items[0]));
            for word in 1..W {
                shared = shared.or(options.load::<V>(word, vector * V::COUNT).and(V::splat(items[word])));
            }
            let with = !shared.zeros() & V::ALL;
            if W == 1 {
                // No branch: which vectors have one is as good as random.
                first.store(with, children.as_mut_ptr().add(count));
                count += with.count_ones() as usize;
                continue;
            }
            with
        };
        while with != 0 {
            let option = vector * V::COUNT + with.trailing_zeros() as usize;
            with &= with - 1;
            (0..W).for_each(|word| children[count * W + word] = options.masks[word * options.stride + option]);
            count += 1;
        }
    }
    count
}

/// For each of some options, the open items that would be left without one; the other options with items in `once` are
/// ruled out.
#[inline(always)]
unsafe fn lost<V: Lanes, const W: usize, const N: usize>(
    options: Options<'_>,
    vectors: usize,
    open: [u64; W],
    once: [u64; W],
    tried: &[u64],
) -> [u64; N] {
    let tried: [[u64; W]; N] = std::array::from_fn(|i| std::array::from_fn(|word| tried[i * W + word]));
    unsafe {
        let mut conflicts = [[V::splat(0); W]; N];
        let mut covered = conflicts;
        for i in 0..N {
            for word in 0..W {
                conflicts[i][word] = V::splat(tried[i][word] & once[word]);
            }
        }
        for vector in 0..vectors {
            let mut masks = [V::splat(0); W];
            for word in 0..W {
                masks[word] = options.load(word, vector * V::COUNT);
            }
            for i in 0..N {
                let mut shared = masks[0].and(conflicts[i][0]);
                for word in 1..W {
                    shared = shared.or(masks[word].and(conflicts[i][word]));
                }
                for word in 0..W {
                    covered[i][word] = covered[i][word].or(masks[word].where_zero(shared));
                }
            }
        }
        let mut lost = [0; N];
        for i in 0..N {
            for word in 0..W {
                let mut covered = covered[i][word];
                let mut step = V::COUNT / 2;
                while step > 0 {
                    covered = covered.or(covered.exchange(step));
                    step /= 2;
                }
                lost[i] |= open[word] & !tried[i][word] & !covered.first();
            }
        }
        lost
    }
}

/// The open items with one, two and three options; `None` when one has none.
#[inline(always)]
unsafe fn rare<V: Lanes, const W: usize>(options: Options<'_>, pairs: usize, open: [u64; W]) -> Option<[[u64; W]; 3]> {
    let (mut ones, mut twos, mut threes, mut none) = ([0; W], [0; W], [0; W], 0);
    for word in 0..W {
        // SAFETY: the caller says that there are that many pairs.
        unsafe {
            // The two low bits of counts, and whether they are four or more.
            let (mut low, mut high, mut many) = (V::splat(0), V::splat(0), V::splat(0));
            for pair in 0..pairs {
                let a: V = options.load(word, 2 * pair * V::COUNT);
                let b: V = options.load(word, (2 * pair + 1) * V::COUNT);
                let carry = low.majority(a, b);
                low = low.xor3(a, b);
                many = many.or_both(high, carry);
                high = high.xor(carry);
            }
            let mut step = V::COUNT / 2;
            while step > 0 {
                let (other_low, other_high) = (low.exchange(step), high.exchange(step));
                let carry = low.and(other_low);
                low = low.xor(other_low);
                many = many.or(many.exchange(step)).or(high.majority(other_high, carry));
                high = high.xor3(other_high, carry);
                step /= 2;
            }
            let few = open[word] & !many.first();
            let (low, high) = (low.first(), high.first());
            none |= few & !low & !high;
            ones[word] = few & low & !high;
            twos[word] = few & high & !low;
            threes[word] = few & low & high;
        }
    }
    (none == 0).then_some([ones, twos, threes])
}

/// The first of the open items with fewest options.
#[inline(always)]
unsafe fn fewest<V: Lanes, const W: usize, const PLANES: usize, const ALL: usize>(
    options: Options<'_>,
    pairs: usize,
    open: [u64; W],
) -> usize {
    let mut least = open;
    let mut planes = [[0_u64; ALL]; W];
    for word in 0..W {
        // SAFETY: the caller says that there are that many pairs.
        unsafe {
            let mut lanes = [V::splat(0); ALL];
            for pair in 0..pairs {
                let a: V = options.load(word, 2 * pair * V::COUNT);
                let b: V = options.load(word, (2 * pair + 1) * V::COUNT);
                let mut carry = lanes[0].majority(a, b);
                lanes[0] = lanes[0].xor3(a, b);
                for plane in 1..PLANES {
                    let sum = lanes[plane].xor(carry);
                    carry = lanes[plane].and(carry);
                    lanes[plane] = sum;
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
fn lowest<const W: usize>(items: [u64; W]) -> Option<usize> {
    let word = items.iter().position(|&word| word != 0)?;
    Some(word * 64 + items[word].trailing_zeros() as usize)
}

/// Writes the options that have none of these items, in order and with arrays as long; how many there are.
#[inline(always)]
pub(super) fn filter<V: Lanes, const W: usize>(options: Options<'_>, items: [u64; W], kept: &mut [u64]) -> usize {
    options.check(W);
    assert!(kept.len() >= W * options.stride + PAD);
    // SAFETY: arrays and `kept` are long enough; what is written behind the kept options of an array is inside it, since
    // no more was kept than read, or up to `PAD` zeros behind them.
    unsafe {
        let mut vectors = [V::splat(0); W];
        for word in 0..W {
            vectors[word] = V::splat(items[word]);
        }
        let (mut count, to) = (0, kept.as_mut_ptr());
        for vector in 0..options.count.div_ceil(V::COUNT) {
            let mut masks = [V::splat(0); W];
            let mut shared = V::splat(0);
            for word in 0..W {
                masks[word] = options.load(word, vector * V::COUNT);
                shared = shared.or_both(masks[word], vectors[word]);
            }
            let inside = options.count - vector * V::COUNT;
            let lanes = shared.zeros() & if inside < V::COUNT { (1 << inside) - 1 } else { V::ALL };
            for word in 0..W {
                masks[word].store(lanes, to.add(word * options.stride + count));
            }
            count += lanes.count_ones() as usize;
        }
        for word in 0..W {
            // As many as the last vectors read; they are inside the array, which is longer than its options.
            let behind = (options.stride - count).min(PAD);
            kept[word * options.stride + count..][..behind].fill(0);
        }
        count
    }
}

/// The bits of a word that a mask selects, moved together.
#[inline(always)]
pub(super) fn gather<V: Lanes>(bits: u64, mask: u64) -> u64 {
    // SAFETY: the processor has the instructions.
    unsafe { V::gather(bits, mask) }
}
