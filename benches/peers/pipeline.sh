#!/usr/bin/env bash
# Compares the pipeline with parry3d's broad phase and contact manifolds, and prints one table. Arguments are names of scenes; none: all. See README.md.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."

# Relative to the project's root, as cargo has it there.
work="$(realpath -m -- "${CARGO_TARGET_DIR:-target}")/peers/pipeline"
cargo build --release --quiet --locked --manifest-path "$here/pipeline/Cargo.toml" --target-dir "$work"
exec "$work/release/pccd-peer-pipeline" "$@"
