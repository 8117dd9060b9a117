#!/usr/bin/env bash
# Whether `cargo cinstall` installs the names that `make install` does, and whether a program finds them. Needs cargo-c, which is not a part of cargo and takes
# minutes to build; so this is not one of the tests that always run: `make test-cinstall`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo="${CARGO:-cargo}"
"$cargo" cinstall --version || { echo "cinstall.sh: there is no cargo-c: cargo install cargo-c" >&2; exit 1; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
"$cargo" cinstall --release --locked --prefix=/usr --libdir=/usr/lib --destdir="$folder/stage"

# As tests/install.rs lists them. The files for CMake are templates that only `make install` fills, and libpccd.so leads to the file at once.
version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
(cd "$folder/stage/usr" && find . -type l -printf '%P -> %l\n' -o -type f -printf '%P\n') | LC_ALL=C sort >"$folder/found"
sed "s/VERSION/$version/; /^lib\/cmake\//d; s/^\(lib\/libpccd\.so\) -> .*/\1 -> libpccd.so.$version/" tests/installed_files.txt | LC_ALL=C sort >"$folder/expected"
diff "$folder/expected" "$folder/found" || { echo "cinstall.sh: other files than make install (< expected, > found)" >&2; exit 1; }

soname="$(objdump -p "$folder/stage/usr/lib/libpccd.so" | sed -n 's/^ *SONAME *//p')"
[ "$soname" = libpccd.so.0 ] || { echo "cinstall.sh: the SONAME is $soname" >&2; exit 1; }
cmp include/pccd.h "$folder/stage/usr/include/pccd.h"
cmp include/pccd.hpp "$folder/stage/usr/include/pccd.hpp"

# Shared, by pkg-config; and static. What cargo-c writes to Libs.private has gcc_s in it, which is there as a shared library only: so not with -static.
export PKG_CONFIG_PATH="$folder/stage/usr/lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$folder/stage"
export PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
"${CC:-cc}" examples_c/hello.c $(pkg-config --cflags --libs pccd) -o "$folder/shared"
"${CC:-cc}" examples_c/hello.c $(pkg-config --cflags pccd) "$folder/stage/usr/lib/libpccd.a" $(pkg-config --static --libs-only-l pccd | sed 's/-lpccd//') -o "$folder/static"
for program in "$folder/shared" "$folder/static"; do
    LD_LIBRARY_PATH="$folder/stage/usr/lib" "$program" | grep 'first contact at a time in'
done
echo "cargo cinstall installs what make install does, but for the files for CMake"
