#!/usr/bin/env bash
# Runs the tests `few_threads` of tests/threads.rs and tests/pipeline.rs under ThreadSanitizer, and fails when it reports anything.
#
# Needs a nightly toolchain; without one it says so and does nothing, but fails if PCCD_REQUIRE_TSAN=1. The library is built with
# --cfg pccd_tsan: with locks that ThreadSanitizer knows (src/locks.rs), and without instruction sets, of which a kernel each would have to be
# compiled and which have nothing to do with threads (src/simd). Builds to a folder of its own, because other flags would
# otherwise throw away what `cargo test` has built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=x86_64-unknown-linux-gnu
supp="$PWD/tests/tsan/suppressions"

if [ "$(uname -sm)" != "Linux x86_64" ] || ! cargo +nightly --version >/dev/null 2>&1; then
    echo "tests/tsan/run.sh: NOT RUN: ThreadSanitizer needs Linux on x86-64 and a nightly toolchain (rustup toolchain install nightly)" >&2
    [ "${PCCD_REQUIRE_TSAN:-0}" != 1 ]
    exit
fi

log="$(mktemp)"
trap 'rm -f "$log"' EXIT

# Everything is built for it but std, whose sources may not be there: hence the mismatch that is allowed.
export RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer --cfg pccd_tsan"
# Goes on after a report, so that one run shows them all. History: as long as it gets, so that both sides of a race are named.
export TSAN_OPTIONS="halt_on_error=0 exitcode=66 history_size=7 suppressions=$supp"
status=0
cargo +nightly test --manifest-path tests/tsan/Cargo.toml --target-dir target/tsan --target "$target" --release --test threads --test pipeline \
    -- --exact few_threads --nocapture 2>&1 | tee "$log" || status=$?
# A run in which a test did not happen shows nothing.
if [ "$(grep -c '^test result: ok. 1 passed' "$log")" -ne 2 ]; then
    echo "tests/tsan/run.sh: the tests did not pass" >&2
    exit 1
fi
if [ "$status" -ne 0 ] || grep -q 'WARNING: ThreadSanitizer' "$log"; then
    echo "tests/tsan/run.sh: ThreadSanitizer has reported something, see above" >&2
    exit 1
fi
echo "tests/tsan/run.sh: nothing was reported"
