//! Which library this is.

/// The version of the binary interface that this header describes. A library refuses to create a
/// context for any other.
pub const PCCD_ABI_VERSION: u32 = 1;

/// The version of the library: `major << 16 | minor << 8 | patch`.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn pccd_version() -> u32 {
    const VERSION: u32 = number(env!("CARGO_PKG_VERSION_MAJOR")) << 16
        | number(env!("CARGO_PKG_VERSION_MINOR")) << 8
        | number(env!("CARGO_PKG_VERSION_PATCH"));
    VERSION
}

/// The version of the binary interface that the library was built with; compare it with
/// PCCD_ABI_VERSION of the header. pccd_context_create() does so.
///
/// Thread safety: may be called from any thread at any time.
#[unsafe(no_mangle)]
pub extern "C" fn pccd_abi_version() -> u32 {
    PCCD_ABI_VERSION
}

const fn number(digits: &str) -> u32 {
    match u32::from_str_radix(digits, 10) {
        Ok(number) if number < 256 => number,
        _ => panic!("a part of the version does not fit eight bits"),
    }
}
