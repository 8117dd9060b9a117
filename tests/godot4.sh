#!/usr/bin/env bash
# Runs the tests of the GDExtension in a real Godot 4. GODOT4 names the engine; without that, it is a `godot` of version 4 in the PATH, or one that is fetched
# from Debian unstable and unpacked, with the libraries it needs, in target/godot4: nothing is installed.
# Exits with 3 if there is none to be had.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder="$(realpath -m "${CARGO_TARGET_DIR:-target}")/godot4"

unavailable() {
    printf 'godot4.sh: %s; the extension was not tried in Godot 4\n' "$*" >&2
    exit 3
}

# An apt of its own, which knows of unstable only and of nothing that is installed.
fetch() {
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || unavailable "there is no apt-get to fetch the engine with"
    [ "$(uname -m)" = x86_64 ] || unavailable "the engine is fetched for x86_64 only"
    rm -rf "$folder"
    mkdir -p "$folder"/apt/{lists,cache/archives}/partial "$folder/debs" "$folder/root"
    # The mirror that this system has its own packages from.
    local mirror
    mirror="$(apt-get indextargets --format '$(REPO_URI)' | sed -n '/\/debian\/*$/{p;q}')"
    [ -n "$mirror" ] || unavailable "no mirror of Debian is known here"
    echo "deb $mirror unstable main" >"$folder/apt/sources.list"
    touch "$folder/apt/status"
    local apt=(-qq -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$folder/apt/lists"
        -o "Dir::Cache=$folder/apt/cache" -o "Dir::State::status=$folder/apt/status" -o APT::Architectures=amd64 -o APT::Sandbox::User=)
    apt-get "${apt[@]}" update || unavailable "unstable cannot be reached"
    # Without a display nothing is drawn: the drivers, which are half of it, stay away.
    local packages
    packages="$(apt-get "${apt[@]}" --simulate --no-install-recommends install godot | awk '/^Inst/ { print $2 }' | grep -vE '^(libllvm|mesa-|libz3-|libgl1-mesa)')" \
        || unavailable "unstable has no godot that can be installed"
    (cd "$folder/debs" && apt-get "${apt[@]}" download $packages) || unavailable "the packages cannot be fetched"
    local package
    for package in "$folder"/debs/*.deb; do
        dpkg-deb -x "$package" "$folder/root"
    done
    rm -rf "$folder/debs" "$folder/apt"
    # With its own loader and its own libraries, which may be newer than those of this system.
    local libraries="$folder/root/usr/lib/x86_64-linux-gnu"
    cat >"$folder/godot" <<END
#!/bin/sh
exec "$folder/root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries:$libraries/pulseaudio" "$folder/root/usr/bin/godot" "\$@"
END
    chmod +x "$folder/godot"
}

is_version_4() {
    [[ "$("$1" --headless --version 2>/dev/null)" == 4.* ]]
}

if [ -z "${GODOT4:-}" ] && command -v godot >/dev/null && is_version_4 godot; then
    GODOT4=godot
elif [ -z "${GODOT4:-}" ]; then
    [ -x "$folder/godot" ] || fetch
    GODOT4="$folder/godot"
fi
is_version_4 "$GODOT4" || unavailable "$GODOT4 does not run, or is no Godot 4"
echo "Godot $("$GODOT4" --headless --version)"
export GODOT4
exec "${CARGO:-cargo}" test --release --test godot --test readme -- godot_4 "$@"
