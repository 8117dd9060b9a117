//! Floats: eight of AVX2, sixteen of AVX-512. They are made by kernels only, as the doubles are.

use super::{AvxFloats, operator};
use crate::simd::{Floats8, Lanes, MAX_SINGLES, Mask, Singles};
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

#[derive(Clone, Copy)]
pub struct AvxSingles(__m256);

#[derive(Clone, Copy)]
pub struct AvxSinglesMask(__m256);

#[derive(Clone, Copy)]
pub struct Avx512Singles(__m512);

#[derive(Clone, Copy)]
pub struct Avx512SinglesMask(__mmask16);

operator!(AvxSingles, Add, add, _mm256_add_ps);
operator!(AvxSingles, Sub, sub, _mm256_sub_ps);
operator!(AvxSingles, Mul, mul, _mm256_mul_ps);
operator!(AvxSingles, Div, div, _mm256_div_ps);
operator!(AvxSinglesMask, BitAnd, bitand, _mm256_and_ps);
operator!(AvxSinglesMask, BitOr, bitor, _mm256_or_ps);
operator!(Avx512Singles, Add, add, _mm512_add_ps);
operator!(Avx512Singles, Sub, sub, _mm512_sub_ps);
operator!(Avx512Singles, Mul, mul, _mm512_mul_ps);
operator!(Avx512Singles, Div, div, _mm512_div_ps);

impl Not for AvxSinglesMask {
    type Output = AvxSinglesMask;

    #[inline(always)]
    fn not(self) -> AvxSinglesMask {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSinglesMask(unsafe { _mm256_xor_ps(self.0, _mm256_castsi256_ps(_mm256_set1_epi32(-1))) })
    }
}

impl Mask for AvxSinglesMask {
    #[inline(always)]
    fn from_bits(bits: u32) -> AvxSinglesMask {
        // SAFETY: the CPU has AVX2, see the file above
        unsafe {
            let lane = _mm256_set_epi32(128, 64, 32, 16, 8, 4, 2, 1);
            let set = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
            AvxSinglesMask(_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lane)))
        }
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        // SAFETY: the CPU has AVX2, see the file above
        unsafe { _mm256_movemask_ps(self.0) as u32 }
    }
}

impl Lanes for AvxSingles {
    type Mask = AvxSinglesMask;

    const COUNT: usize = 8;
    const UNIT_ROUNDOFF: f64 = (f32::EPSILON / 2.0) as f64;

    #[inline(always)]
    fn splat(value: f64) -> AvxSingles {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSingles(unsafe { _mm256_set1_ps(value as f32) })
    }

