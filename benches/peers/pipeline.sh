#!/usr/bin/env bash
# Compares the pipeline with parry3d's broad phase and contact manifolds, and prints one table. Arguments are names of scenes (none: all) and options. See README.md.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/../.."

# Relative to the project's root, as cargo has it there.
work="$(realpath -m -- "${CARGO_TARGET_DIR:-target}")/peers/pipeline"
cargo build --release --quiet --locked --manifest-path "$here/pipeline/Cargo.toml" --target-dir "$work"
# Rows are kept for docs/pipeline.md, which `cargo bench --bench pipeline -- --page` writes.
mkdir -p target/pipeline-docs
"$work/release/pccd-peer-pipeline" "$@" | while IFS= read -r line; do
    printf '%s\n' "$line"
    name="$(cut -d' ' -f2 <<< "$line")"
    case "$line" in '| scene'* | '|---'*) ;; *) printf '%s\n' "$line" > "target/pipeline-docs/parry-$name" ;; esac
done
