//! Where this project's solver is not the best.

use benches::comparison::{Cell, Stop};

use crate::numbers;
use crate::roster::{OURS, OURS_THREADS};
use crate::rows::Row;

/// One sentence: on how many instances who is fastest.
pub(crate) fn summary(rows: &[Row<'_>]) -> String {
    let met = |row: &&Row<'_>| row.cell(OURS).is_some() && row.best_peer().is_some();
    let (met, alone): (Vec<&Row<'_>>, Vec<&Row<'_>>) =
        rows.iter().filter(|row| row.cell(OURS).is_some()).partition(met);
    let lost = met.iter().filter(|row| row.is_lost()).count();
    if met.is_empty() && alone.is_empty() {
        return format!("`{OURS}` has not been measured.");
    }
    let mut text = format!(
        "On one thread, `{OURS}` is the fastest on {} of the {} instances that a peer solves within the limit, and on \
         {lost} a peer is faster.",
        met.len() - lost,
        met.len(),
    );
    let alone = alone.iter().filter(|row| row.seconds(OURS).is_some()).count();
    if alone > 0 {
        text += &format!(" It also solves {alone} that no peer does.");
    }
    text
}

/// The section: instances lost to a peer, worst first; then where threads do not pay; then wrong or failed answers.
pub(crate) fn section(rows: &[Row<'_>]) -> String {
    let mut lost: Vec<(f64, &Row<'_>)> = rows
        .iter()
        .filter(|row| row.is_lost())
        .filter_map(|row| Some((row.seconds(OURS).unwrap_or(f64::INFINITY) / row.best_peer()?.1, row)))
        .collect();
    lost.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut text = String::new();
    if lost.is_empty() {
        text += "Nowhere on the instances above, on one thread.\n";
    } else {
        text += "One thread each, least CPU time, the worst first:\n\n";
        text += &format!("| family | n | {OURS} | best peer | its time | ratio |\n");
        text += "| --- | ---: | ---: | --- | ---: | ---: |\n";
    }
    for (ratio, row) in lost {
        let ours = row.cell(OURS).map(|cell| match row.seconds(OURS) {
            Some(seconds) => numbers::seconds(seconds),
            None => numbers::time_text(cell, false),
        });
        let (peer, time) = row.best_peer().unwrap_or_default();
        let ratio = if ratio.is_finite() {
            format!("{ratio:.2}")
        } else {
            "-".to_owned()
        };
        text += &format!(
            "| {} | {} | {} | {peer} | {} | {ratio} |\n",
            row.family.name(),
            row.vertices,
            ours.unwrap_or_default(),
            numbers::seconds(time)
        );
    }
    text + &threads(rows) + &answers(rows)
}

/// Dense instances on which all threads take longer than one.
fn threads(rows: &[Row<'_>]) -> String {
    let slower = rows.iter().filter(|row| row.family.is_dense()).filter_map(|row| {
        let wall = |solver| match row.cell(solver) {
            Some(Cell::Done { wall, .. }) => wall.map(|wall| wall.min),
            _ => None,
        };
        let ratio = wall(OURS_THREADS)? / wall(OURS)?;
        (ratio >= 1.005).then(|| format!("{} {} ({ratio:.2})", row.family.name(), row.vertices))
    });
    let slower: Vec<String> = slower.collect();
    if slower.is_empty() {
        return String::new();
    }
    let list = slower.join(", ");
    format!("\nAll threads take longer on the wall than one (ratio in brackets) on these complete graphs: {list}.\n")
}

/// Instances on which this project's solver gave no answer, or not the right one.
fn answers(rows: &[Row<'_>]) -> String {
    let mut text = String::new();
    for row in rows {
        for solver in [OURS, OURS_THREADS] {
            if let Some(cell @ Cell::Stopped(stop)) = row.cell(solver)
                && *stop != Stop::NotAsked
            {
                let (name, n) = (row.family.name(), row.vertices);
                text += &format!("\n`{solver}` on {name} {n}: {}.\n", numbers::time_text(cell, false));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use benches::comparison::Spread;
    use benches::families::Family;

    use super::*;
    use crate::record::Record;
    use crate::results::Results;
    use crate::rows;

    fn results(times: &[(usize, &str, f64)]) -> Results {
        let record = |&(size, solver, min): &(usize, &str, f64)| Record {
            family: Family::Eomm,
            size,
            vertices: size,
            edges: size * (size - 1) / 2,
            solver: solver.to_owned(),
            cell: Cell::Done {
                cpu: Spread { min, median: min },
                wall: Some(Spread { min, median: min }),
                build: None,
                peak_kib: None,
                scan: None,
            },
            date: String::new(),
        };
        let mut results = Results::default();
        results.replace(times.iter().map(record).collect());
        results
    }

    #[test]
    fn losses_are_counted_on_one_thread_and_listed() {
        let times = [
            (100, OURS, 2.0),
            (100, "peer", 1.0),
            (200, OURS, 2.0),
            (200, "peer", 8.0),
            (500, OURS, 9.0),
        ];
        let results = results(&times);
        let rows = rows::all(&results);
        assert!(
            summary(&rows).contains("the fastest on 1 of the 2 instances"),
            "{}",
            summary(&rows)
        );
        assert!(
            section(&rows).contains("| eomm | 100 | 2.00 s | peer | 1.00 s | 2.00 |"),
            "{}",
            section(&rows)
        );
    }

    #[test]
    fn threads_that_do_not_pay_are_named() {
        let results = results(&[
            (100, OURS, 2.0),
            (100, OURS_THREADS, 3.0),
            (200, OURS, 2.0),
            (200, OURS_THREADS, 1.0),
        ]);
        let text = section(&rows::all(&results));
        assert!(text.contains("complete graphs: eomm 100 (1.50)."), "{text}");
    }
}
