//! Several numbers at once: one trait, one implementation for each instruction set, chosen once at run time.
//!
//! Kernels are written once, generic over [`Lanes`] or [`Doubles`], and entered through [`dispatch`]. The scalar implementation
//! is a plain `f64`: the readable one, and the oracle of the others. Only operations that IEEE 754 defines exactly
//! are offered (no fused multiply-add, no reciprocal estimate) and lanes never see each other, so a query
//! gets the same bits from every level and in every lane.
//!
//! Kernels and the methods they call are `#[inline(always)]`: a function compiled for an instruction set can
//! use it only in code that is inlined into it.

mod float_env;
mod scalar;
#[cfg(target_arch = "x86_64")]
#[cfg_attr(pccd_tsan, allow(dead_code, reason = "only its prefetch is used"))]
mod x86;

pub use float_env::StandardFloats;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

/// Some numbers, doubles or floats, one to a lane.
pub trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    type Mask: Mask;

    /// How many lanes there are.
    const COUNT: usize;

    /// The largest relative error of one operation: 2⁻⁵³ or 2⁻²⁴.
    const UNIT_ROUNDOFF: f64;

    /// The number in all lanes; rounded if these are floats.
    fn splat(value: f64) -> Self;

    fn abs(self) -> Self;

    fn sqrt(self) -> Self;

    /// The smaller number; `other` if one of them is NaN.
    fn min(self, other: Self) -> Self;

    /// The larger number; `other` if one of them is NaN.
    fn max(self, other: Self) -> Self;

    /// `self > other`, false if one of them is NaN.
    fn gt(self, other: Self) -> Self::Mask;

    /// `self` where `mask` is set, else `other`.
    fn select(self, mask: Self::Mask, other: Self) -> Self;

    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        other.gt(self)
    }
}

/// The doubles of a level; at most [`MAX_LANES`].
pub trait Doubles: Lanes {
    /// Eight floats at once on the same level.
    type Floats: Floats8;

    /// As many floats as the level has.
    type Singles: Singles;

    /// The first `COUNT` numbers of `values`.
    fn load(values: &[f64]) -> Self;

    /// All lanes, then zeros.
    fn to_array(self) -> [f64; MAX_LANES];

    /// `rows[i][c]` as lane i of column c, for the first `COUNT` rows; N is a multiple of eight.
    fn transpose<const N: usize>(rows: [&[f64; N]; MAX_LANES]) -> [Self; N];
}

/// The floats of a level; at most [`MAX_SINGLES`].
pub trait Singles: Lanes {
    /// `rows[i][c]` as lane i of column c, for the first `COUNT` rows.
    fn transpose(rows: [&[f32; 8]; MAX_SINGLES]) -> [Self; 8];

    /// The same for rows of four.
    fn transpose_points(rows: [&[f32; 4]; MAX_SINGLES]) -> [Self; 4];
}

/// The rows with the first `count` of these numbers, then the first one again.
///
/// # Panics
///
/// If one of the numbers is not less than the number of rows. This is checked for all of them at once, which is why this is here: one by one would cost as
/// much as what is done with the rows.
#[inline(always)]
pub fn rows<'a, R, const N: usize>(rows: &'a [R], numbers: &[u32; N], count: usize) -> [&'a R; N] {
    let row_count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let mut inside = true;
    for &number in &numbers[..count] {
        inside &= number < row_count;
    }
    assert!(inside && count > 0);
    // SAFETY: this number is inside, as asserted above.
    let mut picked = [unsafe { rows.get_unchecked(numbers[0] as usize) }; N];
    for (row, number) in picked[..count].iter_mut().zip(numbers) {
        // Read from memory once more, one by one: the compiler would take them out of the vector that it has compared, which costs more than the rest of this.
        // SAFETY: the number is valid for reads, and inside, as asserted above.
        *row = unsafe { rows.get_unchecked(std::ptr::read_volatile(number) as usize) };
    }
    picked
}

/// A truth value for each lane.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Bit i is lane i.
    fn from_bits(bits: u32) -> Self;

    /// Bit i is lane i; the bits behind the last lane are zero.
    fn bits(self) -> u32;
}

/// Eight floats, for bounding boxes.
pub trait Floats8: Copy {
    /// Eight places in two rows of eight.
    type Places: Copy;

    fn splat(value: f32) -> Self;

    fn load(values: &[f32; 8]) -> Self;

    fn add(self, other: Self) -> Self;

    fn sub(self, other: Self) -> Self;

    fn mul(self, other: Self) -> Self;

    fn div(self, other: Self) -> Self;

