#!/usr/bin/env bash
# Makes target/dist/pccd-VERSION-TARGET.tar.gz: headers, libraries, bindings, documents, and the licences of all that is in them. `make dist` calls it,
# after everything has been built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version="$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)"
target="$(rustc -vV | sed -n 's/^host: //p')"
name="pccd-$version-$target"
built="${CARGO_TARGET_DIR:-target}/release"
dist="${DIST:-target/dist}"
stage="$dist/$name"
rm -rf "$stage" "$stage.tar.gz"
mkdir -p "$stage/licences" "$stage/bindings"

# The paths in the CMake files are relative; those of pkg-config are not, and say where the archive would be unpacked by a packager.
DESTDIR="$(realpath "$stage")" PREFIX=/usr/local packaging/install.sh install
mv "$stage/usr/local/"* "$stage/"
rmdir -p --ignore-fail-on-non-empty "$stage/usr/local"
sed -i 's|^prefix=.*|prefix=${pcfiledir}/../..|; s|/usr/local|${prefix}|g' "$stage/lib/pkgconfig/pccd.pc"

bindings/unity/pack.sh "$stage/bindings/unity" "$built/libpccd.so"
bindings/unreal/pack.sh "$stage/bindings/unreal/Pccd" "$built/libpccd.so"
mkdir "$stage/bindings/godot"
cp bindings/godot/{README.md,pccd.gdnlib,pccd.gdns,pccd.gdextension} "${GODOT_BUILD:-bindings/godot/build}"/libpccd_godot{,4}.so "$stage/bindings/godot/"
cp -R README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE docs "$stage/"

# The crates that are linked into the library, each with its own files; a crate without any would have to be looked at.
cargo tree --edges normal --prefix none --format '{p}|{l}' --locked | sed 's/ (.*)|/|/; s/ (\*)$//' | sort -u | while IFS='|' read -r package licence; do
    crate="${package% v*}" number="${package##* v}"
    [ "$crate" != pccd ] || continue
    source="$(find "${CARGO_HOME:-$HOME/.cargo}/registry/src" -maxdepth 2 -type d -name "$crate-$number" | head -n 1)"
    [ -n "$source" ] || { echo "dist.sh: the source of $package is not there" >&2; exit 1; }
    mkdir -p "$stage/licences/$crate-$number"
    find "$source" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'copyright*' -o -iname 'notice*' \) -exec cp {} "$stage/licences/$crate-$number/" \;
    [ -n "$(ls -A "$stage/licences/$crate-$number")" ] || { echo "dist.sh: $package has no licence file" >&2; exit 1; }
    echo "$crate $number: $licence" >>"$stage/licences/LIST"
done
# And the standard library of Rust, which is in it, too.
mkdir "$stage/licences/rust-std"
documents="$(rustc --print sysroot)/share/doc"
found="$(find "$documents" -maxdepth 3 -type f \( -iname 'license-*' -o -iname 'copyright*' \) 2>/dev/null | head -n 20)"
if [ -n "$found" ]; then
    printf '%s\n' "$found" | while read -r file; do cp "$file" "$stage/licences/rust-std/"; done
else
    echo "The standard library of Rust: MIT OR Apache-2.0, see https://github.com/rust-lang/rust/blob/master/COPYRIGHT" >"$stage/licences/rust-std/NOTICE"
fi
echo "rust-std $(rustc -vV | sed -n 's/^release: //p'): MIT OR Apache-2.0" >>"$stage/licences/LIST"

# The same bytes from the same files. The highest level of gzip takes ten times as long, for one percent less.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -C "$dist" -cf - "$name" | gzip -6n >"$stage.tar.gz"
echo "$stage.tar.gz"
