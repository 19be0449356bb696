//! Words side by side, in three instruction sets.

#![allow(unsafe_code)]

use super::general;

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

    /// Does work in a function that is compiled for these instructions, which must be available.
    pub(super) fn perform<W: Work>(self, work: W) -> W::Output {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the processor has the instructions, as `Instructions::available` says.
            Instructions::Avx512 => unsafe { avx512::perform(work) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx2 => unsafe { avx2::perform(work) },
            _ => work.perform::<u64>(),
        }
    }
}

/// What is compiled once for each instruction set. All that is to profit must be inlined into it, and inner closures
/// are not.
pub(super) trait Work {
    type Output;
    fn perform<V: Lanes>(self) -> Self::Output;
}

/// Words side by side.
///
/// # Safety
/// Methods may be called only where the processor has the instructions of the type; `load`, `store`, `keep` and `write`
/// read and write `COUNT` words at the address. Every unsafe block of the implementations relies on that.
pub(super) trait Lanes: Copy {
    /// How many words.
    const COUNT: usize;
    /// A bit for each of them.
    const ALL: u32 = (1 << Self::COUNT) - 1;
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
    /// Writes the lanes whose lane of `test` is zero, in order, and whatever behind them, up to `COUNT` words. Those lanes
    /// alone, in any order among zeros, and how many they are.
    #[inline(always)]
    unsafe fn keep(self, test: Self, to: *mut u64) -> (Self, usize) {
        unsafe {
            let lanes = test.zeros();
            self.store(lanes, to);
            (self.where_zero(test), (lanes & Self::ALL).count_ones() as usize)
        }
    }
    /// Writes all lanes.
    unsafe fn write(self, to: *mut u64);
    /// Each lane exchanged with the one `step` away.
    unsafe fn exchange(self, step: usize) -> Self;
    unsafe fn first(self) -> u64;
    /// The bits that any of the lanes has.
    #[inline(always)]
    unsafe fn union(self) -> u64 {
        unsafe {
            let mut all = self;
            if Self::COUNT > 4 {
                all = all.or(all.exchange(4));
            }
            if Self::COUNT > 2 {
                all = all.or(all.exchange(2));
            }
            if Self::COUNT > 1 {
                all = all.or(all.exchange(1));
            }
            all.first()
        }
    }
    /// The bits that any of the lanes has, of four at once.
    #[inline(always)]
    unsafe fn unions(four: [Self; 4]) -> [u64; 4] {
        unsafe { [four[0].union(), four[1].union(), four[2].union(), four[3].union()] }
    }
    /// The bits of a word that a mask selects, moved together.
    unsafe fn gather(bits: u64, mask: u64) -> u64;
    /// The bits of a word moved apart to where a mask is set: what gathering undoes.
    unsafe fn scatter(bits: u64, mask: u64) -> u64;