    /// The smaller number; `other` if one of them is NaN.
    fn min(self, other: Self) -> Self;

    /// The larger number; `other` if one of them is NaN.
    fn max(self, other: Self) -> Self;

    fn to_array(self) -> [f32; 8];

    /// Bit i: `self > other` in lane i.
    fn greater(self, other: Self) -> u32;

    /// Bit i: `numbers[i] == number`.
    fn equal(numbers: &[u32; 8], number: u32) -> u32;

    /// Bit i: one of three numbers is in lane i of one of the rows; and the same for those whose highest bit is not set.
    fn equal_to_any(rows: &[[u32; 8]; 3], numbers: [u32; 3]) -> [u32; 2];

    /// The numbers of the lanes that are set, in their order; then others.
    fn compress(numbers: &[u32; 8], lanes: u32) -> [u32; 8];

    /// The places of the first eight of sixteen lanes that are set; those of the second eight are from 8 on.
    fn places(lanes: u32) -> Self::Places;

    /// What is in these places of two rows.
    fn pick(low: &[f32; 8], high: &[f32; 8], places: Self::Places) -> [f32; 8];

    /// What is in these places of two rows.
    fn pick_numbers(low: &[u32; 8], high: &[u32; 8], places: Self::Places) -> [u32; 8];

    /// Lane i of row j becomes lane j of row i.
    fn transpose(rows: [Self; 8]) -> [Self; 8];

    /// The same for rows of four.
    fn transpose_points(rows: [&[f32; 4]; 8]) -> [Self; 4];

    /// The numbers, and their negatives, as [`round_down`] has them; zeros are positive.
    ///
    /// The minimum of two such floats is the same bits in any order, which it is not for zeros of both signs.
    fn round_down(values: &[f64; 8]) -> (Self, Self);
}

/// The largest float that is not above `value`; −infinity if there is none.
#[inline(always)]
pub fn round_down(value: f64) -> f32 {
    let nearest = value as f32;
    if nearest as f64 > value { nearest.next_down() } else { nearest }
}

/// The numbers of the bits that are set, the lowest first; then zeros.
static SET_LANES: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if lanes >> bit & 1 != 0 {
                table[lanes][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        lanes += 1;
    }
    table
};

/// The numbers of the lowest eight bits that are set, the lowest first; then zeros.
#[inline(always)]
pub fn set_lanes(lanes: u32) -> &'static [u8; 8] {
    &SET_LANES[lanes as usize & 0xff]
}

/// The numbers of the first eight of sixteen bits that are set, the lowest first, a byte each; then others.
#[inline(always)]
fn set_places(lanes: u32) -> u64 {
    let low = u64::from_le_bytes(SET_LANES[lanes as usize & 0xff]);
    let high = u64::from_le_bytes(SET_LANES[lanes as usize >> 8 & 0xff]) | 0x0808_0808_0808_0808;
    // in two steps, because all eight may be low
    let shift = 4 * (lanes & 0xff).count_ones();
    low | high << shift << shift
}

/// The most doubles that any level has.
pub const MAX_LANES: usize = 8;

/// The most floats that any level has.
pub const MAX_SINGLES: usize = 16;

/// Something to be done with the lanes of one level. `run` must be `#[inline(always)]`.
pub trait Kernel {
    type Output;

    fn run<V: Doubles>(self) -> Self::Output;
}

/// An instruction set that the kernels are compiled for. Every level gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Scalar,
    Avx2,
    Avx512,
}

impl Level {
    /// Every level, lowest first.
    pub const ALL: [Level; 3] = [Level::Scalar, Level::Avx2, Level::Avx512];

    /// Whether this CPU can run the level.
    pub fn is_supported(self) -> bool {
        match self {
            Level::Scalar => true,
            #[cfg(all(target_arch = "x86_64", not(pccd_tsan)))]
            Level::Avx2 => x86::Avx2::is_supported(),
            #[cfg(all(target_arch = "x86_64", not(pccd_tsan)))]
            Level::Avx512 => x86::Avx512::is_supported(),
            // ThreadSanitizer (tests/tsan) is content with one kernel.
            #[cfg(any(not(target_arch = "x86_64"), pccd_tsan))]
            _ => false,
        }
    }

    /// The highest level that this CPU can run.
    pub fn best() -> Level {
        Level::ALL.into_iter().rev().find(|level| level.is_supported()).unwrap_or(Level::Scalar)
    }
}

