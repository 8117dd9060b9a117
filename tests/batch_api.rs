//! The same bits from `pccd_ccd_batch` for every thread count, SIMD level, layout of the input and order of the queries.

use pccd::capi::*;
use std::ptr;

type Points = Vec<[[f64; 3]; 8]>;

struct Context(*mut pccd_context);

impl Context {
    /// None if this CPU lacks the level.
    fn new(thread_count: u32, simd: i32) -> Option<Context> {
        let mut def = std::mem::MaybeUninit::uninit();
        let mut context = ptr::null_mut();
        // SAFETY: pointers to places of the right size; `init` fills the definition.
        let status = unsafe {
            assert_eq!(pccd_context_def_init(def.as_mut_ptr(), size_of::<pccd_context_def>()), PCCD_OK);
            let mut def = def.assume_init();
            def.thread_count = thread_count;
            def.simd = simd;
            pccd_context_create(&def, &mut context)
        };
        assert!(status == PCCD_OK || status == PCCD_ERR_UNSUPPORTED, "status {status}");
        // Not `then_some`, which would make a context of nothing, and destroy it.
        (status == PCCD_OK).then(|| Context(context))
    }

    fn run(
        &self,
        kind: u32,
        view: &pccd_view,
        count: usize,
        settings: &pccd_ccd_settings,
    ) -> Vec<pccd_ccd_result> {
        let mut results = vec![NOT_WRITTEN; count];
        // SAFETY: the view is of living memory, and `results` has `count` elements.
        let status =
            unsafe { pccd_ccd_batch(self.0, kind, view, count as u64, settings, results.as_mut_ptr()) };
        assert_eq!(status, PCCD_OK);
        results
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: a context is destroyed once.
        assert_eq!(unsafe { pccd_context_destroy(self.0) }, PCCD_OK);
    }
}

const NOT_WRITTEN: pccd_ccd_result = pccd_ccd_result {
    flags: 99,
    reserved: 99,
    toi_lower: 99.0,
    toi_upper: 99.0,
    weights: [99.0; 4],
    normal: [99.0; 3],
};

fn settings(min_separation: f64) -> pccd_ccd_settings {
    let mut settings = std::mem::MaybeUninit::uninit();
    // SAFETY: a place of the right size, filled by `init`.
    let settings = unsafe {
        let size = size_of::<pccd_ccd_settings>();
        assert_eq!(pccd_ccd_settings_init(settings.as_mut_ptr(), size), PCCD_OK);
        settings.assume_init()
    };
    pccd_ccd_settings { min_separation, ..settings }
}

/// Numbers that f32 holds exactly, half of the queries on a coarse grid where degenerate contacts are common.
fn random_queries(count: usize) -> Points {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    };
    (0..count)
        .map(|query| {
            let steps = if query % 2 == 0 { 4 } else { 1 << 20 };
            [[(); 3]; 8].map(|point| point.map(|()| (random() % (2 * steps + 1)) as f64 / steps as f64 - 1.0))
        })
        .collect()
}

/// One way to store points.
#[derive(Clone, Copy, Debug)]
struct Layout {
    format: u32,
    stride: usize,
    shift: usize,
}

const LAYOUTS: [Layout; 6] = [
    Layout { format: PCCD_FORMAT_F64X3, stride: 24, shift: 0 },
    Layout { format: PCCD_FORMAT_F64X3, stride: 24, shift: 4 },
    Layout { format: PCCD_FORMAT_F64X3, stride: 37, shift: 0 },
    Layout { format: PCCD_FORMAT_F32X3, stride: 12, shift: 0 },
    Layout { format: PCCD_FORMAT_F32X3, stride: 12, shift: 1 },
    Layout { format: PCCD_FORMAT_F32X3, stride: 16, shift: 0 },
];

/// The points in this layout; the memory, of which the view is valid as long as it lives, ends with the last one.
fn lay_out(queries: &Points, layout: Layout) -> (Vec<u64>, pccd_view) {
    let Layout { format, stride, shift } = layout;
    let points = queries.as_flattened();
    let mut bytes = vec![0xEE; shift];
    for point in points {
        let end = bytes.len() + stride;
        for coordinate in point {
            if format == PCCD_FORMAT_F32X3 {
                assert_eq!(f64::from(*coordinate as f32), *coordinate);
                bytes.extend((*coordinate as f32).to_ne_bytes());
            } else {
                bytes.extend(coordinate.to_ne_bytes());
            }
        }
        bytes.resize(end, 0xEE);
    }
    // As words, so that a shift of 0 is aligned.
    bytes.resize(bytes.len().next_multiple_of(8), 0xEE);
    let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_ne_bytes(*word)).collect();
    let data = words.as_ptr().cast::<u8>().wrapping_add(shift).cast();
    let view = pccd_view { data, count: points.len() as u64, stride: stride as u64, format, reserved: 0 };
    (words, view)
}

