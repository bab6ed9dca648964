//! Several games each, for people.

use matchmaking::Rounds;

use super::reason::{Words, infeasible, unexplained};
use super::report::GamesReport;
use crate::cli::args::{CostArg, ObjectiveArg};
use crate::cli::fairness::{Of, Strength};
use crate::cli::names::Names;
use crate::cli::pair::report::{Baseline, Compared, PoolReport, Report};
use crate::cli::pair::solve::{Matched, Outcome};
use crate::cli::pair::text::{graph_pairs, money, noun, percent, stopper, unknown};
use crate::cli::text::{Column, counted, counted_as, in_a_row, points, printable, say, table, wrapped};

/// So many are named in a line.
const MOST_NAMED: usize = 20;

/// What was asked, and what came of it.
pub(in crate::cli::pair) fn render(report: &Report<'_>, games: &GamesReport) -> String {
    let mut out = headline(report, games);
    match report.outcome {
        Outcome::Matched(matched) => found(&mut out, report, games, matched),
        Outcome::Unknown { bound, .. } => {
            let what = format!("{} for everybody were", Words::of(report).games);
            unknown(&mut out, report, *bound, (&what, &format!("no {}s", things(report))));
        }
        Outcome::Lacking(lack) => infeasible(&mut out, report, games, lack),
        Outcome::Unexplained(_) => unexplained(&mut out, report, games),
        // Those who should have several games are told why by another witness.
        Outcome::Infeasible(_) => {}
    }
    out
}

fn headline(report: &Report<'_>, games: &GamesReport) -> String {
    let (file, n, objective) = (printable(report.file), report.names.len(), report.objective.word());
    let wanted = games.numbers.everybody;
    let others = match games.others() {
        0 => String::new(),
        others => format!(
            " ({})",
            counted_as(others, "player has another number", "players have other numbers")
        ),
    };
    match &report.pool {
        Some(pool) => {
            let (players, cost) = (counted(n, "player"), pool.cost.word());
            let noun = if wanted.most() == 1 { "game" } else { "games" };
            let limits = pool.limits();
            format!("{file}: {players}, {wanted} {noun} each{others}, {objective} by {cost}{limits}\n\n")
        }
        None => {
            let (vertices, edges) = (counted_as(n, "vertex", "vertices"), counted(report.edges, "edge"));
            let noun = if wanted.most() == 1 { "partner" } else { "partners" };
            format!("{file}: {vertices}, {edges}, {wanted} {noun} each, {objective}\n\n")
        }
    }
}

/// The games, and what they come to.
fn found(out: &mut String, report: &Report<'_>, games: &GamesReport, matched: &Matched) {
    match &report.pool {
        Some(pool) => {
            players(out, report, games);
            if let Some(rematches) = &pool.rematches {
                rematches.say(out, report.names, noun(report));
            }
            if let Some(limited) = &pool.limited {
                limited.say(out, report.names, noun(report));
            }
            comparison(out, report, games, pool);
            fairness(out, pool);
        }
        None => {
            *out += &graph_pairs(report, matched, &money(report, matched));
            missing(out, report, games);
        }
    }
    totals(out, report, games, matched);
}

/// A line for each player.
fn players(out: &mut String, report: &Report<'_>, games: &GamesReport) {
    let Names::Players(pool) = report.names else { return };
    let has_choice = games.least != games.most || games.others() > 0;
    let mut header = vec![Column::left("player"), Column::right("rating")];
    header.extend(has_choice.then(|| Column::right("wanted")));
    header.push(Column::right("games"));
    let timetable = games.timetable();
    let count = games.rounds.as_ref().map(Rounds::len);
    let titles: Vec<String> = match count {
        Some(count) => (1..=count).map(|round| format!("round {round}")).collect(),
        None => vec!["opponents".to_owned()],
    };
    header.extend(titles.iter().map(|title| Column::left(title)));
    let rows = games.opponents.iter().enumerate().map(|(player, opponents)| {
        let rating = points(pool.players()[player].rating);
        let mut row = vec![report.names.text(player), rating];
        row.extend(has_choice.then(|| match games.wanted(player) {
            (least, most) if least == most => most.to_string(),
            (least, most) => format!("{least}..{most}"),
        }));
        row.push(opponents.len().to_string());
        match count {
            Some(_) => row.extend(timetable[player].iter().map(|other| match other {
                Some(other) => report.names.text(*other),
                None => "-".to_owned(),
            })),
            None => row.push(named(report, opponents)),
        }
        row
    });
    *out += &table(&header, rows);
}

/// Ids one after the other.
fn named(report: &Report<'_>, of: &[usize]) -> String {
    let names: Vec<String> = of.iter().map(|&v| report.names.text(v)).collect();
    in_a_row(&names)
}

