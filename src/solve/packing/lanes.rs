//! The two innermost steps of the search in three instruction sets, with the same result: to branch, and to filter.
//!
//! To branch is to find the item with fewest options and test each of them: one whose choice leaves an open item
//! without an option is dropped before anything is built for it, which is what happens to most. Items are counted in
//! bit slices: bit `i` of plane `p` is bit `p` of the count of item `i`, so that one addition counts 64 items.

#![allow(unsafe_code)]
#![allow(clippy::needless_range_loop, reason = "loops over words and lanes run in step over several arrays")]

use super::general;
use super::list::PAD;

/// Calls the version of a function for that many words.
macro_rules! by_words {
    ($lanes:ty, $function:ident, $words:expr, $($argument:expr),*) => {
        match $words {
            1 => $function::<$lanes, 1>($($argument),*),
            2 => $function::<$lanes, 2>($($argument),*),
            _ => $function::<$lanes, 4>($($argument),*),
        }
    };
}

/// The instructions that the search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// What every computer has.
    Portable,
    /// 256 bits at a time.
    Avx2,
    /// 512 bits at a time.
    Avx512,
}

impl Instructions {
    /// Those that this computer has, the fastest last.
    pub fn available() -> Vec<Instructions> {
        let mut all = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("bmi1") && has!("bmi2") && has!("popcnt") {
                all.push(Instructions::Avx2);
                if has!("avx512f") {
                    all.push(Instructions::Avx512);
                }
            }
        }
        all
    }

    /// The fastest that this computer has.
    pub fn best() -> Instructions {
        Instructions::available().pop().unwrap_or(Instructions::Portable)
    }
}

/// The options of a node.
#[derive(Clone, Copy)]
pub(super) struct Options<'a> {
    /// Word `w` of option `o` is at `w * stride + o`; zeros behind the last option.
    pub(super) masks: &'a [u64],
    pub(super) stride: usize,
    pub(super) count: usize,
}

/// Tests the options of the open item with fewest, the first such item; writes the masks of those that leave every
/// other open item an option. How many were tested, and how many were written.
///
/// `open` are the items to be used; `once` those that no two options share.
pub(super) fn branch(
    instructions: Instructions,
    options: Options<'_>,
    open: &[u64],
    once: &[u64],
    children: &mut [u64],
) -> (usize, usize) {
    options.check(open.len());
    assert!(once.len() == open.len() && children.len() >= open.len() * options.count + PAD);
    match (instructions, open.len()) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has the instructions, as `Instructions::available` says, and lengths were checked.
        (Instructions::Avx512, 1 | 2 | 4) => unsafe { avx512::branch(options, open, once, children) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        (Instructions::Avx2, 1 | 2 | 4) => unsafe { avx2::branch(options, open, once, children) },
        // SAFETY: lengths were checked.
        (_, 1 | 2 | 4) => unsafe { by_words!(u64, branch_with, open.len(), options, open, once, children) },
        _ => general::branch(options, open, once, children),
    }
}

/// Writes the options that have none of these items, in order and with arrays as long; how many there are.
pub(super) fn filter(instructions: Instructions, options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
    options.check(items.len());
    assert!(kept.len() >= items.len() * options.stride);
    let count = match (instructions, items.len()) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has the instructions, as `Instructions::available` says, and lengths were checked.
        (Instructions::Avx512, 1 | 2 | 4) => unsafe { avx512::filter(options, items, kept) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        (Instructions::Avx2, 1 | 2 | 4) => unsafe { avx2::filter(options, items, kept) },
        // SAFETY: lengths were checked.
        (_, 1 | 2 | 4) => unsafe { by_words!(u64, filter_with, items.len(), options, items, kept) },
        _ => general::filter(options, items, kept),
    };
    for word in 0..items.len() {
        // As many as the last vectors read; they are inside the array, which is longer than its options.
        let behind = (options.stride - count).min(PAD);
        kept[word * options.stride + count..][..behind].fill(0);
    }
    count
}

/// The bits of a word that a mask selects, moved together.
pub(super) type Gather = fn(u64, u64) -> u64;

/// The fastest way to gather bits.
pub(super) fn gather(instructions: Instructions) -> Gather {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has the instruction, as `Instructions::available` says.
        Instructions::Avx2 | Instructions::Avx512 => |bits, mask| unsafe { avx2::gather(bits, mask) },
        _ => general::gather,
    }
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