    #[inline(always)]
    fn abs(self) -> AvxSingles {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSingles(unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> AvxSingles {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSingles(unsafe { _mm256_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn min(self, other: AvxSingles) -> AvxSingles {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSingles(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: AvxSingles) -> AvxSingles {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSingles(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn gt(self, other: AvxSingles) -> AvxSinglesMask {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSinglesMask(unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(self, mask: AvxSinglesMask, other: AvxSingles) -> AvxSingles {
        // SAFETY: the CPU has AVX2, see the file above
        AvxSingles(unsafe { _mm256_blendv_ps(other.0, self.0, mask.0) })
    }
}

impl Singles for AvxSingles {
    #[inline(always)]
    fn transpose(rows: [&[f32; 8]; MAX_SINGLES]) -> [AvxSingles; 8] {
        let mut eight = [AvxFloats::load(rows[0]); 8];
        for (i, row) in eight.iter_mut().enumerate() {
            *row = AvxFloats::load(rows[i]);
        }
        let [a, b, c, d, e, f, g, h] = AvxFloats::transpose(eight);
        [
            AvxSingles(a.0),
            AvxSingles(b.0),
            AvxSingles(c.0),
            AvxSingles(d.0),
            AvxSingles(e.0),
            AvxSingles(f.0),
            AvxSingles(g.0),
            AvxSingles(h.0),
        ]
    }

    #[inline(always)]
    fn transpose_points(rows: [&[f32; 4]; MAX_SINGLES]) -> [AvxSingles; 4] {
        let mut eight = [rows[0]; 8];
        eight.copy_from_slice(&rows[..8]);
        let [x, y, z, w] = AvxFloats::transpose_points(eight);
        [AvxSingles(x.0), AvxSingles(y.0), AvxSingles(z.0), AvxSingles(w.0)]
    }
}

impl BitAnd for Avx512SinglesMask {
    type Output = Avx512SinglesMask;

    #[inline(always)]
    fn bitand(self, other: Avx512SinglesMask) -> Avx512SinglesMask {
        Avx512SinglesMask(self.0 & other.0)
    }
}

impl BitOr for Avx512SinglesMask {
    type Output = Avx512SinglesMask;

    #[inline(always)]
    fn bitor(self, other: Avx512SinglesMask) -> Avx512SinglesMask {
        Avx512SinglesMask(self.0 | other.0)
    }
}

impl Not for Avx512SinglesMask {
    type Output = Avx512SinglesMask;

    #[inline(always)]
    fn not(self) -> Avx512SinglesMask {
        Avx512SinglesMask(!self.0)
    }
}

impl Mask for Avx512SinglesMask {
    #[inline(always)]
    fn from_bits(bits: u32) -> Avx512SinglesMask {
        Avx512SinglesMask(bits as u16)
    }

    #[inline(always)]
    fn bits(self) -> u32 {
        self.0 as u32
    }
}

impl Lanes for Avx512Singles {
    type Mask = Avx512SinglesMask;

    const COUNT: usize = 16;
    const UNIT_ROUNDOFF: f64 = (f32::EPSILON / 2.0) as f64;

    #[inline(always)]
    fn splat(value: f64) -> Avx512Singles {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512Singles(unsafe { _mm512_set1_ps(value as f32) })
    }

    #[inline(always)]
    fn abs(self) -> Avx512Singles {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512Singles(unsafe { _mm512_abs_ps(self.0) })
    }

    #[inline(always)]
    fn sqrt(self) -> Avx512Singles {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512Singles(unsafe { _mm512_sqrt_ps(self.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx512Singles) -> Avx512Singles {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512Singles(unsafe { _mm512_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx512Singles) -> Avx512Singles {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512Singles(unsafe { _mm512_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn gt(self, other: Avx512Singles) -> Avx512SinglesMask {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512SinglesMask(unsafe { _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, other.0) })
    }

    #[inline(always)]
    fn select(self, mask: Avx512SinglesMask, other: Avx512Singles) -> Avx512Singles {
        // SAFETY: the CPU has AVX-512, see the file above
        Avx512Singles(unsafe { _mm512_mask_blend_ps(mask.0, other.0, self.0) })
    }
}

impl Singles for Avx512Singles {
    #[inline(always)]
    fn transpose(rows: [&[f32; 8]; MAX_SINGLES]) -> [Avx512Singles; 8] {
        // SAFETY: each row has eight floats; the CPU has AVX-512, see the file above
        unsafe {
            // Two rows to a register, so that what the last step puts together is in the right order.
            let mut row = [_mm512_setzero_ps(); 8];
            for (i, place) in row.iter_mut().enumerate() {
                let first = if i < 4 { i } else { i + 4 };
                let lower = _mm512_castps256_ps512(_mm256_loadu_ps(rows[first].as_ptr()));
                *place = _mm512_insertf32x8::<1>(lower, _mm256_loadu_ps(rows[first + 4].as_ptr()));
            }
            let mut columns = [Avx512Singles(row[0]); 8];
            // pairs of rows (their first columns of each four, then their last), pairs of pairs, both halves
            let mut pair = [[_mm512_setzero_ps(); 4]; 2];
            for i in 0..4 {
                pair[0][i] = _mm512_unpacklo_ps(row[2 * i], row[2 * i + 1]);
                pair[1][i] = _mm512_unpackhi_ps(row[2 * i], row[2 * i + 1]);
            }
            for (half, [ab, cd, ef, gh]) in pair.into_iter().enumerate() {
                let (abcd0, abcd1) = (_mm512_shuffle_ps::<0x44>(ab, cd), _mm512_shuffle_ps::<0xee>(ab, cd));
                let (efgh0, efgh1) = (_mm512_shuffle_ps::<0x44>(ef, gh), _mm512_shuffle_ps::<0xee>(ef, gh));
                columns[2 * half] = Avx512Singles(_mm512_shuffle_f32x4::<0x88>(abcd0, efgh0));
                columns[2 * half + 1] = Avx512Singles(_mm512_shuffle_f32x4::<0x88>(abcd1, efgh1));
                columns[2 * half + 4] = Avx512Singles(_mm512_shuffle_f32x4::<0xdd>(abcd0, efgh0));
                columns[2 * half + 5] = Avx512Singles(_mm512_shuffle_f32x4::<0xdd>(abcd1, efgh1));
            }
            columns
        }
    }

    #[inline(always)]
    fn transpose_points(rows: [&[f32; 4]; MAX_SINGLES]) -> [Avx512Singles; 4] {
        // SAFETY: each row has four floats; the CPU has AVX-512, see the file above
        unsafe {
            // Rows i, i + 4, i + 8 and i + 12 to a register, so that each quarter is a transposition of its own.
            let mut row = [_mm512_setzero_ps(); 4];
            for (i, place) in row.iter_mut().enumerate() {
                let mut four = _mm512_castps128_ps512(_mm_loadu_ps(rows[i].as_ptr()));
                four = _mm512_insertf32x4::<1>(four, _mm_loadu_ps(rows[i + 4].as_ptr()));
                four = _mm512_insertf32x4::<2>(four, _mm_loadu_ps(rows[i + 8].as_ptr()));
                *place = _mm512_insertf32x4::<3>(four, _mm_loadu_ps(rows[i + 12].as_ptr()));
            }
            let [a, b, c, d] = row;
            let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
            [
                Avx512Singles(_mm512_shuffle_ps::<0x44>(ab, cd)),
                Avx512Singles(_mm512_shuffle_ps::<0xee>(ab, cd)),
                Avx512Singles(_mm512_shuffle_ps::<0x44>(ab_high, cd_high)),
                Avx512Singles(_mm512_shuffle_ps::<0xee>(ab_high, cd_high)),
            ]
        }
    }
}
