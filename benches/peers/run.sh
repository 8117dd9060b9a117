#!/usr/bin/env bash
# Compares libpccd with its peers and prints one table. Sets up all it needs below target/peers. See README.md.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/paths.sh"
work="$target/peers"
mkdir -p "$work"

if ! cmp -s "$here/requirements.txt" "$work/venv/installed.txt"; then
    python3 -m venv --clear "$work/venv"
    "$work/venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" "$work/venv/installed.txt"
fi

cargo build --release --quiet
# The peer may use every instruction that this CPU has.
RUSTFLAGS="-C target-cpu=native" cargo build --release --quiet --locked \
    --manifest-path "$here/parry/Cargo.toml" --target-dir "$work/parry"

exec "$work/venv/bin/python" "$here/compare.py" \
    "$target/release/libpccd.so" "$work/parry/release/pccd-peer-parry" "$data" "$work/scenes" "$@"
