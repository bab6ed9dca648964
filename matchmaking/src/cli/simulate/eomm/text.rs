//! The report for people.

use matchmaking::eomm::statistics::Estimate;
use matchmaking::eomm::{Method, Results, SizeResults, published};

use super::{Report, Sweep};
use crate::cli::text::{Column, counted, printable, say, signed, table};

/// The whole report.
pub(super) fn render(report: &Report) -> String {
    let mut out = String::new();
    let results = &report.results;
    let pools = report.states.map_or_else(
        || "of new players each".to_owned(),
        |states| format!("drawn from {}", counted(states, "state")),
    );
    say(
        &mut out,
        format_args!(
            "Players who stay, mean of {} a size; pools {pools} (model {}, seed {})\n",
            counted(results.rounds() as usize, "round"),
            printable(&report.model),
            results.seed()
        ),
    );
    if let Some(stopped) = report.stopped() {
        out += &cut_short(report, stopped);
        if results.sizes().is_empty() {
            return out;
        }
        out.push('\n');
    }
    out += &retained(report);
    out += &parts(results);
    say(
        &mut out,
        format_args!("\nHow many more stay under one method than under another\n"),
    );
    out += &gains(results);
    if report.is_weekly() {
        say(
            &mut out,
            format_args!("\nWho stops within seven days, in per cent, by the last three outcomes\n"),
        );
        out += &by_last_three(report);
    }
    if let Some(sweep) = report.sweep.as_ref().filter(|sweep| !sweep.points.is_empty()) {
        let word = sweep.of.word();
        say(
            &mut out,
            format_args!(
                "\nPlayers of 100 whom each method is expected to keep beyond chance, with {word} spread by a factor\n"
            ),
        );
        out += &factors(sweep);
    }
    say(&mut out, format_args!("\nplayed in {:.1} s", report.spent.seconds()));
    out
}

/// How many rounds were played of those that were asked for, or which factors, where all rounds were.
fn cut_short(report: &Report, stopped: &str) -> String {
    let by = match stopped {
        "interrupt" => "an interrupt".to_owned(),
        limit => format!("the {limit}"),
    };
    let of_size = |pools: &SizeResults| format!("{} of {}", pools.rounds(), counted(pools.size(), "player"));
    let (what, one, played): (_, _, Vec<String>) = match &report.sweep {
        Some(sweep) if report.results.stop().is_none() => {
            let factors = sweep.points.iter().map(|(factor, _)| factor.to_string());
            ("factors of the sweep", "factor of the sweep", factors.collect())
        }
        _ => {
            let sizes = report.results.sizes().iter().map(of_size);
            ("rounds", "round", sizes.collect())
        }
    };
    match &played[..] {
        [] => format!("stopped by {by} before any {one} was played\n"),
        played => format!("stopped by {by}; {what} that were played: {}\n", played.join(", ")),
    }
}

fn retained(report: &Report) -> String {
    let header = ["players", "stayed", "± 95 %", "expected", "± 95 %", "paper"].map(Column::right);
    let columns: Vec<Column<'_>> = [Column::left("method")].into_iter().chain(header).collect();
    let rows = report.results.sizes().iter().flat_map(|pools| {
        Method::ALL.map(|method| {
            let result = pools.method(method);
            let paper = report.published(method, pools.size());
            vec![
                method.to_string(),
                pools.size().to_string(),
                format!("{:.2}", result.sampled.mean),
                reach(&result.sampled, 2),
                format!("{:.3}", result.expected.mean),
                reach(&result.expected, 3),
                paper.map_or_else(|| "-".to_owned(), |paper| format!("{paper:.2}")),
            ]
        })
    });
    table(&columns, rows)
}

