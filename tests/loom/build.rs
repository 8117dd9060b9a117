//! Tells `src/schedule` that its locks and atomics are those of loom.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cfg=loom");
}
