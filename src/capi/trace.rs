//! What the workers of a run did and when, as a file.

use super::context::pccd_context;
use super::guard::{Call, Failure, enter_context};
use super::query::pccd_query;
use super::status::*;
use crate::detect::MeshQuery;
use crate::schedule::{NO_PARENT, UnitKind, UnitRecord};
use std::ffi::{CStr, c_char};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Has the runs of a query recorded from the next one on (on = 1), or not (0, the default). A run that is
/// not recorded loses no time to it. One that is keeps some 48 bytes for each unit of work, and is a little
/// slower. Results do not change.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_trace_enable(
    context: *mut pccd_context,
    query: pccd_query,
    on: u32,
) -> pccd_status {
    enter_context("pccd_trace_enable", context, |call, context| {
        let query = context.mesh_queries.get_mut(call, query.id)?;
        if on > 1 {
            return Err(call.fail(PCCD_ERR_INVALID_ARGUMENT, format_args!("on is {on}; expected 0 or 1")));
        }
        query.is_recording = on == 1;
        Ok(())
    })
}

/// Writes the units of work of the last run of a query, which must have been recorded, to a file: who did
/// what when.
///
/// As a rule it is a trace in JSON that ui.perfetto.dev and chrome://tracing show: for each unit an event
/// with its kind as its name, its worker as its thread, and its number, the number of the unit that it came
/// out of (or null), its phase and its weight as arguments. If the path ends in ".csv" it is a table with
/// the columns number, parent, phase, worker, weight, begin, end and kind instead: times in nanoseconds
/// since the run began, nothing for no parent, and the kind as its number.
///
/// Kinds are 0 vertices and 1 refit (boxes that are fitted to vertices that moved), 2 rebuild (parts that are
/// sorted anew), 3 self (a part of a mesh with itself), 4 pair (two parts with each other), 5 sort (of
/// contacts), 6 serial (what one worker prepared before a phase, told as worker 0's) and 7 cull (parts that
/// need no test with themselves). Weights are about proportional to triangles. Phases are numbered from 0
/// in the order in which they followed each other.
///
/// @param context  the context.
/// @param query    the query.
/// @param path     the name of the file, in UTF-8 where the system has an opinion. A file that exists is
///                 overwritten.
///
/// If there is no record of the last run it is PCCD_ERR_INVALID_ARGUMENT, and no file is touched. If the
/// file cannot be written it is PCCD_ERR_IO, and the file may be there in part.
///
/// Thread safety: one thread at a time may use the context; another one gets PCCD_ERR_BUSY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pccd_trace_write(
    context: *mut pccd_context,
    query: pccd_query,
    path: *const c_char,
) -> pccd_status {
    enter_context("pccd_trace_write", context, |call, context| {
        let (id, query) = (query.id, context.mesh_queries.get(call, query.id)?);
        call.not_null(path, "path")?;
        // SAFETY: the caller's string, which ends with a NUL.
        let name = unsafe { CStr::from_ptr(path) };
        let path = path_of(call, name)?;
        if query.records().next().is_none() {
            return Err(call.fail(
                PCCD_ERR_INVALID_ARGUMENT,
                format_args!(
                    "query.id is {id:#x}, whose last run was not recorded; call pccd_trace_enable() before it"
                ),
            ));
        }
        let is_table = ends_with(name.to_bytes(), b".csv");
        let write = || {
            let mut output = Output { file: File::create(path)?, buffer: [0; 4096], len: 0 };
            if is_table { write_table(&mut output, query) } else { write_trace(&mut output, query) }?;
            output.flush()
        };
        write().map_err(|error: io::Error| {
            call.fail(PCCD_ERR_IO, format_args!("path is {:?}, which cannot be written: {error}", path))
        })
    })
}

/// Whatever the case.
fn ends_with(text: &[u8], end: &[u8]) -> bool {
    text.len() >= end.len() && text[text.len() - end.len()..].eq_ignore_ascii_case(end)
}

#[cfg(unix)]
fn path_of<'a>(_call: &Call, name: &'a CStr) -> Result<&'a Path, Failure> {
    use std::os::unix::ffi::OsStrExt;
    Ok(Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())))
}

#[cfg(not(unix))]
fn path_of<'a>(call: &Call, name: &'a CStr) -> Result<&'a Path, Failure> {
    name.to_str().map(Path::new).map_err(|_| {
        call.fail(PCCD_ERR_INVALID_ARGUMENT, format_args!("path is {name:?}, which is not UTF-8"))
    })
}

/// A file with a buffer that needs no allocator.
struct Output {
    file: File,
    buffer: [u8; 4096],
    len: usize,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.len == self.buffer.len() {
            self.flush()?;
        }
        let count = bytes.len().min(self.buffer.len() - self.len);
        self.buffer[self.len..self.len + count].copy_from_slice(&bytes[..count]);
        self.len += count;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        let len = std::mem::take(&mut self.len);
        self.file.write_all(&self.buffer[..len])
    }
}

fn kind_name(kind: UnitKind) -> &'static str {
    match kind {
        UnitKind::RefitVertices => "vertices",
        UnitKind::Refit => "refit",
        UnitKind::Rebuild => "rebuild",
        UnitKind::SelfUnit => "self",
        UnitKind::Pair => "pair",
        UnitKind::Sort => "sort",
        UnitKind::Serial => "serial",
        UnitKind::Cull => "cull",
    }
}

fn write_table(output: &mut impl Write, query: &MeshQuery) -> io::Result<()> {
    writeln!(output, "number,parent,phase,worker,weight,begin,end,kind")?;
    for record in query.records() {
        let UnitRecord { number, parent, phase, worker, weight, begin, end, kind, .. } = *record;
        write!(output, "{number},")?;
        if parent != NO_PARENT {
            write!(output, "{parent}")?;
        }
        writeln!(output, ",{phase},{worker},{weight},{begin},{end},{}", kind as u32)?;
    }
    Ok(())
}

/// The "JSON object format" of the Trace Event Format: complete events in microseconds.
fn write_trace(output: &mut impl Write, query: &MeshQuery) -> io::Result<()> {
    writeln!(output, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
    write!(output, "{{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{{\"name\":\"pccd\"}}}}")?;
    for worker in 0..query.stats().worker_count {
        write!(
            output,
            ",\n{{\"ph\":\"M\",\"pid\":1,\"tid\":{worker},\"name\":\"thread_name\",\
             \"args\":{{\"name\":\"worker {worker}\"}}}}"
        )?;
    }
    for record in query.records() {
        let UnitRecord { number, parent, phase, worker, weight, begin, end, kind, .. } = *record;
        let (kind, length) = (kind_name(kind), end.saturating_sub(begin));
        write!(
            output,
            ",\n{{\"ph\":\"X\",\"pid\":1,\"tid\":{worker},\"name\":\"{kind}\",\
             \"ts\":{}.{:03},\"dur\":{}.{:03},\"args\":{{\"number\":{number},\"parent\":",
            begin / 1000,
            begin % 1000,
            length / 1000,
            length % 1000,
        )?;
        match parent {
            NO_PARENT => write!(output, "null")?,
            parent => write!(output, "{parent}")?,
        }
        write!(output, ",\"phase\":{phase},\"weight\":{weight}}}}}")?;
    }
    writeln!(output, "\n]}}")
}
