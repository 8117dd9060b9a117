//! AVX2 (four doubles) and AVX-512 (eight doubles).
//!
//! Values of these types are made by kernels only, and kernels run only through the two functions `run_*`, which
//! [`super::dispatch`] calls after it has checked the CPU. That is the reason why every intrinsic below is safe to call.

mod singles;

use super::{Doubles, Floats8, Kernel, Lanes, MAX_LANES, Mask, SET_LANES, set_places};
use singles::{Avx512Singles, AvxSingles};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

/// # Safety
///
/// The CPU has AVX2 and the instructions that came with it (BMI1, BMI2, LZCNT, POPCNT).
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// # Safety
///
/// The CPU has AVX-512 F, DQ and VL, and what [`run_avx2`] needs.
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub unsafe fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    let start = place.cast::<i8>();
    for line in (0..size_of::<T>()).step_by(64) {
        // SAFETY: every x86-64 CPU has SSE; nothing is read or written, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line)) };
    }
}

#[derive(Clone, Copy)]
pub struct Avx2(__m256d);

#[derive(Clone, Copy)]
pub struct Avx2Mask(__m256d);

#[derive(Clone, Copy)]
pub struct Avx512(__m512d);

#[derive(Clone, Copy)]
pub struct Avx512Mask(__mmask8);

impl Avx2 {
    pub fn is_supported() -> bool {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
    }
}

impl Avx512 {
    pub fn is_supported() -> bool {
        Avx2::is_supported()
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
    }
}

/// Implements a binary operator with an intrinsic.
macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident, $intrinsic:ident) => {
        impl $trait for $type {
            type Output = $type;

            #[inline(always)]
            fn $method(self, other: $type) -> $type {
                // SAFETY: the CPU has the instruction set, see the top of the file
                $type(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    };
}

use operator;

operator!(Avx2, Add, add, _mm256_add_pd);
operator!(Avx2, Sub, sub, _mm256_sub_pd);
operator!(Avx2, Mul, mul, _mm256_mul_pd);
operator!(Avx2, Div, div, _mm256_div_pd);
operator!(Avx2Mask, BitAnd, bitand, _mm256_and_pd);
operator!(Avx2Mask, BitOr, bitor, _mm256_or_pd);
operator!(Avx512, Add, add, _mm512_add_pd);
operator!(Avx512, Sub, sub, _mm512_sub_pd);
operator!(Avx512, Mul, mul, _mm512_mul_pd);
operator!(Avx512, Div, div, _mm512_div_pd);

impl Not for Avx2Mask {
    type Output = Avx2Mask;

    #[inline(always)]
    fn not(self) -> Avx2Mask {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2Mask(unsafe { _mm256_xor_pd(self.0, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))) })
    }
}

impl Mask for Avx2Mask {
    #[inline(always)]
    fn from_bits(bits: u32) -> Avx2Mask {
        // SAFETY: the CPU has AVX2, see the top of the file
        unsafe {
            let lane = _mm256_set_epi64x(8, 4, 2, 1);
            let set = _mm256_and_si256(_mm256_set1_epi64x(bits as i64), lane);
            Avx2Mask(_mm256_castsi256_pd(_mm256_cmpeq_epi64(set, lane)))
        }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: the CPU has AVX2, see the top of the file
        unsafe { _mm256_movemask_pd(self.0) as u32 }
    }
}

impl Lanes for Avx2 {
    type Mask = Avx2Mask;

    const COUNT: usize = 4;
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