/// Words side by side.
trait Lanes: Copy {
    const COUNT: usize;
    unsafe fn load(from: *const u64) -> Self;
    unsafe fn splat(word: u64) -> Self;
    unsafe fn and(self, other: Self) -> Self;
    unsafe fn or(self, other: Self) -> Self;
    unsafe fn xor(self, other: Self) -> Self;
    /// The lanes whose lane of `test` is zero; zero in the others.
    unsafe fn where_zero(self, test: Self) -> Self;
    /// A bit for each lane: whether it is zero.
    unsafe fn zeros(self) -> u32;
    /// Writes the lanes that bits select, in order, and whatever behind them, up to `COUNT` words.
    unsafe fn store(self, lanes: u32, to: *mut u64);
    /// Each lane exchanged with the one `step` away.
    unsafe fn exchange(self, step: usize) -> Self;
    unsafe fn first(self) -> u64;

    #[inline(always)]
    unsafe fn xor3(self, b: Self, c: Self) -> Self {
        unsafe { self.xor(b).xor(c) }
    }
    #[inline(always)]
    unsafe fn majority(self, b: Self, c: Self) -> Self {
        unsafe { self.and(b).or(c.and(self.or(b))) }
    }
}

#[inline(always)]
unsafe fn branch_with<V: Lanes, const W: usize>(
    options: Options<'_>,
    open: &[u64],
    once: &[u64],
    children: &mut [u64],
) -> (usize, usize) {
    let open: [u64; W] = std::array::from_fn(|word| open[word]);
    let once: [u64; W] = std::array::from_fn(|word| once[word]);
    // Two vectors are added at a time; arrays are padded for that.
    let pairs = options.count.div_ceil(2 * V::COUNT);
    // SAFETY: `pairs` pairs are inside the arrays; planes hold counts up to the number of vectors.
    let item = unsafe {
        match 2 * pairs {
            0..4 => fewest::<V, W, 2, 5>(options, pairs, open),
            4..8 => fewest::<V, W, 3, 6>(options, pairs, open),
            8..16 => fewest::<V, W, 4, 7>(options, pairs, open),
            16..32 => fewest::<V, W, 5, 8>(options, pairs, open),
            32..64 => fewest::<V, W, 6, 9>(options, pairs, open),
            64..256 => fewest::<V, W, 8, 11>(options, pairs, open),
            _ => fewest::<V, W, 24, 27>(options, pairs, open),
        }
    };
    let Some(item) = item else { return (0, 0) };
    let vectors = options.count.div_ceil(V::COUNT);
    let tested = gather_options::<V, W>(options, vectors, item, children);
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
    (tested, written)
}