/// Has the CPU fetch what will be needed soon, to be read or written; a hint without effect on any result. There need not be anything.
#[inline(always)]
pub fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(place);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Has the CPU fetch some rows. Numbers of rows that there are not mean nothing, and do no harm.
#[inline(always)]
pub fn prefetch_rows<R>(rows: &[R], numbers: &[u32]) {
    for &number in numbers {
        #[cfg(target_arch = "x86_64")]
        x86::prefetch(rows.as_ptr().wrapping_add(number as usize));
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (rows, number);
    }
}

/// Runs `kernel` with the lanes of `level`.
///
/// # Panics
///
/// If this CPU cannot run the level.
pub fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    assert!(level.is_supported(), "{level:?} is not supported by this CPU");
    match level {
        Level::Scalar => kernel.run::<f64>(),
        #[cfg(all(target_arch = "x86_64", not(pccd_tsan)))]
        Level::Avx2 => {
            // SAFETY: the level is supported, as asserted above
            unsafe { x86::run_avx2(kernel) }
        }
        #[cfg(all(target_arch = "x86_64", not(pccd_tsan)))]
        Level::Avx512 => {
            // SAFETY: the level is supported, as asserted above
            unsafe { x86::run_avx512(kernel) }
        }
        #[cfg(any(not(target_arch = "x86_64"), pccd_tsan))]
        _ => unreachable!("no other level is supported on this architecture"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation of every level on every pair of nasty numbers, bit for bit against the scalar level.
    struct AllOperations<'a>(&'a [f64]);

    impl Kernel for AllOperations<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<V: Doubles>(self) -> Vec<u64> {
            let mut out = Vec::new();
            let mut push = |v: V| out.push(v.to_array()[..V::COUNT].to_vec());
            for chunk in self.0.chunks(MAX_LANES) {
                for part in chunk.chunks(V::COUNT) {
                    let a = V::load(part);
                    for &other in self.0 {
                        let b = V::splat(other);
                        let greater = a.gt(b);
                        assert_eq!(V::Mask::from_bits(greater.bits()).bits(), greater.bits());
                        let one = |mask: V::Mask| V::splat(1.0).select(mask, V::splat(0.0));
                        for v in [a + b, a - b, a * b, a / b, a.abs(), a.sqrt(), a.min(b), a.max(b)] {
                            push(v);
                        }
                        for mask in [greater, a.lt(b), !greater, greater | a.lt(b), greater & a.lt(b)] {
                            push(one(mask));
                        }
                        push(a.select(greater, b));
                    }
                }
            }
            // by operation, then by number: the same order for every number of lanes
            let operations = 14 * self.0.len();
            let blocks = out.len() / operations;
            let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
            (0..operations)
                .flat_map(|operation| (0..blocks).map(move |block| block * operations + operation))
                .flat_map(|i| out[i].iter().map(move |&x| bits(x)).collect::<Vec<_>>())
                .collect()
        }
    }

    struct Transpose<'a>([&'a [f64; 24]; MAX_LANES]);

    impl Kernel for Transpose<'_> {
        type Output = Vec<Vec<f64>>;

        #[inline(always)]
        fn run<V: Doubles>(self) -> Vec<Vec<f64>> {
            V::transpose::<24>(self.0).iter().map(|column| column.to_array()[..V::COUNT].to_vec()).collect()
        }
    }

    /// Every operation of the floats of every level, in the bits of the columns that they were transposed to.
    struct SinglesOperations<'a>([&'a [f32; 8]; MAX_SINGLES]);

    impl Kernel for SinglesOperations<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<V: Doubles>(self) -> Vec<u32> {
            let mut out = Vec::new();
            let count = <V::Singles as Lanes>::COUNT;
            for first in (0..MAX_SINGLES).step_by(count) {
                let mut rows = self.0;
                rows.rotate_left(first);
                let columns = V::Singles::transpose(rows);
                let (a, b, c) = (columns[0], columns[5], columns[6]);
                let expected = |i: usize| self.0[first + i];
                let some = a.gt(b);
                for (v, f) in [
                    (a + b, (|x, y, _| x + y) as fn(f32, f32, f32) -> f32),
                    (a - c, |x, _, z| x - z),
                    (b * c, |_, y, z| y * z),
                    (a / b, |x, y, _| x / y),
                    (a.abs(), |x, _, _| x.abs()),
                    (b.abs().sqrt(), |_, y, _| y.abs().sqrt()),
                    (a.min(c), |x, _, z| if x < z { x } else { z }),
                    (a.max(c), |x, _, z| if x > z { x } else { z }),
                    (a.select(some, c), |x, y, z| if x > y { x } else { z }),
                    (a.select(!some & a.lt(c), c), |x, y, z| if x <= y && x < z { x } else { z }),
                ] {
                    // A lane's number: equal to what plain floats give.
                    for lane in 0..count {
                        let [x, _, _, _, _, y, z, _] = *expected(lane);
                        let wanted = V::Singles::splat(f(x, y, z) as f64);
                        let differs = (v.gt(wanted) | v.lt(wanted)).bits() >> lane & 1;
                        out.push(differs);
                    }
                }
                let bits = <V::Singles as Lanes>::Mask::from_bits(0b1011).bits();
                assert_eq!(bits, 0b1011 & (u32::MAX >> (32 - count)));
            }
            out
        }
    }

    /// How many numbers are not where they should be.
    struct TransposePoints<'a>([&'a [f32; 4]; MAX_SINGLES]);

    impl Kernel for TransposePoints<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<V: Doubles>(self) -> u32 {
            let columns = V::Singles::transpose_points(self.0);
            let mut wrong = 0;
            for lane in 0..<V::Singles as Lanes>::COUNT {
                for (column, &number) in columns.into_iter().zip(self.0[lane]) {
                    let wanted = V::Singles::splat(number as f64);
                    wrong += (column.gt(wanted) | column.lt(wanted)).bits() >> lane & 1;
                }
            }
            wrong
        }
    }

    #[test]
    fn every_level_transposes_points() {
        let rows: [[f32; 4]; MAX_SINGLES] =
            std::array::from_fn(|row| std::array::from_fn(|column| (10 * row + column) as f32));
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            assert_eq!(dispatch(level, TransposePoints(rows.each_ref())), 0, "{level:?}");
        }
    }

    #[test]
    fn floats_of_every_level_are_plain_floats() {
        let rows: [[f32; 8]; MAX_SINGLES] = std::array::from_fn(|row| {
            std::array::from_fn(|column| ((37 * row + 11 * column) % 29) as f32 * 0.3 - 3.7)
        });
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let differences = dispatch(level, SinglesOperations(rows.each_ref()));
            assert_eq!(differences, vec![0; 10 * MAX_SINGLES], "{level:?}");
        }
    }

    #[test]
    fn every_level_gives_the_bits_of_the_scalar_one() {
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            f64::MIN_POSITIVE,
            5e-324,
            -5e-324,
            f64::MAX,
            f64::MIN,
            1e-300,
            3.0,
            0.1,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -7.25,
        ];
        let expected = dispatch(Level::Scalar, AllOperations(&numbers));
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            assert!(dispatch(level, AllOperations(&numbers)) == expected, "{level:?}");
        }
    }

    struct RoundDown<'a>(&'a [[f64; 8]]);

    impl Kernel for RoundDown<'_> {
        type Output = Vec<[u32; 8]>;

        #[inline(always)]
        fn run<V: Doubles>(self) -> Vec<[u32; 8]> {
            let mut out = Vec::new();
            for values in self.0 {
                let (lower, upper) = V::Floats::round_down(values);
                out.push(lower.to_array().map(f32::to_bits));
                out.push(upper.to_array().map(f32::to_bits));
            }
            out
        }
    }

    #[test]
    fn every_level_rounds_down() {
        let least = f32::from_bits(1) as f64;
        let most = f32::MAX as f64;
        let mut numbers = vec![0.0, 1.0, 0.1, 16777217.0, 1e300, f64::MAX, 5e-324, f64::MIN_POSITIVE, 1e-320];
        numbers.extend([least, least / 2.0, least * 0.7, least * 1.5, f32::MIN_POSITIVE as f64, most]);
        // just inside of what becomes the largest float, and just outside
        numbers.extend([most.next_up(), most * (1.0 + 2f64.powi(-25)), most * (1.0 + 2f64.powi(-24)), 1e-40]);
        let mut state = 1u64;
        for _ in 0..10_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            // exponents around those of floats
            let exponent = 1023 - 180 + (state >> 32) % 360;
            numbers.push(f64::from_bits(exponent << 52 | state.rotate_left(20) >> 12));
            numbers.push((f64::from_bits(exponent << 52 | state >> 12) as f32 as f64).min(f64::MAX));
        }
        let numbers: Vec<f64> = numbers.iter().flat_map(|&x| [x, -x, x.next_up(), x.next_down()]).collect();
        let chunks: Vec<[f64; 8]> = numbers.as_chunks::<8>().0.to_vec();
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            let rounded = dispatch(level, RoundDown(&chunks));
            for (i, values) in chunks.iter().enumerate() {
                for (lane, &value) in values.iter().enumerate() {
                    for (value, bits) in [(value, rounded[2 * i][lane]), (-value, rounded[2 * i + 1][lane])] {
                        let expected = round_down(value);
                        let expected = if expected == 0.0 { 0.0 } else { expected };
                        assert_eq!(bits, expected.to_bits(), "{level:?}, {value:e}");
                    }
                }
            }
        }
    }

    struct TransposeFloats([[f32; 8]; 8]);

    impl Kernel for TransposeFloats {
        type Output = [[f32; 8]; 8];

        #[inline(always)]
        fn run<V: Doubles>(self) -> [[f32; 8]; 8] {
            let mut rows = [V::Floats::splat(0.0); 8];
            for (row, values) in rows.iter_mut().zip(&self.0) {
                *row = V::Floats::load(values);
            }
            let mut out = [[0.0; 8]; 8];
            for (values, column) in out.iter_mut().zip(V::Floats::transpose(rows)) {
                *values = column.to_array();
            }
            out
        }
    }

    #[test]
    fn every_level_transposes_floats() {
        let rows = std::array::from_fn(|row| std::array::from_fn(|column| (10 * row + column) as f32));
        let columns = std::array::from_fn(|column| std::array::from_fn(|row| (10 * row + column) as f32));
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            assert_eq!(dispatch(level, TransposeFloats(rows)), columns, "{level:?}");
        }
    }

    struct Pick(u32);

    impl Kernel for Pick {
        type Output = ([f32; 8], [u32; 8]);

        #[inline(always)]
        fn run<V: Doubles>(self) -> ([f32; 8], [u32; 8]) {
            let (mut low, mut high) = ([0; 8], [0; 8]);
            for lane in 0..8 {
                (low[lane], high[lane]) = (lane as u32, lane as u32 + 8);
            }
            let places = V::Floats::places(self.0);
            let floats = V::Floats::pick(&low.map(|x| x as f32), &high.map(|x| x as f32), places);
            (floats, V::Floats::pick_numbers(&low, &high, places))
        }
    }

    #[test]
    fn every_level_picks_the_first_eight_of_sixteen() {
        for lanes in 0..1 << 16 {
            let wanted: Vec<u32> = (0..16).filter(|lane| lanes >> lane & 1 != 0).take(8).collect();
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let (floats, numbers) = dispatch(level, Pick(lanes));
                assert_eq!(numbers[..wanted.len()], wanted, "{level:?} {lanes:#x}");
                assert_eq!(floats, numbers.map(|x| x as f32), "{level:?} {lanes:#x}");
            }
        }
    }

    struct EqualToAny([[u32; 8]; 3], [u32; 3]);

    impl Kernel for EqualToAny {
        type Output = [u32; 2];

        #[inline(always)]
        fn run<V: Doubles>(self) -> [u32; 2] {
            V::Floats::equal_to_any(&self.0, self.1)
        }
    }

    #[test]
    fn every_level_finds_equal_numbers() {
        const HIGH: u32 = 1 << 31;
        let rows = [
            [1, 2, 3, 4, 5, HIGH | 6, HIGH | 7, 0],
            [11, 12, HIGH | 13, 14, 3, 16, 17, HIGH],
            [21, 22, 23, 1, 25, 26, 27, 28],
        ];
        for (numbers, expected) in [
            ([1, 12, HIGH | 7], [0b100_1011, 0b1011]),
            ([HIGH | 13, 3, 99], [0b1_0100, 0b1_0100]),
            ([HIGH | 13, 98, 99], [0b100, 0]),
            ([28, 0, HIGH], [0x80, 0x80]),
            ([HIGH | 1, 6, 7], [0, 0]),
        ] {
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                assert_eq!(dispatch(level, EqualToAny(rows, numbers)), expected, "{level:?} {numbers:?}");
            }
        }
    }

    #[test]
    fn rows_are_checked() {
        let all = [10, 11, 12, 13];
        assert_eq!(rows(&all, &[3, 0, 9, 9], 2), [&13, &10, &13, &13]);
        for (numbers, count) in [([0, 4], 2), ([u32::MAX, 0], 1), ([0, 0], 0)] {
            assert!(std::panic::catch_unwind(|| rows(&all, &numbers, count)).is_err());
        }
    }

    #[test]
    fn every_level_transposes() {
        let rows: [[f64; 24]; MAX_LANES] =
            std::array::from_fn(|row| std::array::from_fn(|column| (100 * row + column) as f64));
        for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
            for (c, column) in dispatch(level, Transpose(rows.each_ref())).iter().enumerate() {
                for (lane, &value) in column.iter().enumerate() {
                    assert_eq!(value, rows[lane][c], "{level:?}");
                }
            }
        }
    }
}
