//! The table.

use crate::checks::quality;
use crate::problems::Instance;
use crate::turns::Run;

pub(crate) fn print_head() {
    println!("| problem | solver | CPU s | times ours | residual | largest relative error | negative entries |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
}

/// A row per solver; ours is the first.
pub(crate) fn print_rows(problem: &str, instance: &Instance, runs: &[Run]) {
    let ours = runs
        .first()
        .and_then(|run| run.outcome.as_ref().ok())
        .map(|(seconds, _)| *seconds);
    for Run { name, outcome } in runs {
        match outcome {
            Err(reason) => println!("| {problem} | {name} | {reason} | - | - | - | - |"),
            Ok((seconds, answer)) => {
                let found = quality(&instance.problem, instance.known.as_deref(), answer);
                let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
                println!(
                    "| {problem} | {name} | {} | {} | {:.1e} | {} | {} |",
                    digits(*seconds),
                    or_dash(ours.map(|ours| digits(seconds / ours))),
                    found.residual,
                    or_dash(found.error.map(|error| format!("{error:.1e}"))),
                    or_dash(found.negative.map(|count| count.to_string())),
                );
            }
        }
    }
}

/// Three significant digits.
fn digits(value: f64) -> String {
    let places = (2 - value.max(1e-6).log10().floor() as i32).max(0) as usize;
    format!("{value:.places$}")
}
