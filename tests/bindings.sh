#!/usr/bin/env bash
# Runs the tests of the bindings: C# under Mono, the Godot library in a Godot without a display, the parts of the Unreal plugin
# that need no engine, the binary interface, and the examples of the README. Installs what that takes, if it can; says SKIPPED otherwise.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Program, and the Debian package that has it.
needed=(cmake:cmake pkg-config:pkg-config mcs:mono-mcs mono:mono-runtime godot3-server:godot3-server abidiff:abigail-tools doxygen:doxygen)
missing=()
for pair in "${needed[@]}"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
if [ "${#missing[@]}" -gt 0 ]; then
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "installing ${missing[*]}"
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
            || echo "SKIPPED: apt-get could not install ${missing[*]}"
    else
        echo "SKIPPED: ${missing[*]} would have to be installed, which takes apt-get and root"
    fi
fi
exec "${CARGO:-cargo}" test --release --test unity --test godot --test unreal --test abi --test readme -- "$@"