/// Writes the masks of the options that have an item; how many there are.
#[inline(always)]
fn gather_options<V: Lanes, const W: usize>(
    options: Options<'_>,
    vectors: usize,
    item: usize,
    children: &mut [u64],
) -> usize {
    let mut count = 0;
    for vector in 0..vectors {
        // SAFETY: `vector` is inside the arrays; what is written behind the last mask is inside `children`, as `branch`
        // checked.
        let mut with = unsafe {
            let masks: V = options.load(item / 64, vector * V::COUNT);
            let with = !masks.and(V::splat(1 << (item % 64))).zeros() & lanes_of::<V>();
            if W == 1 {
                // No branch: which vectors have one is as good as random.
                masks.store(with, children.as_mut_ptr().add(count));
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

#[inline(always)]
fn lanes_of<V: Lanes>() -> u32 {
    (1 << V::COUNT) - 1
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

/// The first of the open items with fewest options; `None` when that has none.
#[inline(always)]
unsafe fn fewest<V: Lanes, const W: usize, const PLANES: usize, const ALL: usize>(
    options: Options<'_>,
    pairs: usize,
    open: [u64; W],
) -> Option<usize> {
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
    let (mut least, mut is_some) = (open, 0);
    for plane in (0..ALL).rev() {
        let without: [u64; W] = std::array::from_fn(|word| least[word] & !planes[word][plane]);
        let any = without.iter().fold(0, |any, word| any | word);
        is_some |= u64::from(any == 0);
        least = if any == 0 { least } else { without };
    }
    let word = least.iter().position(|&word| word != 0)?;
    (is_some != 0).then(|| word * 64 + least[word].trailing_zeros() as usize)
}

#[inline(always)]
unsafe fn filter_with<V: Lanes, const W: usize>(options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
    // SAFETY: the caller checked that arrays and `kept` are long enough; what is written behind the kept options of an
    // array is inside it, since no more was kept than read.
    unsafe {
        let items: [V; W] = std::array::from_fn(|word| V::splat(items[word]));
        let (mut count, to) = (0, kept.as_mut_ptr());
        for vector in 0..options.count.div_ceil(V::COUNT) {
            let masks: [V; W] = std::array::from_fn(|word| options.load(word, vector * V::COUNT));
            let mut shared = masks[0].and(items[0]);
            for word in 1..W {
                shared = shared.or(masks[word].and(items[word]));
            }
            let inside = options.count - vector * V::COUNT;
            let lanes = shared.zeros() & if inside < V::COUNT { (1 << inside) - 1 } else { lanes_of::<V>() };
            for word in 0..W {
                masks[word].store(lanes, to.add(word * options.stride + count));
            }
            count += lanes.count_ones() as usize;
        }
        count
    }
}

impl Lanes for u64 {
    const COUNT: usize = 1;
    #[inline(always)]
    unsafe fn load(from: *const u64) -> u64 {
        unsafe { *from }
    }
    #[inline(always)]
    unsafe fn splat(word: u64) -> u64 {
        word
    }
    #[inline(always)]
    unsafe fn and(self, other: u64) -> u64 {
        self & other
    }
    #[inline(always)]
    unsafe fn or(self, other: u64) -> u64 {
        self | other
    }
    #[inline(always)]
    unsafe fn xor(self, other: u64) -> u64 {
        self ^ other
    }
    #[inline(always)]
    unsafe fn where_zero(self, test: u64) -> u64 {
        self & u64::from(test != 0).wrapping_sub(1)
    }
    #[inline(always)]
    unsafe fn zeros(self) -> u32 {
        u32::from(self == 0)
    }
    #[inline(always)]
    unsafe fn store(self, _: u32, to: *mut u64) {
        unsafe { *to = self }
    }
    #[inline(always)]
    unsafe fn exchange(self, _: usize) -> u64 {
        self
    }
    #[inline(always)]
    unsafe fn first(self) -> u64 {
        self
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    #[target_feature(enable = "bmi2")]
    pub(super) fn gather(bits: u64, mask: u64) -> u64 {
        _pext_u64(bits, mask)
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    pub(super) unsafe fn branch(
        options: Options<'_>,
        open: &[u64],
        once: &[u64],
        children: &mut [u64],
    ) -> (usize, usize) {
        unsafe { by_words!(__m256i, branch_with, open.len(), options, open, once, children) }
    }

    #[target_feature(enable = "avx2,bmi1,popcnt")]
    pub(super) unsafe fn filter(options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
        unsafe { by_words!(__m256i, filter_with, items.len(), options, items, kept) }
    }

    /// For each choice of four lanes, the order of their halves that brings those to the front.
    static TO_FRONT: [[u32; 8]; 16] = {
        let mut table = [[0; 8]; 16];
        let mut lanes = 0;
        while lanes < 16 {
            let (mut lane, mut at) = (0, 0);
            while lane < 4 {
                if lanes >> lane & 1 == 1 {
                    table[lanes][at] = 2 * lane;
                    table[lanes][at + 1] = 2 * lane + 1;
                    at += 2;
                }
                lane += 1;
            }
            lanes += 1;
        }
        table
    };

    impl Lanes for __m256i {
        const COUNT: usize = 4;
        #[inline(always)]
        unsafe fn load(from: *const u64) -> __m256i {
            unsafe { _mm256_loadu_si256(from.cast()) }
        }
        #[inline(always)]
        unsafe fn splat(word: u64) -> __m256i {
            unsafe { _mm256_set1_epi64x(word as i64) }
        }
        #[inline(always)]
        unsafe fn and(self, other: __m256i) -> __m256i {
            unsafe { _mm256_and_si256(self, other) }
        }
        #[inline(always)]
        unsafe fn or(self, other: __m256i) -> __m256i {
            unsafe { _mm256_or_si256(self, other) }
        }
        #[inline(always)]
        unsafe fn xor(self, other: __m256i) -> __m256i {
            unsafe { _mm256_xor_si256(self, other) }
        }
        #[inline(always)]
        unsafe fn where_zero(self, test: __m256i) -> __m256i {
            unsafe { _mm256_and_si256(self, _mm256_cmpeq_epi64(test, _mm256_setzero_si256())) }
        }
        #[inline(always)]
        unsafe fn zeros(self) -> u32 {
            unsafe {
                let zeros = _mm256_cmpeq_epi64(self, _mm256_setzero_si256());
                _mm256_movemask_pd(_mm256_castsi256_pd(zeros)) as u32
            }
        }
        #[inline(always)]
        unsafe fn store(self, lanes: u32, to: *mut u64) {
            unsafe {
                let order = _mm256_loadu_si256(TO_FRONT[lanes as usize & 15].as_ptr().cast());
                _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(self, order));
            }
        }
        #[inline(always)]
        unsafe fn exchange(self, step: usize) -> __m256i {
            unsafe {
                match step {
                    2 => _mm256_permute4x64_epi64::<0b01_00_11_10>(self),
                    _ => _mm256_shuffle_epi32::<0b01_00_11_10>(self),
                }
            }
        }
        #[inline(always)]
        unsafe fn first(self) -> u64 {
            unsafe { _mm_cvtsi128_si64(_mm256_castsi256_si128(self)) as u64 }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::*;

    #[target_feature(enable = "avx512f,avx2,bmi1,popcnt")]
    pub(super) unsafe fn branch(
        options: Options<'_>,
        open: &[u64],
        once: &[u64],
        children: &mut [u64],
    ) -> (usize, usize) {
        unsafe { by_words!(__m512i, branch_with, open.len(), options, open, once, children) }
    }

    #[target_feature(enable = "avx512f,avx2,bmi1,popcnt")]
    pub(super) unsafe fn filter(options: Options<'_>, items: &[u64], kept: &mut [u64]) -> usize {
        unsafe { by_words!(__m512i, filter_with, items.len(), options, items, kept) }
    }

    impl Lanes for __m512i {
        const COUNT: usize = 8;
        #[inline(always)]
        unsafe fn load(from: *const u64) -> __m512i {
            unsafe { _mm512_loadu_si512(from.cast()) }
        }
        #[inline(always)]
        unsafe fn splat(word: u64) -> __m512i {
            unsafe { _mm512_set1_epi64(word as i64) }
        }
        #[inline(always)]
        unsafe fn and(self, other: __m512i) -> __m512i {
            unsafe { _mm512_and_si512(self, other) }
        }
        #[inline(always)]
        unsafe fn or(self, other: __m512i) -> __m512i {
            unsafe { _mm512_or_si512(self, other) }
        }
        #[inline(always)]
        unsafe fn xor(self, other: __m512i) -> __m512i {
            unsafe { _mm512_xor_si512(self, other) }
        }
        #[inline(always)]
        unsafe fn where_zero(self, test: __m512i) -> __m512i {
            unsafe { _mm512_maskz_mov_epi64(_mm512_testn_epi64_mask(test, test), self) }
        }
        #[inline(always)]
        unsafe fn zeros(self) -> u32 {
            unsafe { u32::from(_mm512_testn_epi64_mask(self, self)) }
        }
        #[inline(always)]
        unsafe fn store(self, lanes: u32, to: *mut u64) {
            // Compressing in a register and writing all of it is faster than compressing into memory.
            unsafe { _mm512_storeu_si512(to.cast(), _mm512_maskz_compress_epi64(lanes as u8, self)) }
        }
        #[inline(always)]
        unsafe fn exchange(self, step: usize) -> __m512i {
            unsafe {
                match step {
                    4 => _mm512_shuffle_i64x2::<0b01_00_11_10>(self, self),
                    2 => _mm512_shuffle_i64x2::<0b10_11_00_01>(self, self),
                    _ => _mm512_shuffle_epi32::<0b01_00_11_10>(self),
                }
            }
        }
        #[inline(always)]
        unsafe fn first(self) -> u64 {
            unsafe { _mm_cvtsi128_si64(_mm512_castsi512_si128(self)) as u64 }
        }
        #[inline(always)]
        unsafe fn xor3(self, b: __m512i, c: __m512i) -> __m512i {
            unsafe { _mm512_ternarylogic_epi64::<0x96>(self, b, c) }
        }
        #[inline(always)]
        unsafe fn majority(self, b: __m512i, c: __m512i) -> __m512i {
            unsafe { _mm512_ternarylogic_epi64::<0xE8>(self, b, c) }
        }
    }
}
