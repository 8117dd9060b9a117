//! The library on all published queries: no false negative, no false positive, and time brackets that hold the exact
//! first contact, on every SIMD level.

mod support;

use pccd::elementary::Settings;
use support::check;
use support::detector::{Detector, supported_levels};
use support::ground_truth::{self, QueryFile};
use support::oracle::{Shortcuts, first_contact};
use support::report::Failures;
use support::time::Time;

#[test]
fn published_answers() {
    let Some(files) = ground_truth::load_all() else { return };
    let mut detector = Detector::new();
    let mut failures = Failures::default();
    println!(
        "{:<56} {:>7} {:>8} {:>8} {:>9} {:>9} {:>6}",
        "file", "level", "queries", "hits", "false neg", "false pos", "other"
    );
    let mut totals = [0; 5];
    for file in &files {
        let exact: Vec<Option<Time>> =
            file.queries.iter().map(|query| first_contact(file.kind, query, Shortcuts::On)).collect();
        for level in supported_levels() {
            let settings = Settings::default();
            let answers = detector.run(level, file.kind, &file.queries, &settings);
            let mut counts = [file.queries.len(), 0, 0, 0, 0];
            for (index, query) in file.queries.iter().enumerate() {
                let answer = answers[index].as_ref();
                counts[1] += usize::from(answer.is_some());
                // The published answer decides; the oracle adds the time.
                counts[2] += usize::from(file.collides[index] && answer.is_none());
                counts[3] += usize::from(!file.collides[index] && answer.is_some());
                let checked = match exact[index].is_some() == file.collides[index] {
                    true => check::check(file.kind, query, &settings, answer, exact[index].as_ref()),
                    false => Err("the oracle contradicts the published answer".into()),
                };
                if let Err(problem) = checked {
                    counts[4] += usize::from(answer.is_some() == file.collides[index]);
                    failures.add(&label(file, index, level), file.kind, query, &problem);
                }
            }
            totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
            print_row(&file.name, &format!("{level:?}"), counts);
        }
    }
    print_row("all files and levels", "", totals);
    failures.finish("ground truth");
}

fn print_row(name: &str, level: &str, [queries, hits, negatives, positives, other]: [usize; 5]) {
    println!("{name:<56} {level:>7} {queries:>8} {hits:>8} {negatives:>9} {positives:>9} {other:>6}");
}

fn label(file: &QueryFile, index: usize, level: pccd::simd::Level) -> String {
    format!("{} query {index} on {level:?}", file.name)
}
