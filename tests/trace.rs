//! Traces: valid JSON and CSV, and what they tell can have happened.

use pccd::capi::*;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::{fs, mem, ptr};

const SIDE: usize = 40;

/// A sheet with waves that pass through each other.
fn positions(time: f64) -> Vec<[f64; 3]> {
    let at = |i: usize| {
        let (u, v) = ((i % SIDE) as f64 / SIDE as f64, (i / SIDE) as f64 / SIDE as f64);
        let phase = 20.0 * u + 2.0 * v + time;
        [u + 0.1 * phase.sin(), v, 0.1 * phase.cos()]
    };
    (0..SIDE * SIDE).map(at).collect()
}

fn triangles() -> Vec<[u32; 3]> {
    let corners = (0..SIDE - 1).flat_map(|row| (0..SIDE - 1).map(move |column| (row * SIDE + column) as u32));
    corners
        .flat_map(|a| [[a, a + 1, a + SIDE as u32], [a + 1, a + SIDE as u32 + 1, a + SIDE as u32]])
        .collect()
}

fn view<T>(data: &[T], format: u32) -> pccd_view {
    pccd_view { data: data.as_ptr().cast(), count: data.len() as u64, stride: 0, format, reserved: 0 }
}

/// Records a run with so many threads, writes it to all files, and returns its stats.
fn record(threads: u32, scheduler: u32, files: &[&Path]) -> pccd_query_stats {
    let (start, end, triangles) = (positions(0.0), positions(0.3), triangles());
    // SAFETY: every pointer is to a local variable of the right type and size.
    unsafe {
        let mut def: pccd_context_def = mem::zeroed();
        assert_eq!(pccd_context_def_init(&mut def, size_of::<pccd_context_def>()), PCCD_OK);
        (def.thread_count, def.scheduler) = (threads, scheduler);
        let mut context = ptr::null_mut();
        assert_eq!(pccd_context_create(&def, &mut context), PCCD_OK);
        let mut mesh_def: pccd_mesh_def = mem::zeroed();
        assert_eq!(pccd_mesh_def_init(&mut mesh_def, size_of::<pccd_mesh_def>()), PCCD_OK);
        mesh_def.positions = view(&start, PCCD_FORMAT_F64X3);
        mesh_def.triangles = view(&triangles, PCCD_FORMAT_U32X3);
        let mut mesh = pccd_mesh { id: 0 };
        let mut bvh = pccd_bvh { id: 0 };
        let mut query = pccd_query { id: 0 };
        assert_eq!(pccd_mesh_create(context, &mesh_def, &mut mesh), PCCD_OK);
        assert_eq!(pccd_bvh_create(context, ptr::null(), &mut bvh), PCCD_OK);
        assert_eq!(pccd_bvh_add(context, bvh, mesh), PCCD_OK);
        assert_eq!(pccd_query_create(context, ptr::null(), &mut query), PCCD_OK);
        assert_eq!(pccd_mesh_move(context, mesh, &view(&end, PCCD_FORMAT_F64X3)), PCCD_OK);
        assert_eq!(pccd_trace_enable(context, query, 1), PCCD_OK);
        assert_eq!(pccd_query_run(context, query, bvh), PCCD_OK);
        for file in files {
            let path = CString::new(file.to_str().unwrap()).unwrap();
            assert_eq!(pccd_trace_write(context, query, path.as_ptr()), PCCD_OK);
        }
        let mut stats: pccd_query_stats = mem::zeroed();
        assert_eq!(pccd_query_stats_init(&mut stats, size_of::<pccd_query_stats>()), PCCD_OK);
        assert_eq!(pccd_query_stats_get(context, query, &mut stats), PCCD_OK);
        assert_eq!(pccd_context_destroy(context), PCCD_OK);
        stats
    }
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()))
}

