//! Names the shared library for the dynamic linker.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Programs record this name when they link and look for it when they start. The number is that of the
    // incompatible ABI generation: it changes only when programs have to be linked anew.
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libpccd.so.0");
    }
}
