//! Threads that use and destroy each other's contexts get an error at worst.

use pccd::capi::*;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use std::thread;

const THREADS: usize = 4;
const ROUNDS: usize = 2000;

#[test]
fn threads_that_race_for_contexts_get_errors_and_no_harm() {
    let shared: [AtomicPtr<pccd_context>; 3] = Default::default();
    let (created, destroyed, used) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (shared, created, destroyed, used) = (&shared, &created, &destroyed, &used);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let place = &shared[(round * 7 + thread) % shared.len()];
                    let context = place.load(Ordering::Relaxed);
                    match (round + thread) % 5 {
                        0 => {
                            let mut new = ptr::null_mut();
                            // SAFETY: a place for a pointer.
                            assert_eq!(unsafe { pccd_context_create(ptr::null(), &mut new) }, PCCD_OK);
                            created.fetch_add(1, Ordering::Relaxed);
                            // Others may still hold the old one, and find out that it is gone.
                            let old = place.swap(new, Ordering::Relaxed);
                            destroyed.fetch_add(destroy(old), Ordering::Relaxed);
                        }
                        1 => {
                            destroyed.fetch_add(destroy(context), Ordering::Relaxed);
                        }
                        _ => {
                            used.fetch_add(get_info(context), Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    for place in &shared {
        destroyed.fetch_add(destroy(place.load(Ordering::Relaxed)), Ordering::Relaxed);
    }
    assert_eq!(created.into_inner(), destroyed.into_inner(), "every context was destroyed exactly once");
    assert!(used.into_inner() > 0);
}

/// 1 if this call destroyed it. Somebody may be inside for a moment.
fn destroy(context: *mut pccd_context) -> usize {
    loop {
        // SAFETY: any value is allowed: null, alive, destroyed.
        match unsafe { pccd_context_destroy(context) } {
            PCCD_OK => return 1,
            PCCD_ERR_BUSY => thread::yield_now(),
            status => {
                assert!([PCCD_ERR_NULL, PCCD_ERR_STALE_HANDLE].contains(&status), "status {status}");
                return 0;
            }
        }
    }
}

/// 1 if it told something.
fn get_info(context: *mut pccd_context) -> usize {
    let mut info = pccd_context_info {
        struct_size: 24,
        thread_count: 77,
        simd: 0,
        reserved: 0,
        allocated_bytes: 0,
        scheduler: 0,
        uses_tasks: 0,
    };
    // SAFETY: any value is allowed; `info` has the size that it says.
    match unsafe { pccd_context_info_get(context, &mut info) } {
        PCCD_OK => {
            assert_eq!(info.thread_count, 1);
            1
        }
        status => {
            assert!(
                [PCCD_ERR_NULL, PCCD_ERR_STALE_HANDLE, PCCD_ERR_BUSY].contains(&status),
                "status {status}"
            );
            assert_eq!(info.thread_count, 77);
            0
        }
    }
}
