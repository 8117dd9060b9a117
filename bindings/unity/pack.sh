#!/bin/sh
# Makes a package that Unity can install from a folder, an archive or a repository.
#
#   pack.sh FOLDER LIBRARY...     the package in FOLDER (which must not exist), with these libraries as plugins
#
# Unity wants a .meta file beside everything. Their ids are made from the paths, so that they are always the same.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { echo "usage: pack.sh FOLDER LIBRARY..." >&2; exit 2; }
target=$1
shift
[ ! -e "$target" ] || { echo "pack.sh: $target is there already" >&2; exit 1; }

mkdir -p "$target"
(cd "$source" && find . -type f ! -name pack.sh ! -name .gitignore) | while read -r file; do
    mkdir -p "$target/$(dirname "$file")"
    cp "$source/$file" "$target/$file"
done
cp "$source/../../CHANGELOG.md" "$source/../../LICENSE-MIT" "$source/../../LICENSE-APACHE" "$target"
mkdir -p "$target/Plugins/x86_64"
for library in "$@"; do
    cp "$library" "$target/Plugins/x86_64/"
done

cd "$target"
# Folders that end with ~ are not for Unity to import.
find . -mindepth 1 ! -path '*~*' ! -name '*.meta' | LC_ALL=C sort | while read -r path; do
    guid=$(printf 'org.pccd.unity/%s' "$path" | md5sum | cut -c 1-32)
    {
        echo 'fileFormatVersion: 2'
        echo "guid: $guid"
        if [ -d "$path" ]; then echo 'folderAsset: yes'; fi
    } > "$path.meta"
done