/// The same, where they may be many.
pub(super) fn shortly_named(report: &Report<'_>, of: &[usize]) -> String {
    let names = named(report, &of[..of.len().min(MOST_NAMED)]);
    match of.len().saturating_sub(MOST_NAMED) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// Vertices that have fewer partners than the most, which no table shows.
fn missing(out: &mut String, report: &Report<'_>, games: &GamesReport) {
    let lacking: Vec<usize> = (0..games.most.len()).filter(|&v| games.missing_of(v) > 0).collect();
    if lacking.is_empty() {
        return;
    }
    let has = |&v: &usize| format!("{} has {}", report.names.text(v), games.opponents[v].len());
    let mut text = lacking.iter().take(MOST_NAMED).map(has).collect::<Vec<_>>().join(", ");
    if lacking.len() > MOST_NAMED {
        text += &format!(" and {} more", lacking.len() - MOST_NAMED);
    }
    *out += "\n";
    wrapped(
        out,
        &format!("fewer partners than {}: ", games.numbers.everybody.most()),
        &text,
    );
}

/// These games beside others of the same pool.
fn comparison(out: &mut String, report: &Report<'_>, games: &GamesReport, pool: &PoolReport<'_>) {
    let unit = match pool.cost {
        CostArg::Skill if !games.is_priced() && !pool.has_prices() => "total rating gap".to_owned(),
        _ => format!("total {}", noun(report)),
    };
    let header = [
        Column::left(""),
        Column::right("games"),
        Column::right("missing"),
        Column::right("mean rating gap"),
        Column::right(&unit),
    ];
    let what = |compared: &Compared| match compared.what {
        Baseline::This => "these games".to_owned(),
        Baseline::Skill => "neighbours by rating".to_owned(),
        Baseline::Random => format!("random, seed {}", pool.seed),
    };
    let rows = pool.comparison.iter().map(|compared| {
        let gap = compared.mean_gap.map(|gap| format!("{gap:.1}"));
        vec![
            what(compared),
            compared.games.to_string(),
            compared.missing.unwrap_or(0).to_string(),
            gap.unwrap_or_else(|| "-".to_owned()),
            format!("{:.2}", report.number(compared.cost).to_f64()),
        ]
    });
    *out += "\n";
    *out += &table(&header, rows);
}

/// How parts of the pool fare by these games, and how they would by the others.
fn fairness(out: &mut String, pool: &PoolReport<'_>) {
    let (Some(segments), [this, skill, random]) = (&pool.segments, &pool.comparison[..]) else {
        return;
    };
    let header = [
        Column::left("who fares how"),
        Column::right("players"),
        Column::right("games each"),
        Column::right("mean rating gap"),
        Column::right("own chance to win"),
        Column::right("stays after a game"),
        Column::right("by rating"),
        Column::right("at random"),
    ];
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let rows = segments.iter().enumerate().map(|(number, segment)| {
        let measured = &this.of_games[number];
        let stay = |compared: &Compared| or_none(compared.of_games[number].stay_chance.map(percent));
        let each = (measured.players > 0).then(|| measured.games as f64 / measured.players as f64);
        vec![
            Of::new(&segment.kind, Strength::Rating).text(),
            measured.players.to_string(),
            or_none(each.map(|each| format!("{each:.1}"))),
            or_none(measured.mean_rating_gap.map(|gap| format!("{gap:.1}"))),
            or_none(measured.win_chance.map(percent)),
            stay(this),
            stay(skill),
            stay(random),
        ]
    });
    *out += "\n";
    *out += &table(&header, rows);
}

fn totals(out: &mut String, report: &Report<'_>, games: &GamesReport, matched: &Matched) {
    let (cost, bound) = (report.number(matched.cost), report.number(matched.bound));
    let (things, noun) = (things(report), noun(report));
    let count = counted(matched.pairs.len(), things);
    let missing = match games.missing() {
        0 => String::new(),
        missing if games.is_priced() => {
            let total = report.number(games.missing_total());
            let word = if noun == "cost" { "cost" } else { "weigh" };
            format!(", and {missing} missing, which {word} {total}")
        }
        missing => format!(", and {missing} missing"),
    };
    say(out, format_args!("\n{count}{missing}; total {noun} {cost}"));
    if let Some(rounds) = &games.rounds {
        let count = counted(rounds.len(), "round");
        let fewer = match rounds.at_least() {
            least if least == rounds.len() => "no fewer will do".to_owned(),
            least => format!("{least} at least are needed"),
        };
        let overfull = match rounds.overfull() {
            [] => String::new(),
            overfull => {
                let fewer = rounds.at_least() - 1;
                format!(
                    ", as {} have more games among them than fit into {fewer}",
                    shortly_named(report, overfull)
                )
            }
        };
        let text = format!("{count}, in each of which everybody plays once at most; {fewer}{overfull}");
        wrapped(out, "", &text);
    }
    match report.stopped() {
        None => {
            let word = match report.objective {
                ObjectiveArg::MinPerfect => "cost less",
                _ => "weigh more",
            };
            say(out, format_args!("optimal: no {things}s {word} (bound {bound})"));
        }
        Some(limit) => {
            let (gap, limit) = (100.0 * report.gap().unwrap_or(f64::INFINITY), stopper(limit));
            say(
                out,
                format_args!("feasible: stopped by {limit}; bound {bound}, gap {gap:.3} %"),
            );
        }
    }
}

/// Pairs of players are games.
fn things(report: &Report<'_>) -> &'static str {
    if report.pool.is_some() { "game" } else { "pair" }
}
