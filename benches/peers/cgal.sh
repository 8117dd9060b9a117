#!/usr/bin/env bash
# Compares discrete queries with CGAL's self_intersections and prints one table. Sets up all it needs below target/peers. See README.md.
#
# usage: cgal.sh [--repeat N] [--peer-repeat N] [SCENE ...]
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
. "$here/paths.sh"
work="$target/peers/cgal"
mkdir -p "$work"

repeat=30
peer_repeat=5
scenes=()
while [ $# -gt 0 ]; do
    case "$1" in
        --repeat) repeat="$2"; shift 2 ;;
        --peer-repeat) peer_repeat="$2"; shift 2 ;;
        -*) echo "cgal.sh: unknown option $1" >&2; exit 2 ;;
        *) scenes+=("$1"); shift ;;
    esac
done

has_cgal() {
    echo '#include <CGAL/version.h>' | g++ -E -x c++ - >/dev/null 2>&1
}
if ! has_cgal; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        apt-get install --yes --no-install-recommends libcgal-dev
    fi
    has_cgal || { echo "cgal.sh: needs CGAL's headers: apt-get install libcgal-dev" >&2; exit 1; }
fi

cargo build --release --quiet
# Programs look for it under its SONAME.
cp "$target/release/libpccd.so" "$work/libpccd.so.0"
# The peer may use every instruction that this CPU has, but no fused operations: its interval arithmetic does not expect them.
flags=(-std=c++17 -O3 -DNDEBUG -march=native -ffp-contract=off -frounding-math -Wall -Wextra)
sources=("$here/cgal/compare.cpp" "$here/cgal/ours.cpp")
program="$work/compare"
if [ ! -x "$program" ] || [ -n "$(find "$here/cgal" "$root/include/pccd.h" -newer "$program")" ]; then
    g++ "${flags[@]}" -I"$root/include" "${sources[@]}" -o "$program" \
        -L"$work" -Wl,-rpath,"$work" -l:libpccd.so.0 -lgmp -lmpfr
fi

arguments=()
for folder in "$data"/scenes/*/; do
    name="$(basename "$folder")"
    [ -d "$folder/frames" ] || continue
    if [ ${#scenes[@]} -gt 0 ] && ! printf '%s\n' "${scenes[@]}" | grep -qxF -- "$name"; then
        continue
    fi
    frames=("$folder"/frames/*.ply)
    [ ${#frames[@]} -eq 2 ] || { echo "cgal.sh: $folder: a scene has two frames" >&2; exit 1; }
    arguments+=("$name=${frames[1]}")
done
[ ${#arguments[@]} -gt 0 ] || { echo "cgal.sh: no scene of that name in $data" >&2; exit 1; }

exec "$program" "$repeat" "$peer_repeat" "${arguments[@]}"
