//! What the library tells without being asked.

use super::error::Sentence;
use std::ffi::{c_char, c_void};
use std::fmt;

/// Log level: a call failed. The message is the sentence of pccd_last_error().
pub const PCCD_LOG_ERROR: i32 = 1;
/// Log level: something works, but not as it probably should.
pub const PCCD_LOG_WARNING: i32 = 2;
/// Log level: what happens once in a while, such as the creation of a context.
pub const PCCD_LOG_INFO: i32 = 3;

/// Receives a message: a PCCD_LOG_ level, a text that is valid during the call, and the log_user of the
/// context. Called on the thread that made the call on the context, before that call returns. A call on
/// the same context from inside it returns PCCD_ERR_BUSY. It must return: no exception and no longjmp
/// may leave it.
pub type pccd_log_fn = Option<unsafe extern "C" fn(level: i32, message: *const c_char, user: *mut c_void)>;

/// The caller's callback, or none.
#[derive(Clone, Copy)]
pub(super) struct Log {
    pub(super) function: pccd_log_fn,
    pub(super) user: *mut c_void,
}

impl Log {
    pub(super) fn info(&self, text: fmt::Arguments<'_>) {
        if self.function.is_some() {
            self.send(PCCD_LOG_INFO, &Sentence::new(text));
        }
    }

    pub(super) fn error(&self, sentence: &Sentence) {
        self.send(PCCD_LOG_ERROR, sentence);
    }

    fn send(&self, level: i32, sentence: &Sentence) {
        if let Some(function) = self.function {
            // SAFETY: the caller gave this function for this purpose, and its user pointer with it.
            unsafe { function(level, sentence.as_c_str().as_ptr(), self.user) };
        }
    }
}
