//! The sentence about the last error of each thread.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};
use std::fmt::{self, Write};

/// Bytes of a sentence, its final NUL included.
const CAPACITY: usize = 512;

/// A C string of limited length that needs no allocation: errors are about memory too. What does not
/// fit is cut off between two characters.
#[derive(Clone, Copy)]
pub(super) struct Sentence {
    /// NUL from `len` on.
    bytes: [u8; CAPACITY],
    len: usize,
    full: bool,
}

impl Sentence {
    const EMPTY: Sentence = Sentence { bytes: [0; CAPACITY], len: 0, full: false };

    pub(super) fn new(text: fmt::Arguments<'_>) -> Sentence {
        let mut sentence = Sentence::EMPTY;
        // A sentence takes what fits and never refuses; should a value fail to format, what is there is used.
        let _ = sentence.write_fmt(text);
        sentence
    }

    pub(super) fn as_c_str(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }
}

impl Write for Sentence {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = CAPACITY - 1 - self.len;
        let cut = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
        let fitting = if self.full { 0 } else { cut.unwrap_or(0) };
        self.full |= fitting < text.len();
        self.bytes[self.len..self.len + fitting].copy_from_slice(&text.as_bytes()[..fitting]);
        self.len += fitting;
        Ok(())
    }
}

thread_local! {
    // Constant and without a destructor: using it allocates nothing, and works while a thread ends.
    static LAST: UnsafeCell<Sentence> = const { UnsafeCell::new(Sentence::EMPTY) };
}

/// Keeps `sentence` as the last error of this thread.
pub(super) fn remember(sentence: &Sentence) {
    // SAFETY: only this thread reaches its `LAST`, and no reference to it is kept anywhere.
    LAST.with(|last| unsafe { *last.get() = *sentence });
}

/// The last error of this thread.
pub(super) fn recall() -> Sentence {
    // SAFETY: as in `remember`.
    LAST.with(|last| unsafe { *last.get() })
}

/// A sentence about the last call of this thread that failed, naming the function, the argument and its
/// value: "pccd_ccd_batch: positions->format is 7; expected PCCD_FORMAT_F32X3 (1) or PCCD_FORMAT_F64X3
/// (2)". Calls that succeed leave it alone. Before the first failure it is empty. The text is never
/// null, at most 511 bytes of UTF-8, and stays valid and unchanged until the next call of this thread
/// fails, or the thread ends.
///
/// Thread safety: may be called from any thread at any time; every thread has its own sentence.
#[unsafe(no_mangle)]
pub extern "C" fn pccd_last_error() -> *const c_char {
    // SAFETY: the pointer is not read here; the address of the bytes is all that is taken.
    LAST.with(|last| unsafe { (&raw const (*last.get()).bytes).cast() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_ends_between_two_characters() {
        let text = "ü".repeat(400);
        let sentence = Sentence::new(format_args!("x{text}{}", "tail"));
        let kept = sentence.as_c_str().to_str().unwrap();
        assert_eq!(kept, format!("x{}", "ü".repeat(255)));
        let sentence = Sentence::new(format_args!("{text}!"));
        // One byte is left over, which the next character would not fit: and nothing after it slips in.
        assert_eq!(sentence.as_c_str().to_str().unwrap(), "ü".repeat(255));
    }

    #[test]
    fn every_thread_has_its_own() {
        // SAFETY: a C string of the thread that asks, used before its next error.
        let text = || unsafe { CStr::from_ptr(pccd_last_error()) }.to_str().unwrap();
        remember(&Sentence::new(format_args!("one {}", 1)));
        std::thread::spawn(move || assert_eq!(text(), "")).join().unwrap();
        assert_eq!(text(), "one 1");
    }
}