fn gains(results: &Results) -> String {
    let header = [
        "players",
        "expected",
        "± 95 %",
        "pools",
        "stayed",
        "± 95 %",
        "Welch's t",
        "p",
    ]
    .map(Column::right);
    let columns: Vec<Column<'_>> = [Column::left("methods")].into_iter().chain(header).collect();
    let rows = results.sizes().iter().flat_map(|pools| {
        Method::CONTRASTS.map(|(one, other)| {
            let gain = pools.gain(one, other);
            let share = 100.0 * gain.pools.better as f64 / pools.rounds() as f64;
            vec![
                format!("{one} - {other}"),
                pools.size().to_string(),
                signed(gain.expected.mean, 3),
                reach(&gain.expected, 3),
                format!("{share:.1} %"),
                signed(gain.sampled.mean, 2),
                reach(&gain.sampled, 2),
                format!("{:.2}", gain.welch.t),
                probability(gain.welch.p),
            ]
        })
    });
    table(&columns, rows)
}

fn by_last_three(report: &Report) -> String {
    let header = ["this population", "± 95 %", "players", "paper"].map(Column::right);
    let columns: Vec<Column<'_>> = [Column::left("outcomes")].into_iter().chain(header).collect();
    let rows = published::TABLE_1.iter().filter_map(|&(letters, from, to)| {
        let found = report.after_three.iter().find(|row| row.letters() == letters)?;
        let percent = |tenths: u32| format!("{:.1}", f64::from(tenths) / 10.0);
        let paper = if from == to {
            percent(from)
        } else {
            format!("{} - {}", percent(from), percent(to))
        };
        Some(vec![
            letters.to_owned(),
            format!("{:.2}", 100.0 * found.churn.mean),
            format!("{:.2}", 100.0 * (found.churn.high - found.churn.mean)),
            found.players.to_string(),
            paper,
        ])
    });
    table(&columns, rows)
}

fn factors(sweep: &Sweep) -> String {
    let header = ["players", "WorstMM", "SkillMM", "EOMM", "± 95 %"].map(Column::right);
    let columns: Vec<Column<'_>> = [Column::left("factor")].into_iter().chain(header).collect();
    let rows = sweep.points.iter().flat_map(|(factor, results)| {
        results.sizes().iter().map(move |pools| {
            let of_100 = 100.0 / pools.size() as f64;
            let gain = |method| pools.gain(method, Method::Random).expected;
            let shown = |method| signed(of_100 * gain(method).mean, 4);
            let best = gain(Method::Engagement);
            vec![
                factor.to_string(),
                pools.size().to_string(),
                shown(Method::Worst),
                shown(Method::Skill),
                shown(Method::Engagement),
                reach_of(&best, of_100, 4),
            ]
        })
    });
    table(&columns, rows)
}

/// What intervals come from, where states are shared by rounds.
fn parts(results: &Results) -> String {
    let mut out = String::new();
    for pools in results.sizes() {
        let (size, players) = (pools.size(), counted(pools.size(), "player"));
        match pools.parts() {
            None => {}
            // Whether there are players enough for more parts is not seen then.
            Some(1) if pools.rounds() < results.rounds() => say(
                &mut out,
                format_args!("{players}: the rounds are of one part of the states, so nothing is known of other pools"),
            ),
            Some(1) => say(
                &mut out,
                format_args!(
                    "{players}: the states are of fewer than {} players, so nothing is known of other pools",
                    2 * size
                ),
            ),
            Some(parts) => say(
                &mut out,
                format_args!("{players}: intervals from {parts} parts of the states"),
            ),
        }
    }
    out
}

/// Half an interval; none where there is none.
fn reach(estimate: &Estimate, decimals: usize) -> String {
    reach_of(estimate, 1.0, decimals)
}

fn reach_of(estimate: &Estimate, unit: f64, decimals: usize) -> String {
    if estimate.high.is_finite() {
        format!("{:.decimals$}", unit * (estimate.high - estimate.mean))
    } else {
        "-".to_owned()
    }
}

fn probability(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{p:.4}")
    }
}