#[test]
fn a_trace_is_what_may_have_happened() {
    for (threads, scheduler) in
        [(1, PCCD_SCHEDULER_ASSIGNMENT), (3, PCCD_SCHEDULER_ASSIGNMENT), (3, PCCD_SCHEDULER_STEALING)]
    {
        let path = file("trace").with_extension("json");
        let stats = record(threads, scheduler, &[&path]);
        let text = fs::read_to_string(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let trace: Value = serde_json::from_str(&text).expect("valid JSON");
        let events = trace["traceEvents"].as_array().unwrap();

        let named: HashSet<u64> = events
            .iter()
            .filter(|event| event["ph"] == "M" && event["name"] == "thread_name")
            .map(|event| event["tid"].as_u64().unwrap())
            .collect();
        assert_eq!(named, (0..u64::from(threads)).collect());

        let units: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
        let counted = units.iter().filter(|unit| unit["name"] != "serial").count() as u64;
        assert_eq!(counted, stats.units);
        let mut phases = HashMap::new();
        let mut times: HashMap<u64, Vec<(f64, f64)>> = HashMap::new();
        for unit in &units {
            let (begin, length) = (unit["ts"].as_f64().unwrap(), unit["dur"].as_f64().unwrap());
            assert!(begin >= 0.0 && length >= 0.0 && begin + length <= 1e3 * stats.ms_total, "{unit}");
            assert!(unit["pid"] == 1 && named.contains(&unit["tid"].as_u64().unwrap()), "{unit}");
            times.entry(unit["tid"].as_u64().unwrap()).or_default().push((begin, begin + length));
            let number = unit["args"]["number"].as_u64().unwrap();
            let before = phases.insert(number, (unit["args"]["phase"].as_u64().unwrap(), begin));
            assert!(before.is_none(), "two units have number {number}");
        }
        // A unit comes out of one that has begun before, in the same phase.
        for unit in units.iter().filter(|unit| !unit["args"]["parent"].is_null()) {
            let (phase, begin) = phases[&unit["args"]["parent"].as_u64().unwrap()];
            assert!(unit["args"]["phase"] == phase && unit["ts"].as_f64().unwrap() >= begin, "{unit}");
        }
        // Nobody does two things at once. Times are rounded to nanoseconds.
        for times in times.values_mut() {
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            assert!(times.windows(2).all(|pair| pair[0].1 <= pair[1].0 + 0.002), "{times:?}");
        }
        // One worker refits a mesh as a whole.
        let cut = (threads > 1).then_some("vertices");
        for name in ["refit", "self", "serial", "sort"].into_iter().chain(cut) {
            assert!(units.iter().any(|unit| unit["name"] == name), "no {name}");
        }
    }
}

#[test]
fn the_table_tells_the_same_as_the_trace() {
    let [json, csv] = ["json", "csv"].map(|extension| file("both").with_extension(extension));
    record(2, PCCD_SCHEDULER_ASSIGNMENT, &[&json, &csv]);
    let trace: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let table = fs::read_to_string(&csv).unwrap();
    fs::remove_file(json).unwrap();
    fs::remove_file(csv).unwrap();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("number,parent,phase,worker,weight,begin,end,kind"));
    let units = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X");
    let mut count = 0;
    for (unit, line) in units.zip(&mut lines) {
        let columns: Vec<&str> = line.split(',').collect();
        let number = |column: usize| columns[column].parse::<u64>().unwrap();
        let args = &unit["args"];
        assert!(args["number"] == number(0) && args["phase"] == number(2), "{line} {unit}");
        assert_eq!(args["parent"].as_u64().map(|parent| parent.to_string()).unwrap_or_default(), columns[1]);
        assert!(unit["tid"] == number(3) && args["weight"] == number(4), "{line} {unit}");
        assert!((unit["ts"].as_f64().unwrap() * 1e3 - number(5) as f64).abs() < 1.0, "{line} {unit}");
        let length = (number(6) - number(5)) as f64;
        assert!((unit["dur"].as_f64().unwrap() * 1e3 - length).abs() < 1.0, "{line} {unit}");
        let kinds = ["vertices", "refit", "rebuild", "self", "pair", "sort", "serial"];
        assert_eq!(unit["name"], kinds[number(7) as usize]);
        count += 1;
    }
    assert!(count > 10 && lines.next().is_none());
}
