//! The caller's floating-point environment changes no answer, and comes back unchanged.

#![cfg(target_arch = "x86_64")]

use pccd::capi::*;
use std::arch::asm;
use std::ffi::c_void;
use std::{ptr, thread};

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

/// Runs a task on a thread of an engine, in its environment.
unsafe extern "C" fn run_on_thread(
    task: pccd_task_fn,
    task_context: *mut c_void,
    _: *mut c_void,
) -> *mut c_void {
    let address = task_context.expose_provenance();
    let engine = thread::spawn(move || {
        set_control(ENGINE);
        // SAFETY: the task and its context, before `finish` returns.
        unsafe { task(ptr::with_exposed_provenance_mut(address)) };
        assert_eq!(control(), ENGINE & 0xffc0, "the engine's environment is back");
    });
    Box::into_raw(Box::new(engine)).cast()
}

unsafe extern "C" fn join_thread(handle: *mut c_void, _: *mut c_void) {
    // SAFETY: a handle that `run_on_thread` returned.
    unsafe { Box::from_raw(handle.cast::<thread::JoinHandle<()>>()) }.join().unwrap();
}

/// The bytes of all results, with the given environment set while the context is created and used.
fn run(environment: u32, threads: u32, has_hooks: bool) -> Vec<u64> {
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
        let mut def: pccd_context_def = std::mem::zeroed();
        assert_eq!(pccd_context_def_init(&mut def, size_of::<pccd_context_def>()), PCCD_OK);
        def.thread_count = threads;
        if has_hooks {
            def.enqueue = Some(run_on_thread);
            def.finish = Some(join_thread);
        }
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
    let standard = run(0x1f80, 1, false);
    for (threads, has_hooks) in [(1, false), (3, false), (3, true)] {
        assert!(run(ENGINE, threads, has_hooks) == standard, "{threads} threads, hooks {has_hooks}");
    }
}
