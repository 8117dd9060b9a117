//! Reads published queries whose answers are known: text files of quotients and binary files of doubles.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use pccd::elementary::{Kind, Query};
use std::fs;
use std::path::{Path, PathBuf};

pub struct QueryFile {
    /// Path below the data folder.
    pub name: String,
    pub kind: Kind,
    pub queries: Vec<Query>,
    pub collides: Vec<bool>,
}

/// Where the data lies: `PCCD_DATA`, or the default beside the package.
pub fn folder() -> PathBuf {
    match std::env::var_os("PCCD_DATA") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    }
}

/// All query files, in the order of their names. `None` if the data is absent, after saying so; fails then if
/// it is required (`CI` or `PCCD_REQUIRE_DATA=1` is set).
pub fn load_all() -> Option<Vec<QueryFile>> {
    let folder = folder();
    let mut paths = files_below(&folder.join("queries"), "csv");
    paths.extend(files_below(&folder.join("candidates"), "bin"));
    if paths.is_empty() {
        skip(&format!("ground truth not found at {}; set PCCD_DATA", folder.display()));
        return None;
    }
    Some(paths.iter().map(|path| load(&folder, path)).collect())
}

/// Says that a test is skipped as data is absent, and why; fails if the data is required.
pub fn skip(message: &str) {
    assert!(!is_required(), "{message}");
    println!("SKIPPED: {message}");
}

fn is_required() -> bool {
    std::env::var_os("CI").is_some() || std::env::var("PCCD_REQUIRE_DATA").is_ok_and(|value| value == "1")
}

fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            paths.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    paths
}

fn load(folder: &Path, path: &Path) -> QueryFile {
    let name = path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let is_edge_edge = name.contains("edge-edge") || stem.ends_with("_ee");
    let is_vertex_face = name.contains("vertex-face") || stem.ends_with("_vf");
    assert!(is_edge_edge != is_vertex_face, "{name}: the name does not tell the kind of its queries");
    let kind = if is_edge_edge { Kind::EdgeEdge } else { Kind::VertexFace };
    let is_text = path.extension().is_some_and(|extension| extension == "csv");
    let content = fs::read(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (queries, collides) =
        if is_text { parse_quotients(&name, &content) } else { parse_records(&name, &content) };
    QueryFile { name, kind, queries, collides }
}

/// Eight rows a query: `x_num,x_den,y_num,y_den,z_num,z_den,collides`.
fn parse_quotients(name: &str, content: &[u8]) -> (Vec<Query>, Vec<bool>) {
    let text = std::str::from_utf8(content).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.trim().split(',').collect())
        .collect();
    assert!(
        !rows.is_empty() && rows.len().is_multiple_of(8),
        "{name}: {} rows are no whole queries",
        rows.len()
    );
    let mut queries = Vec::new();
    let mut collides = Vec::new();
    for (index, block) in rows.chunks_exact(8).enumerate() {
        assert!(block.iter().all(|row| row.len() == 7), "{name}: query {index} has no seven columns");
        assert!(block.iter().all(|row| row[6] == block[0][6]), "{name}: query {index} contradicts itself");
        queries.push(std::array::from_fn(|entry| {
            let (row, axis) = (&block[entry / 3], entry % 3);
            quotient(row[2 * axis], row[2 * axis + 1])
                .unwrap_or_else(|| panic!("{name}: query {index}, entry {entry} is no double"))
        }));
        collides.push(truth(name, block[0][6]));
    }
    (queries, collides)
}

fn truth(name: &str, column: &str) -> bool {
    match column {
        "0" => false,
        "1" => true,
        other => panic!("{name}: {other} is no answer"),
    }
}

/// The double that equals the quotient; `None` if there is none.
pub fn quotient(numerator: &str, denominator: &str) -> Option<f64> {
    let mut numerator: BigInt = numerator.trim().parse().ok()?;
    let mut denominator: BigInt = denominator.trim().parse().ok()?;
    if denominator.is_zero() {
        return None;
    }
    if denominator.is_negative() {
        (numerator, denominator) = (-numerator, -denominator);
    }
    let (quotient, remainder) = {
        // Leave a power of two below the line, whatever common factor the file kept.
        let twos = denominator.trailing_zeros().unwrap_or(0);
        let odd = &denominator >> twos;
        let power: BigInt = BigInt::one() << twos;
        denominator = power;
        (&numerator / &odd, &numerator % &odd)
    };
    if !remainder.is_zero() {
        return None;
    }
    // Cancel twos so that both parts are in range for a conversion without rounding.
    let shift = quotient.trailing_zeros().unwrap_or(0).min(denominator.trailing_zeros().unwrap_or(0));
    let (top, bottom) = (quotient >> shift, denominator >> shift);
    if top.bits() > 53 + 1024 {
        return None;
    }
    let power = bottom.trailing_zeros().unwrap_or(0) as i32;
    // In two steps, as a power of two below 2^-1022 is a denormal number or none.
    let value = top.to_f64()? * 2f64.powi(-(power / 2)) * 2f64.powi(-(power - power / 2));
    let exact = super::dyadic::Dyadic::new(top, -i64::from(power));
    (value.is_finite() && exact.compare(&super::dyadic::Dyadic::from_f64(value)).is_eq()).then_some(value)
}

/// Records of 24 little-endian doubles and a byte.
fn parse_records(name: &str, content: &[u8]) -> (Vec<Query>, Vec<bool>) {
    const RECORD: usize = 24 * 8 + 1;
    assert!(
        !content.is_empty() && content.len().is_multiple_of(RECORD),
        "{name}: {} bytes are no whole records",
        content.len()
    );
    let parse = |record: &[u8]| -> Query {
        std::array::from_fn(|entry| {
            f64::from_le_bytes(record[8 * entry..8 * entry + 8].try_into().expect("eight bytes"))
        })
    };
    let records = content.chunks_exact(RECORD);
    (records.clone().map(parse).collect(), records.map(|record| record[RECORD - 1] == 1).collect())
}