/// Bit for bit, where `==` would let -0 be 0.
fn bits(result: &pccd_ccd_result) -> [u64; 10] {
    let &pccd_ccd_result { flags, reserved, toi_lower, toi_upper, weights: w, normal: n } = result;
    let numbers = [toi_lower, toi_upper, w[0], w[1], w[2], w[3], n[0], n[1], n[2]].map(f64::to_bits);
    let mut bits = [u64::from(flags) << 32 | u64::from(reserved); 10];
    bits[1..].copy_from_slice(&numbers);
    bits
}

fn assert_same(expected: &[pccd_ccd_result], got: &[pccd_ccd_result], what: &str) {
    for (query, (expected, got)) in expected.iter().zip(got).enumerate() {
        assert_eq!(bits(expected), bits(got), "{what}: query {query}: {expected:?} became {got:?}");
    }
    assert_eq!(expected.len(), got.len());
}

/// Scalar, one thread, read in place: what all others are compared with.
fn reference(kind: u32, queries: &Points, settings: &pccd_ccd_settings) -> Vec<pccd_ccd_result> {
    let (_memory, view) = lay_out(queries, LAYOUTS[0]);
    let context = Context::new(1, PCCD_SIMD_SCALAR).expect("every CPU is scalar");
    let results = context.run(kind, &view, queries.len(), settings);
    let hits = results.iter().filter(|result| result.flags & PCCD_CCD_HIT != 0).count();
    assert!(hits > queries.len() / 50 && hits < queries.len(), "{hits} hits: not much of a test");
    for result in &results {
        let miss = result.flags == 0;
        assert_eq!(miss, result.toi_lower == f64::INFINITY, "{result:?}");
        assert!(result.reserved == 0 && bits(result)[1..].iter().all(|bits| !f64::from_bits(*bits).is_nan()));
    }
    results
}

#[test]
fn threads_levels_and_layouts_give_the_same_bits() {
    let queries = random_queries(3001);
    for kind in [PCCD_VERTEX_FACE, PCCD_EDGE_EDGE] {
        for settings in [settings(0.0), settings(0.125)] {
            let expected = reference(kind, &queries, &settings);
            for simd in [PCCD_SIMD_AUTO, PCCD_SIMD_SCALAR, PCCD_SIMD_AVX2, PCCD_SIMD_AVX512] {
                for threads in [1, 2, 3, 8] {
                    let Some(context) = Context::new(threads, simd) else { continue };
                    for layout in LAYOUTS {
                        let (_memory, view) = lay_out(&queries, layout);
                        let got = context.run(kind, &view, queries.len(), &settings);
                        let d = settings.min_separation;
                        assert_same(
                            &expected,
                            &got,
                            &format!("kind {kind}, d {d}, simd {simd}, {threads} threads, {layout:?}"),
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_query_is_answered_the_same_wherever_it_stands() {
    let queries = random_queries(1500);
    let settings = settings(0.0);
    for kind in [PCCD_VERTEX_FACE, PCCD_EDGE_EDGE] {
        let expected = reference(kind, &queries, &settings);
        let context = Context::new(2, PCCD_SIMD_AUTO).unwrap();

        let reversed: Points = queries.iter().rev().copied().collect();
        let (_memory, view) = lay_out(&reversed, LAYOUTS[0]);
        let mut got = context.run(kind, &view, reversed.len(), &settings);
        got.reverse();
        assert_same(&expected, &got, "reversed");

        // Around the sizes of a chunk and of a SIMD register, and from the middle of the list.
        for (first, count) in
            [(0, 1), (1, 2), (700, 7), (3, 8), (900, 9), (0, 255), (5, 256), (11, 257), (600, 513)]
        {
            let part: Points = queries[first..first + count].to_vec();
            let (_memory, view) = lay_out(&part, LAYOUTS[0]);
            let got = context.run(kind, &view, count, &settings);
            assert_same(&expected[first..first + count], &got, &format!("{count} from {first}"));
        }
    }
}

#[test]
fn results_beyond_count_are_not_touched() {
    let queries = random_queries(600);
    let (_memory, view) = lay_out(&queries, LAYOUTS[0]);
    let context = Context::new(3, PCCD_SIMD_AUTO).unwrap();
    let mut results = [NOT_WRITTEN; 400];
    // SAFETY: there are more points and more results than queries.
    let status =
        unsafe { pccd_ccd_batch(context.0, PCCD_VERTEX_FACE, &view, 300, ptr::null(), results.as_mut_ptr()) };
    assert_eq!(status, PCCD_OK);
    assert!(results[..300].iter().all(|result| result.flags != 99));
    assert_same(&[NOT_WRITTEN; 100], &results[300..], "beyond");
}
