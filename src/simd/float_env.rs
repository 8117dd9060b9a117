//! The floating-point environment that all rounding bounds and promises of equal bits rest on.

/// While it lives, this thread rounds to nearest and keeps denormal numbers, whatever the caller has set. Game engines like to flush
/// denormals to zero; some simulations change the rounding mode. The caller's settings come back when it is dropped.
///
/// Threads that are created meanwhile inherit the standard environment.
pub struct StandardFloats {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    callers: u64,
}

impl StandardFloats {
    pub fn enter() -> StandardFloats {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        {
            let callers = control();
            if callers & MEANING != STANDARD & MEANING {
                set_control(STANDARD);
            }
            StandardFloats { callers }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        StandardFloats {}
    }
}

impl Drop for StandardFloats {
    fn drop(&mut self) {
        #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
        if self.callers & MEANING != STANDARD & MEANING {
            set_control(self.callers);
        }
    }
}

/// MXCSR: all exceptions masked, round to nearest, no flushing.
#[cfg(target_arch = "x86_64")]
const STANDARD: u64 = 0x1f80;
/// MXCSR without the six flags that tell what has happened.
#[cfg(target_arch = "x86_64")]
const MEANING: u64 = 0xffc0;

/// FPCR: no traps, round to nearest, no flushing.
#[cfg(target_arch = "aarch64")]
const STANDARD: u64 = 0;
#[cfg(target_arch = "aarch64")]
const MEANING: u64 = u64::MAX;

#[cfg(target_arch = "x86_64")]
fn control() -> u64 {
    let mut value = 0u32;
    // SAFETY: writes the 32-bit register to `value`.
    unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
    value as u64
}

#[cfg(target_arch = "x86_64")]
fn set_control(value: u64) {
    let value = value as u32;
    // SAFETY: the value is the standard one, or one that the register had.
    unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, preserves_flags)) };
}

#[cfg(target_arch = "aarch64")]
fn control() -> u64 {
    let value: u64;
    // SAFETY: reads a register that every thread may read.
    unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

#[cfg(target_arch = "aarch64")]
fn set_control(value: u64) {
    // SAFETY: the value is the standard one, or one that the register had.
    unsafe { std::arch::asm!("msr fpcr, {}", in(reg) value, options(nomem, nostack, preserves_flags)) };
}
