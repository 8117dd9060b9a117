#!/bin/sh
# Makes the plugin complete: pack.sh FOLDER LIBRARY puts it into FOLDER (Plugins/Pccd of a project, which must not exist), with the
# header and this library for Linux. For Windows and macOS put pccd.dll and pccd.dll.lib, or libpccd.dylib, into the folder beside.
set -eu
source=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 2 ] || { echo "usage: pack.sh FOLDER LIBRARY" >&2; exit 2; }
[ ! -e "$1" ] || { echo "pack.sh: $1 is there already" >&2; exit 1; }
mkdir -p "$(dirname "$1")"
cp -R "$source/Pccd" "$1"
module=$1/Source/ThirdParty/PccdLibrary
mkdir -p "$module/include" "$module/lib/Linux" "$module/lib/Win64" "$module/lib/Mac"
cp "$source/../../include/pccd.h" "$module/include/"
cp "$2" "$module/lib/Linux/libpccd.so.0"
cp "$source/../../LICENSE-MIT" "$source/../../LICENSE-APACHE" "$source/README.md" "$1"