    #[inline(always)]
    fn splat(value: f64) -> Avx2 {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_set1_pd(value) })
    }

    #[inline(always)]
    fn abs(self) -> Avx2 {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Avx2 {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn gt(self, other: Avx2) -> Avx2Mask {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2Mask(unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(self, mask: Avx2Mask, other: Avx2) -> Avx2 {
        // SAFETY: the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_blendv_pd(other.0, self.0, mask.0) })
    }
}

impl Doubles for Avx2 {
    type Floats = AvxFloats;
    type Singles = AvxSingles;

    #[inline(always)]
    fn load(values: &[f64]) -> Avx2 {
        let values = &values[..4];
        // SAFETY: four numbers are there; the CPU has AVX2, see the top of the file
        Avx2(unsafe { _mm256_loadu_pd(values.as_ptr()) })
    }

    #[inline(always)]
    fn to_array(self) -> [f64; MAX_LANES] {
        let mut array = [0.0; MAX_LANES];
        // SAFETY: the array is longer than four; the CPU has AVX2, see the top of the file
        unsafe { _mm256_storeu_pd(array.as_mut_ptr(), self.0) };
        array
    }

    #[inline(always)]
    fn transpose<const N: usize>(rows: [&[f64; N]; MAX_LANES]) -> [Avx2; N] {
        let mut columns = [Avx2::splat(0.0); N];
        for (first, group) in columns.chunks_exact_mut(4).enumerate() {
            // SAFETY: the CPU has AVX2, see the top of the file
            unsafe {
                let (a, b) = (Avx2::load(&rows[0][4 * first..]).0, Avx2::load(&rows[1][4 * first..]).0);
                let (c, d) = (Avx2::load(&rows[2][4 * first..]).0, Avx2::load(&rows[3][4 * first..]).0);
                let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
                let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
                group[0] = Avx2(_mm256_permute2f128_pd::<0x20>(ab_even, cd_even));
                group[1] = Avx2(_mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd));
                group[2] = Avx2(_mm256_permute2f128_pd::<0x31>(ab_even, cd_even));
                group[3] = Avx2(_mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd));
            }
        }
        columns
    }
}

impl BitAnd for Avx512Mask {
    type Output = Avx512Mask;

    #[inline(always)]
    fn bitand(self, other: Avx512Mask) -> Avx512Mask {
        Avx512Mask(self.0 & other.0)
    }
}

impl BitOr for Avx512Mask {
    type Output = Avx512Mask;

    #[inline(always)]
    fn bitor(self, other: Avx512Mask) -> Avx512Mask {
        Avx512Mask(self.0 | other.0)
    }
}

impl Not for Avx512Mask {
    type Output = Avx512Mask;

    #[inline(always)]
    fn not(self) -> Avx512Mask {
        Avx512Mask(!self.0)
    }
}

impl Mask for Avx512Mask {
    #[inline(always)]
    fn from_bits(bits: u32) -> Avx512Mask {
        Avx512Mask(bits as u8)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0 as u32
    }
}

impl Lanes for Avx512 {
    type Mask = Avx512Mask;

    const COUNT: usize = 8;
    const UNIT_ROUNDOFF: f64 = f64::EPSILON / 2.0;

    #[inline(always)]
    fn splat(value: f64) -> Avx512 {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_set1_pd(value) })
    }

    #[inline(always)]
    fn abs(self) -> Avx512 {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_abs_pd(self.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Avx512 {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx512) -> Avx512 {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx512) -> Avx512 {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn gt(self, other: Avx512) -> Avx512Mask {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512Mask(unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(self, mask: Avx512Mask, other: Avx512) -> Avx512 {
        // SAFETY: the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_mask_blend_pd(mask.0, other.0, self.0) })
    }
}

impl Doubles for Avx512 {
    type Floats = AvxFloats;
    type Singles = Avx512Singles;

    #[inline(always)]
    fn load(values: &[f64]) -> Avx512 {
        let values = &values[..8];
        // SAFETY: eight numbers are there; the CPU has AVX-512, see the top of the file
        Avx512(unsafe { _mm512_loadu_pd(values.as_ptr()) })
    }

    #[inline(always)]
    fn to_array(self) -> [f64; MAX_LANES] {
        let mut array = [0.0; MAX_LANES];
        // SAFETY: the array has eight numbers; the CPU has AVX-512, see the top of the file
        unsafe { _mm512_storeu_pd(array.as_mut_ptr(), self.0) };
        array
    }

    #[inline(always)]
    fn transpose<const N: usize>(rows: [&[f64; N]; MAX_LANES]) -> [Avx512; N] {
        let mut columns = [Avx512::splat(0.0); N];
        for (first, group) in columns.chunks_exact_mut(8).enumerate() {
            // SAFETY: the CPU has AVX-512, see the top of the file
            unsafe {
                // pairs of rows (their even columns, then their odd ones), pairs of pairs, both halves
                let mut pair = [[_mm512_setzero_pd(); 4]; 2];
                for i in 0..4 {
                    let upper = Avx512::load(&rows[2 * i][8 * first..]).0;
                    let lower = Avx512::load(&rows[2 * i + 1][8 * first..]).0;
                    pair[0][i] = _mm512_unpacklo_pd(upper, lower);
                    pair[1][i] = _mm512_unpackhi_pd(upper, lower);
                }
                for (parity, [a, b, c, d]) in pair.into_iter().enumerate() {
                    let (ab_low, ab_high) =
                        (_mm512_shuffle_f64x2::<0x88>(a, b), _mm512_shuffle_f64x2::<0xdd>(a, b));
                    let (cd_low, cd_high) =
                        (_mm512_shuffle_f64x2::<0x88>(c, d), _mm512_shuffle_f64x2::<0xdd>(c, d));
                    group[parity] = Avx512(_mm512_shuffle_f64x2::<0x88>(ab_low, cd_low));
                    group[parity + 2] = Avx512(_mm512_shuffle_f64x2::<0x88>(ab_high, cd_high));
                    group[parity + 4] = Avx512(_mm512_shuffle_f64x2::<0xdd>(ab_low, cd_low));
                    group[parity + 6] = Avx512(_mm512_shuffle_f64x2::<0xdd>(ab_high, cd_high));
                }
            }
        }
        columns
    }
}

/// Bits 0 … 2 are the place in a row, bit 3 is the row.
#[derive(Clone, Copy)]
pub struct AvxPlaces(__m256i);

/// Eight floats of AVX2; the AVX-512 level uses them, too.
#[derive(Clone, Copy)]
pub struct AvxFloats(__m256);

impl Floats8 for AvxFloats {
    type Places = AvxPlaces;

    #[inline(always)]
    fn splat(value: f32) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_set1_ps(value) })
    }

    #[inline(always)]
    fn load(values: &[f32; 8]) -> AvxFloats {
        // SAFETY: eight numbers are there; the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_loadu_ps(values.as_ptr()) })
    }

    #[inline(always)]
    fn add(self, other: AvxFloats) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn sub(self, other: AvxFloats) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn mul(self, other: AvxFloats) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn div(self, other: AvxFloats) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn to_array(self) -> [f32; 8] {
        let mut array = [0.0; 8];
        // SAFETY: the array has eight numbers; the CPU has AVX2, see the top of the file
        unsafe { _mm256_storeu_ps(array.as_mut_ptr(), self.0) };
        array
    }

    #[inline(always)]
    fn min(self, other: AvxFloats) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: AvxFloats) -> AvxFloats {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxFloats(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn greater(self, other: AvxFloats) -> u32 {
        // SAFETY: the CPU has AVX2, see the top of the file
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0)) as u32 }
    }

    #[inline(always)]
    fn equal(numbers: &[u32; 8], number: u32) -> u32 {
        // SAFETY: eight numbers are there; the CPU has AVX2, see the top of the file
        unsafe {
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            let equal = _mm256_cmpeq_epi32(numbers, _mm256_set1_epi32(number as i32));
            _mm256_movemask_ps(_mm256_castsi256_ps(equal)) as u32
        }
    }

    #[inline(always)]
    fn equal_to_any(rows: &[[u32; 8]; 3], numbers: [u32; 3]) -> [u32; 2] {
        // SAFETY: eight numbers are in each row; the CPU has AVX2, see the top of the file
        unsafe {
            let [mut any, mut low] = [_mm256_setzero_si256(); 2];
            for number in numbers {
                let number = _mm256_set1_epi32(number as i32);
                let mut equal = _mm256_setzero_si256();
                for row in rows {
                    let row = _mm256_loadu_si256(row.as_ptr().cast());
                    equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(row, number));
                }
                any = _mm256_or_si256(any, equal);
                // Of each lane only the highest bit is looked at.
                low = _mm256_or_si256(low, _mm256_andnot_si256(number, equal));
            }
            [any, low].map(|lanes| _mm256_movemask_ps(_mm256_castsi256_ps(lanes)) as u32)
        }
    }

    #[inline(always)]
    fn compress(numbers: &[u32; 8], lanes: u32) -> [u32; 8] {
        let mut set = [0; 8];
        // SAFETY: eight numbers, and room for as many; a row of the table has eight bytes; the CPU has AVX2, see the top of the file
        unsafe {
            let row = _mm_loadl_epi64(SET_LANES[lanes as usize & 0xff].as_ptr().cast());
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            let picked = _mm256_permutevar8x32_epi32(numbers, _mm256_cvtepu8_epi32(row));
            _mm256_storeu_si256(set.as_mut_ptr().cast(), picked);
        }
        set
    }

    #[inline(always)]
    fn places(lanes: u32) -> AvxPlaces {
        // SAFETY: the CPU has AVX2, see the top of the file
        AvxPlaces(unsafe { _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(set_places(lanes) as i64)) })
    }

    #[inline(always)]
    fn pick(low: &[f32; 8], high: &[f32; 8], places: AvxPlaces) -> [f32; 8] {
        // SAFETY: eight numbers are in each row; the CPU has AVX2, see the top of the file
        unsafe {
            let (low, high) = (_mm256_loadu_ps(low.as_ptr()), _mm256_loadu_ps(high.as_ptr()));
            AvxFloats(pick(low, high, places)).to_array()
        }
    }

    #[inline(always)]
    fn pick_numbers(low: &[u32; 8], high: &[u32; 8], places: AvxPlaces) -> [u32; 8] {
        let mut picked = [0; 8];
        // SAFETY: eight numbers are in each row, and there is room for as many; the CPU has AVX2, see the top of the file
        unsafe {
            let (low, high) = (_mm256_loadu_ps(low.as_ptr().cast()), _mm256_loadu_ps(high.as_ptr().cast()));
            _mm256_storeu_ps(picked.as_mut_ptr().cast(), pick(low, high, places));
        }
        picked
    }

    #[inline(always)]
    fn transpose(rows: [AvxFloats; 8]) -> [AvxFloats; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        // SAFETY: the CPU has AVX2, see the top of the file
        unsafe {
            // pairs of rows, pairs of pairs, both halves
            let (ab_low, ab_high) = (_mm256_unpacklo_ps(a.0, b.0), _mm256_unpackhi_ps(a.0, b.0));
            let (cd_low, cd_high) = (_mm256_unpacklo_ps(c.0, d.0), _mm256_unpackhi_ps(c.0, d.0));
            let (ef_low, ef_high) = (_mm256_unpacklo_ps(e.0, f.0), _mm256_unpackhi_ps(e.0, f.0));
            let (gh_low, gh_high) = (_mm256_unpacklo_ps(g.0, h.0), _mm256_unpackhi_ps(g.0, h.0));
            let upper = [
                _mm256_shuffle_ps::<0x44>(ab_low, cd_low),
                _mm256_shuffle_ps::<0xee>(ab_low, cd_low),
                _mm256_shuffle_ps::<0x44>(ab_high, cd_high),
                _mm256_shuffle_ps::<0xee>(ab_high, cd_high),
            ];
            let lower = [
                _mm256_shuffle_ps::<0x44>(ef_low, gh_low),
                _mm256_shuffle_ps::<0xee>(ef_low, gh_low),
                _mm256_shuffle_ps::<0x44>(ef_high, gh_high),
                _mm256_shuffle_ps::<0xee>(ef_high, gh_high),
            ];
            [
                AvxFloats(_mm256_permute2f128_ps::<0x20>(upper[0], lower[0])),
                AvxFloats(_mm256_permute2f128_ps::<0x20>(upper[1], lower[1])),
                AvxFloats(_mm256_permute2f128_ps::<0x20>(upper[2], lower[2])),
                AvxFloats(_mm256_permute2f128_ps::<0x20>(upper[3], lower[3])),
                AvxFloats(_mm256_permute2f128_ps::<0x31>(upper[0], lower[0])),
                AvxFloats(_mm256_permute2f128_ps::<0x31>(upper[1], lower[1])),
                AvxFloats(_mm256_permute2f128_ps::<0x31>(upper[2], lower[2])),
                AvxFloats(_mm256_permute2f128_ps::<0x31>(upper[3], lower[3])),
            ]
        }
    }

    #[inline(always)]
    fn transpose_points(rows: [&[f32; 4]; 8]) -> [AvxFloats; 4] {
        // SAFETY: each row has four floats; the CPU has AVX2, see the top of the file
        unsafe {
            // Row i and row i + 4 to a register, so that each half is a transposition of its own.
            let mut row = [_mm256_setzero_ps(); 4];
            for (i, place) in row.iter_mut().enumerate() {
                *place = _mm256_loadu2_m128(rows[i + 4].as_ptr(), rows[i].as_ptr());
            }
            let [a, b, c, d] = row;
            let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            [
                AvxFloats(_mm256_shuffle_ps::<0x44>(ab, cd)),
                AvxFloats(_mm256_shuffle_ps::<0xee>(ab, cd)),
                AvxFloats(_mm256_shuffle_ps::<0x44>(ab_high, cd_high)),
                AvxFloats(_mm256_shuffle_ps::<0xee>(ab_high, cd_high)),
            ]
        }
    }

    #[inline(always)]
    fn round_down(values: &[f64; 8]) -> (AvxFloats, AvxFloats) {
        // SAFETY: eight numbers are there; the CPU has AVX2, see the top of the file
        unsafe {
            let (low, high) = (_mm256_loadu_pd(values.as_ptr()), _mm256_loadu_pd(values.as_ptr().add(4)));
            let (nearest_low, nearest_high) = (_mm256_cvtpd_ps(low), _mm256_cvtpd_ps(high));
            let (back_low, back_high) = (_mm256_cvtps_pd(nearest_low), _mm256_cvtps_pd(nearest_high));
            let above = narrow_masks(
                _mm256_cmp_pd::<_CMP_GT_OQ>(back_low, low),
                _mm256_cmp_pd::<_CMP_GT_OQ>(back_high, high),
            );
            let below = narrow_masks(
                _mm256_cmp_pd::<_CMP_LT_OQ>(back_low, low),
                _mm256_cmp_pd::<_CMP_LT_OQ>(back_high, high),
            );
            let nearest = _mm256_castps_si256(_mm256_set_m128(nearest_high, nearest_low));
            let negative = _mm256_xor_si256(nearest, _mm256_set1_epi32(i32::MIN));
            // From a float to the next lower one is one step in its bits: up if it is negative, else down. That holds for infinities. A zero that is above its
            // number came from a negative one and has its sign; a zero below came from a positive one, and its negative has a sign.
            let sign = _mm256_srai_epi32::<31>(nearest);
            let step = _mm256_sub_epi32(_mm256_set1_epi32(-1), _mm256_add_epi32(sign, sign));
            let lower = _mm256_add_epi32(nearest, _mm256_and_si256(step, above));
            let upper = _mm256_sub_epi32(negative, _mm256_and_si256(step, below));
            let zero = _mm256_setzero_ps();
            // adding zero makes zeros positive
            (
                AvxFloats(_mm256_add_ps(_mm256_castsi256_ps(lower), zero)),
                AvxFloats(_mm256_add_ps(_mm256_castsi256_ps(upper), zero)),
            )
        }
    }
}

/// What is in these places of two rows.
///
/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn pick(low: __m256, high: __m256, AvxPlaces(places): AvxPlaces) -> __m256 {
    // SAFETY: promised by the caller.
    unsafe {
        let (low, high) = (_mm256_permutevar8x32_ps(low, places), _mm256_permutevar8x32_ps(high, places));
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(_mm256_slli_epi32::<28>(places)))
    }
}

/// Eight masks of 64 bits as eight of 32.
///
/// # Safety
///
/// The CPU has AVX2.
#[inline(always)]
unsafe fn narrow_masks(low: __m256d, high: __m256d) -> __m256i {
    // SAFETY: promised by the caller.
    unsafe {
        let halves = _mm256_shuffle_ps::<0x88>(_mm256_castpd_ps(low), _mm256_castpd_ps(high));
        _mm256_permute4x64_epi64::<0xd8>(_mm256_castps_si256(halves))
    }
}
