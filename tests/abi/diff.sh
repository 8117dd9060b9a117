#!/bin/sh
# Compares the binary interface of include/pccd.h with that of the last release, as abidiff sees it. Fails if programs that were compiled with
# that would not work any more. Additions are told.
#
# The library itself has no types in its debug information that C knows, so one is compiled from stubs.c, which has all functions of the
# header. That the real library exports them all, and nothing else, is another test (tests/symbols.rs).
#
#   diff.sh [STUBS]             compare (stubs.c, or another file)
#   diff.sh --release VERSION   write the description of a release: libpccd-VERSION.abi, and with it header and layout
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
build() {
    ${CC:-cc} -g -std=c99 -shared -fPIC -I../../include -Wl,-soname,libpccd.so.0 "$1" -o "$folder/libpccd.so.0"
}

if [ "${1:-}" = --release ]; then
    build stubs.c
    abidw --no-corpus-path --no-comp-dir-path --no-show-locs --headers-dir ../../include "$folder/libpccd.so.0" > "libpccd-$2.abi"
    cp ../../include/pccd.h "pccd-$2.h"
    exit
fi
build "${1:-stubs.c}"
last=$(ls libpccd-*.abi | LC_ALL=C sort -V | tail -1)
status=0
abidiff --headers-dir2 ../../include "$last" "$folder/libpccd.so.0" || status=$?
# Bit by bit: 1 and 2 say that it could not compare, 4 that there are changes, 8 that they are incompatible for certain.
if [ $((status & 11)) -ne 0 ]; then
    echo "not compatible with $last (abidiff: $status)"
    exit 1
fi
if [ "$status" -eq 0 ]; then echo "no difference to $last"; else echo "compatible with $last, with changes"; fi
