//! The report for people.

use markov::claims::{Claim, Estimate, Point, Value, Verdict};

use super::Report;
use crate::cli::text::{Column, counted, number, say, shortened, table, wrapped};

/// Labels and statements are cut to so many characters in the table.
const LABEL: usize = 40;
const STATEMENT: usize = 50;

/// So many points of a claim are shown; JSON has all.
const POINTS: usize = 3;

/// The whole report.
pub(super) fn render(report: &Report) -> String {
    let mut out = overview(&report.claims);
    let of = |verdict| report.claims.iter().filter(move |claim| claim.verdict == verdict);
    for claim in of(Verdict::HoldsAsRead) {
        say(
            &mut out,
            format_args!("\n{} {} holds as read", claim.paper.name(), claim.label),
        );
        wrapped(&mut out, "  printed:  ", claim.statement);
        wrapped(&mut out, "  reading:  ", claim.reading.unwrap_or("none is known"));
        evidence(&mut out, claim, "as read");
    }
    for claim in of(Verdict::DoesNotHold) {
        failure(&mut out, claim);
    }
    let count = |verdict: Verdict| format!("{} {}", of(verdict).count(), verdict.name());
    let counts = [Verdict::Holds, Verdict::HoldsAsRead, Verdict::DoesNotHold].map(count);
    let claims = counted(report.claims.len(), "claim");
    say(&mut out, format_args!("\n{claims}: {}", counts.join(", ")));
    simulations(&mut out, &report.claims);
    say(&mut out, format_args!("computed in {:.3} s", report.spent.seconds()));
    out
}

fn overview(claims: &[Claim]) -> String {
    let header = ["paper", "label", "verdict", "statement"].map(Column::left);
    let rows = claims.iter().map(|claim| {
        vec![
            claim.paper.name().to_owned(),
            shortened(claim.label, LABEL),
            claim.verdict.name().to_owned(),
            shortened(claim.statement, STATEMENT),
        ]
    });
    table(&header, rows)
}

/// A claim that does not hold: what is printed, what is true, and what could stand there instead.
fn failure(out: &mut String, claim: &Claim) {
    say(
        out,
        format_args!("\n{} {} does not hold", claim.paper.name(), claim.label),
    );
    wrapped(out, "  printed:  ", claim.statement);
    let form = claim.corrected_form.unwrap_or("no corrected form is known");
    wrapped(out, "  instead:  ", form);
    evidence(out, claim, "corrected");
}

/// A few points with all their values; `remedied` is what those of the remedy are called.
fn evidence(out: &mut String, claim: &Claim, remedied: &str) {
    let points = telling(claim);
    let is_simulated = points.iter().any(|point| point.simulated.is_some());
    let mut header = vec![
        Column::left("  at"),
        Column::left("printed"),
        Column::left("computed"),
        Column::left(remedied),
    ];
    if is_simulated {
        header.push(Column::left("simulated"));
    }
    let value = |value: &Option<Value>| value.as_ref().map_or_else(|| "-".to_owned(), number);
    let rows = points.iter().map(|point| {
        let mut row = vec![
            format!("  {}", place(point)),
            value(&point.printed),
            number(&point.computed),
            value(&point.corrected),
        ];
        if is_simulated {
            let estimate = point.simulated.as_ref();
            row.push(estimate.map_or_else(
                || "-".to_owned(),
                |estimate| format!("{:.5} ± {:.5}", estimate.mean, estimate.standard_error),
            ));
        }
        row
    });
    *out += &table(&header, rows);
    let hidden = claim.points.len() - points.len();
    if hidden > 0 {
        say(out, format_args!("  and {}", counted(hidden, "more point")));
    }
}

/// The parameters of a point; a statement about all of them has none.
fn place(point: &Point) -> String {
    if point.at.is_empty() {
        return "-".to_owned();
    }
    let named = point.at.iter().map(|(name, value)| format!("{name} = {value}"));
    named.collect::<Vec<_>>().join(", ")
}

/// How far simulations and computed values are apart, if there were simulations.
fn simulations(out: &mut String, claims: &[Claim]) {
    let of_claim = |claim| simulated(claim).map(move |estimate| (estimate.z.abs(), claim));
    let all: Vec<(f64, &Claim)> = claims.iter().flat_map(of_claim).collect();
    let Some((z, claim)) = all.iter().max_by(|one, other| one.0.total_cmp(&other.0)) else {
        return;
    };
    say(
        out,
        format_args!(
            "simulated at {}: greatest |z| {z:.2}, {} {}",
            counted(all.len(), "point"),
            claim.paper.name(),
            claim.label
        ),
    );
}

fn simulated(claim: &Claim) -> impl Iterator<Item = Estimate> {
    claim.points.iter().filter_map(|point| point.simulated)
}

/// A few points, first of all those where the printed value is wrong.
fn telling(claim: &Claim) -> Vec<&Point> {
    let is_wrong = |point: &&Point| {
        !point
            .printed
            .as_ref()
            .is_some_and(|printed| printed.agrees_with(&point.computed))
    };
    let (mut points, others): (Vec<&Point>, Vec<&Point>) = claim.points.iter().partition(is_wrong);
    points.extend(others);
    points.truncate(POINTS);
    points
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::render;

    #[test]
    fn claims_that_do_not_hold_are_shown_at_a_few_points() {
        let text = render(&samples::report());
        let parts = [
            "xu     Lemma 1  holds-as-read  the mean of a long waiting time",
            "xu Lemma 1 holds as read\n  printed:  the mean",
            "  reading:  per team\n  at ",
            "printed  computed         as read\n",
            "  lambda2 = 3/2, lambda1 = 1/2  2        0.3333333 = 1/3  0.3333333 = 1/3\n",
            "xu (7) does not hold",
            "  instead:  k/8",
            "  k = 1/2  -                0.125",
            "  and 3 more points",
            "3 claims: 1 holds, 1 holds-as-read, 1 does-not-hold\nsimulated at 1 point: greatest |z| 1.00, xu (7)\n\
             computed in 1.500 s\n",
        ];
        for part in parts {
            assert!(text.contains(part), "{part:?} is missing in\n{text}");
        }
        assert!(!text.contains("xu (1) "), "{text}");
    }
}
