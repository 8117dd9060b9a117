#!/usr/bin/env bash
# `install.sh install` puts the header, both libraries and what pkg-config and CMake need below $DESTDIR$PREFIX;
# `install.sh uninstall` removes the same files, and the folders that are empty then. `make install` calls it.
#
# PREFIX (/usr/local), LIBDIR ($PREFIX/lib), INCLUDEDIR ($PREFIX/include), DESTDIR (empty) and CARGO_TARGET_DIR are respected.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cd "$here/.."

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

[ "$(uname -s)" = Linux ] || fail "only Linux is supported; on other systems copy include/ and the library that cargo built"

prefix="${PREFIX:-/usr/local}"
libdir="${LIBDIR:-$prefix/lib}"
includedir="${INCLUDEDIR:-$prefix/include}"
destdir="${DESTDIR:-}"
built="${CARGO_TARGET_DIR:-target}/release"
for folder in "$prefix" "$libdir" "$includedir"; do
    case "$folder" in /*) ;; *) fail "$folder is not an absolute path" ;; esac
done

version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
[ -n "$version" ] || fail "there is no version in Cargo.toml"
soname="libpccd.so.0"
cmakedir="$libdir/cmake/pccd"
files=(
    "$includedir/pccd.h"
    "$includedir/pccd.hpp"
    "$libdir/libpccd.so.$version"
    "$libdir/$soname"
    "$libdir/libpccd.so"
    "$libdir/libpccd.a"
    "$libdir/pkgconfig/pccd.pc"
    "$cmakedir/pccdConfig.cmake"
    "$cmakedir/pccdConfigVersion.cmake"
)

# fill TEMPLATE FILE: the template with its names replaced.
fill() {
    install -d "$(dirname "$destdir$2")"
    sed -e "s|@PREFIX@|$prefix|g" -e "s|@LIBDIR@|$libdir|g" -e "s|@INCLUDEDIR@|$includedir|g" \
        -e "s|@INCLUDE_FROM_LIB@|$(realpath -ms --relative-to="$libdir" "$includedir")|g" \
        -e "s|@VERSION@|$version|g" -e "s|@SONAME@|$soname|g" -e "s|@STATIC_LIBS@|-lpthread -ldl -lm|g" \
        -e "s|@POINTER_BYTES@|$(($(getconf LONG_BIT) / 8))|g" "$here/$1" >"$destdir$2"
    chmod 644 "$destdir$2"
}

case "${1:-}" in
install)
    for library in libpccd.so libpccd.a; do
        [ -f "$built/$library" ] || fail "there is no $built/$library: run 'cargo build --release' first"
    done
    install -d "$destdir$includedir" "$destdir$libdir"
    install -m 644 include/pccd.h include/pccd.hpp "$destdir$includedir"
    install -m 755 "$built/libpccd.so" "$destdir$libdir/libpccd.so.$version"
    ln -sf "libpccd.so.$version" "$destdir$libdir/$soname"
    ln -sf "$soname" "$destdir$libdir/libpccd.so"
    install -m 644 "$built/libpccd.a" "$destdir$libdir/libpccd.a"
    fill pccd.pc.in "$libdir/pkgconfig/pccd.pc"
    fill pccdConfig.cmake.in "$cmakedir/pccdConfig.cmake"
    fill pccdConfigVersion.cmake.in "$cmakedir/pccdConfigVersion.cmake"
    printf '%s\n' "${files[@]/#/$destdir}"
    ;;
uninstall)
    for file in "${files[@]}"; do
        rm -f "$destdir$file"
    done
    # Whoever else has something in one of these keeps it.
    for folder in "$cmakedir" "$libdir/cmake" "$libdir/pkgconfig" "$libdir" "$includedir"; do
        rmdir --ignore-fail-on-non-empty "$destdir$folder" 2>/dev/null || true
    done
    ;;
*)
    fail "usage: install.sh install|uninstall"
    ;;
esac
