//! One table with everything that the targets are about.

use super::inputs::Input;
use super::measure::{Errors, Method, Runner};
use super::query_files::QuerySet;

/// What a group of inputs has to achieve at the best SIMD level, over all its queries.
#[derive(Clone, Copy)]
pub enum Target {
    /// Time a query, as a multiple of the textbook method's.
    Ratio(f64),
    /// Mean and worst nanoseconds a query.
    MeanAndWorst(f64, f64),
}

/// Measures a group of inputs, one by one and all together, and prints a row for each.
pub fn print_group(title: &str, inputs: &[Input], target: Target) {
    let methods = Method::all();
    let with_worst = matches!(target, Target::MeanAndWorst(..));
    let mut runner = Runner::new();

    println!("\n{title}: ns a query{}", if with_worst { ", mean and worst" } else { "" });
    print_header(&methods, with_worst);
    for input in inputs {
        let sets: Vec<&QuerySet> = input.sets.iter().collect();
        Row::measure(&mut runner, &methods, &sets, with_worst).print(&input.name);
    }
    let sets: Vec<&QuerySet> = inputs.iter().flat_map(|input| &input.sets).collect();
    let total = Row::measure(&mut runner, &methods, &sets, with_worst);
    total.print("total");
    println!("{}", total.verdict(target));
}

fn print_header(methods: &[Method], with_worst: bool) {
    print!("{:26} {:>8} {:>8}", "input", "queries", "hits");
    for method in methods {
        print!(" | {:>8}", method.name());
        if with_worst {
            print!(" {:>8}", "worst");
        }
        match method {
            Method::Textbook => print!(" {:>6} {:>6}", "missed", "false"),
            Method::Library(_) => print!(" {:>6}", "ratio"),
        }
    }
    println!(" | {:>6} {:>6}", "missed", "false");
}

/// The measurements of one input. One entry a method; the first is the textbook method.
struct Row {
    queries: usize,
    hits: usize,
    mean: Vec<f64>,
    /// Empty where it isn't asked for.
    worst: Vec<f64>,
    textbook_errors: Errors,
    /// The largest of all levels, which should be none.
    library_errors: Errors,
}

impl Row {
    fn measure(runner: &mut Runner, methods: &[Method], sets: &[&QuerySet], with_worst: bool) -> Row {
        let mut library_errors = Errors { misses: 0, false_alarms: 0 };
        for method in &methods[1..] {
            let errors = runner.errors(*method, sets);
            library_errors.misses = library_errors.misses.max(errors.misses);
            library_errors.false_alarms = library_errors.false_alarms.max(errors.false_alarms);
        }
        let worst = if with_worst { methods } else { &[] };
        Row {
            queries: sets.iter().map(|set| set.queries.len()).sum(),
            hits: sets.iter().flat_map(|set| &set.collides).filter(|&&collides| collides).count(),
            mean: runner.nanoseconds(methods, sets),
            worst: worst.iter().map(|&method| runner.worst_nanoseconds(method, sets)).collect(),
            textbook_errors: runner.errors(Method::Textbook, sets),
            library_errors,
        }
    }

    fn print(&self, name: &str) {
        print!("{name:26} {:8} {:8}", self.queries, self.hits);
        for (index, mean) in self.mean.iter().enumerate() {
            print!(" | {mean:8.1}");
            if let Some(worst) = self.worst.get(index) {
                print!(" {worst:8.0}");
            }
            if index == 0 {
                print!(" {:6} {:6}", self.textbook_errors.misses, self.textbook_errors.false_alarms);
            } else {
                print!(" {:6.2}", mean / self.mean[0]);
            }
        }
        println!(" | {:6} {:6}", self.library_errors.misses, self.library_errors.false_alarms);
    }

    fn verdict(&self, target: Target) -> String {
        let best = self.mean.len() - 1;
        let errors = self.library_errors;
        if errors.misses > 0 || errors.false_alarms > 0 {
            // Speed is worth nothing then.
            return format!("NOT MET: the library missed {}, {} false", errors.misses, errors.false_alarms);
        }
        let (wanted, met) = match target {
            Target::Ratio(ratio) => {
                (format!("at most {ratio:.2} times the textbook"), self.mean[best] <= ratio * self.mean[0])
            }
            Target::MeanAndWorst(mean, worst) => (
                format!("mean below {mean} ns, worst below {worst} ns"),
                self.mean[best] < mean && self.worst[best] < worst,
            ),
        };
        format!("target: {wanted}: {}", if met { "met" } else { "NOT MET" })
    }
}
