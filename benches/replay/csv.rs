//! Records and times as files: a line of names, then a line of numbers for each.

use pccd::schedule::{NO_PARENT, UnitKind, UnitRecord};

const COLUMNS: &str = "number,parent,phase,worker,weight,begin,end,kind";
const TOTALS: &str = "threads,ms";

/// All kinds, in the order of their numbers.
const KINDS: [UnitKind; 8] = [
    UnitKind::RefitVertices,
    UnitKind::Refit,
    UnitKind::Rebuild,
    UnitKind::SelfUnit,
    UnitKind::Pair,
    UnitKind::Sort,
    UnitKind::Serial,
    UnitKind::Cull,
];

/// Records as text. The kind is its number; without a parent the field is empty.
pub fn write_records(records: &[UnitRecord]) -> String {
    let mut text = format!("{COLUMNS}\n");
    for record in records {
        let UnitRecord { number, parent, phase, worker, weight, begin, end, kind, .. } = *record;
        let parent = if parent == NO_PARENT { String::new() } else { parent.to_string() };
        let kind = kind as u32;
        text += &format!("{number},{parent},{phase},{worker},{weight},{begin},{end},{kind}\n");
    }
    text
}

/// Reads what [`write_records`] wrote. [`NO_PARENT`] as a number is understood, too.
pub fn read_records(text: &str) -> Result<Vec<UnitRecord>, String> {
    rows::<8>(text, COLUMNS)?.into_iter().map(|(line, fields)| record(line, fields)).collect()
}

fn record(line: usize, fields: [&str; 8]) -> Result<UnitRecord, String> {
    let [number, parent, phase, worker, weight, begin, end, kind] = fields;
    let short = |name, field| parse::<u32>(line, name, field);
    let long = |name, field| parse::<u64>(line, name, field);
    let kind = short("kind", kind)?;
    Ok(UnitRecord {
        number: short("number", number)?,
        parent: if parent.is_empty() { NO_PARENT } else { short("parent", parent)? },
        phase: short("phase", phase)?,
        worker: short("worker", worker)?,
        weight: long("weight", weight)?,
        begin: long("begin", begin)?,
        end: long("end", end)?,
        // Not in the file.
        rebuild: 0,
        kind: *KINDS.get(kind as usize).ok_or_else(|| format!("line {line}: there is no kind {kind}"))?,
    })
}

/// Times of whole runs: how many threads, and milliseconds.
pub fn read_totals(text: &str) -> Result<Vec<(u32, f64)>, String> {
    let rows = rows::<2>(text, TOTALS)?.into_iter();
    rows.map(|(line, [threads, ms])| Ok((parse(line, "threads", threads)?, parse(line, "ms", ms)?))).collect()
}

/// The fields of all lines but the first, which has to be `header`, with the numbers of the lines.
fn rows<'a, const N: usize>(text: &'a str, header: &str) -> Result<Vec<(usize, [&'a str; N])>, String> {
    let mut lines = text.lines().enumerate();
    match lines.next() {
        Some((_, line)) if line.trim() == header => {}
        _ => return Err(format!("the first line has to be {header}")),
    }
    let filled = lines.filter(|(_, line)| !line.trim().is_empty());
    filled
        .map(|(index, line)| {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            let count = fields.len();
            let fields = <[&str; N]>::try_from(fields);
            Ok((index + 1, fields.map_err(|_| format!("line {}: {count} fields instead of {N}", index + 1))?))
        })
        .collect()
}

fn parse<T: std::str::FromStr>(line: usize, name: &str, field: &str) -> Result<T, String> {
    field.parse().map_err(|_| format!("line {line}: {name} is {field:?}"))
}
