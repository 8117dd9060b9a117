# For scripts of this folder, which set `here` to it: goes to the project's root, and tells where the ground truth is ($data) and where cargo builds ($target).
root="$(cd "$here/../.." && pwd)"
cd "$root"

data="${PCCD_DATA:-../shared/data}"
# Relative to the project's root, as cargo has it there.
target="$(realpath -m -- "${CARGO_TARGET_DIR:-target}")"