    #[inline(always)]
    unsafe fn xor3(self, b: Self, c: Self) -> Self {
        unsafe { self.xor(b).xor(c) }
    }
    #[inline(always)]
    unsafe fn majority(self, b: Self, c: Self) -> Self {
        unsafe { self.and(b).or(c.and(self.or(b))) }
    }
    /// This, or both of the others.
    #[inline(always)]
    unsafe fn or_both(self, b: Self, c: Self) -> Self {
        unsafe { self.or(b.and(c)) }
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
    unsafe fn write(self, to: *mut u64) {
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
    #[inline(always)]
    unsafe fn gather(bits: u64, mask: u64) -> u64 {
        general::gather(bits, mask)
    }
    #[inline(always)]
    unsafe fn scatter(bits: u64, mask: u64) -> u64 {
        general::scatter(bits, mask)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::*;

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn perform<W: Work>(work: W) -> W::Output {
        work.perform::<__m256i>()
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
        unsafe fn write(self, to: *mut u64) {
            unsafe { _mm256_storeu_si256(to.cast(), self) }
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
        #[inline(always)]
        unsafe fn gather(bits: u64, mask: u64) -> u64 {
            unsafe { _pext_u64(bits, mask) }
        }
        #[inline(always)]
        unsafe fn scatter(bits: u64, mask: u64) -> u64 {
            unsafe { _pdep_u64(bits, mask) }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    use super::*;

    #[target_feature(enable = "avx512f,avx2,bmi1,bmi2,popcnt")]
    pub(super) fn perform<W: Work>(work: W) -> W::Output {
        work.perform::<__m512i>()
    }

    /// For each choice of lanes, the order that brings those to the front; behind them, lanes of another vector.
    static TO_FRONT: Orders = Orders({
        let mut table = [[Orders::OTHER; 8]; 256];
        let mut lanes = 0;
        while lanes < 256 {
            let (mut lane, mut at) = (0, 0);
            while lane < 8 {
                if lanes >> lane & 1 == 1 {
                    table[lanes][at] = lane;
                    at += 1;
                }
                lane += 1;
            }
            lanes += 1;
        }
        table
    });

    #[repr(align(64))]
    struct Orders([[u64; 8]; 256]);

    impl Orders {
        const OTHER: u64 = 8;

        /// Those lanes in front, zeros behind. One instruction less than to compress, which takes two.
        #[inline(always)]
        unsafe fn front(&self, lanes: u8, of: __m512i) -> __m512i {
            unsafe {
                let order = _mm512_load_si512(self.0[usize::from(lanes)].as_ptr().cast());
                _mm512_permutex2var_epi64(of, order, _mm512_setzero_si512())
            }
        }
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
            unsafe { TO_FRONT.front(lanes as u8, self).write(to) }
        }
        #[inline(always)]
        unsafe fn keep(self, test: __m512i, to: *mut u64) -> (__m512i, usize) {
            unsafe {
                let lanes = _mm512_testn_epi64_mask(test, test);
                let kept = TO_FRONT.front(lanes, self);
                kept.write(to);
                (kept, lanes.count_ones() as usize)
            }
        }
        #[inline(always)]
        unsafe fn write(self, to: *mut u64) {
            unsafe { _mm512_storeu_si512(to.cast(), self) }
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
        unsafe fn unions([a, b, c, d]: [__m512i; 4]) -> [u64; 4] {
            unsafe {
                // Side by side in pairs, each pair folded twice.
                let [ab, cd] = [[a, b], [c, d]]
                    .map(|[a, b]| _mm512_or_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)));
                let all = _mm512_or_si512(
                    _mm512_shuffle_i64x2::<0b10_00_10_00>(ab, cd),
                    _mm512_shuffle_i64x2::<0b11_01_11_01>(ab, cd),
                );
                let all = all.or(all.exchange(2));
                let mut unions = [0; 8];
                _mm512_shuffle_i64x2::<0b10_00_10_00>(all, all).write(unions.as_mut_ptr());
                [unions[0], unions[1], unions[2], unions[3]]
            }
        }
        #[inline(always)]
        unsafe fn gather(bits: u64, mask: u64) -> u64 {
            unsafe { _pext_u64(bits, mask) }
        }
        #[inline(always)]
        unsafe fn scatter(bits: u64, mask: u64) -> u64 {
            unsafe { _pdep_u64(bits, mask) }
        }
        #[inline(always)]
        unsafe fn xor3(self, b: __m512i, c: __m512i) -> __m512i {
            unsafe { _mm512_ternarylogic_epi64::<0x96>(self, b, c) }
        }
        #[inline(always)]
        unsafe fn majority(self, b: __m512i, c: __m512i) -> __m512i {
            unsafe { _mm512_ternarylogic_epi64::<0xE8>(self, b, c) }
        }
        #[inline(always)]
        unsafe fn or_both(self, b: __m512i, c: __m512i) -> __m512i {
            unsafe { _mm512_ternarylogic_epi64::<0xF8>(self, b, c) }
        }
    }
}
