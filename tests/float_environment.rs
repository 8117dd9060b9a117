//! The caller's floating-point environment changes no answer, and comes back unchanged.

#![cfg(target_arch = "x86_64")]

use pccd::capi::*;
use std::arch::asm;
use std::ptr;

/// MXCSR: denormals flushed to zero on the way out and in, rounding towards +infinity.
const ENGINE: u32 = 0x1f80 | 0x8000 | 0x0040 | 0x4000;

fn control() -> u32 {
    let mut value = 0u32;
    // SAFETY: writes the register to `value`.
    unsafe { asm!("stmxcsr [{}]", in(reg) &mut value) };
    value & 0xffc0
}

fn set_control(value: u32) {
    // SAFETY: no exception is unmasked.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &value) };
}

/// A vertex falls through a face of the given size, the denormal one included.
fn fall(size: f64) -> [f64; 24] {
    let mut query = [0.0; 24];
    for end in [0, 12] {
        query[end + 3..end + 12].copy_from_slice(&[
            -size,
            -size,
            0.0,
            2.0 * size,
            -size,
            0.0,
            -size,
            2.0 * size,
            0.0,
        ]);
    }
    query[2] = size;
    query[14] = -2.0 * size;
    query
}

/// The bytes of all results, with the given environment set while the context is created and used.
fn run(environment: u32, threads: u32) -> Vec<u64> {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
    };
    let mut queries: Vec<[f64; 24]> = (0..3000).map(|_| std::array::from_fn(|_| random())).collect();
    queries.extend([1.0, 1e-300, 1e-310, 4e-322].map(fall));
    let count = queries.len();
    let view = pccd_view {
        data: queries.as_ptr().cast(),
        count: 8 * count as u64,
        stride: 0,
        format: PCCD_FORMAT_F64X3,
        reserved: 0,
    };
    let mut results = vec![[0u64; 10]; count];
    assert_eq!(size_of::<pccd_ccd_result>(), 80);
    // SAFETY: every pointer is to a local variable of the right type and size.
    unsafe {
        let mut def = std::mem::zeroed();
        assert_eq!(pccd_context_def_init(&mut def, size_of::<pccd_context_def>()), PCCD_OK);
        def.thread_count = threads;
        let mut context = ptr::null_mut();
        let before = control();
        set_control(environment);
        let created = pccd_context_create(&def, &mut context);
        let ran = pccd_ccd_batch(
            context,
            PCCD_VERTEX_FACE,
            &view,
            count as u64,
            ptr::null(),
            results.as_mut_ptr().cast(),
        );
        let after = control();
        set_control(before);
        assert_eq!((created, ran), (PCCD_OK, PCCD_OK));
        assert_eq!(after, environment & 0xffc0, "the caller's environment is back");
        assert_eq!(pccd_context_destroy(context), PCCD_OK);
    }
    let falls = &results[count - 4..];
    assert!(falls.iter().all(|result| result[0] as u32 == PCCD_CCD_HIT), "{falls:x?}");
    results.concat()
}

#[test]
fn flushing_and_rounding_modes_change_nothing() {
    let standard = run(0x1f80, 1);
    for threads in [1, 3] {
        assert!(run(ENGINE, threads) == standard, "{threads} threads");
    }
}
