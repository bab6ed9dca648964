//! The report for people.

use super::problem::Sense;
use super::report::Report;
use super::solve::{Ended, Found, Outcome, Unfound, Witness};
use crate::cli::text::{Column, counted, fixed, say, table, wrapped};

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    let (file, players) = (report.file, counted(report.names.len(), "player"));
    let wanted = match report.sense {
        Sense::Minimize => "least cost",
        Sense::Maximize => "greatest value",
    };
    say(&mut out, format_args!("{file}: {players}, {wanted}\n"));
    match report.outcome {
        Outcome::Found(found) => {
            out += &groups(report, found);
            waiting(&mut out, report, found);
            totals(&mut out, report, found);
        }
        Outcome::Infeasible(witness) => infeasible(&mut out, report, witness),
        Outcome::Unknown(unfound) => unknown(&mut out, report, unfound),
    }
    footer(&mut out, report);
    out
}

/// `cost`, or `value` where it is to be great.
fn noun(report: &Report<'_>) -> &'static str {
    match report.sense {
        Sense::Minimize => "cost",
        Sense::Maximize => "value",
    }
}

fn list(report: &Report<'_>, players: &[usize]) -> String {
    let names: Vec<String> = players.iter().map(|&player| report.names.text(player)).collect();
    names.join(" ")
}

/// The table of groups, with the range of ratings where there are any.
fn groups(report: &Report<'_>, found: &Found) -> String {
    let costs = || found.groups.iter().map(|(_, cost)| report.scale.number(*cost));
    let decimals = costs().map(|cost| cost.decimals()).max().unwrap_or(0);
    let mut header = vec![Column::right("group"), Column::right(noun(report))];
    if report.pool.is_some() {
        header.push(Column::right("ratings"));
    }
    header.push(Column::left("members"));
    let rows = found
        .groups
        .iter()
        .zip(costs())
        .enumerate()
        .map(|(at, ((members, _), cost))| {
            let mut row = vec![(at + 1).to_string(), fixed(&cost.to_string(), decimals)];
            if let Some(pool) = report.pool {
                let ratings = members.iter().map(|&player| pool.players()[player].rating);
                let least = ratings.clone().fold(f64::INFINITY, f64::min);
                let most = ratings.fold(f64::NEG_INFINITY, f64::max);
                row.push(format!("{least:.0} to {most:.0}"));
            }
            row.push(list(report, members));
            row
        });
    table(&header, rows)
}

fn waiting(out: &mut String, report: &Report<'_>, found: &Found) {
    if !found.waiting.is_empty() {
        *out += "\n";
        wrapped(out, "waiting: ", &list(report, &found.waiting));
    }
}

fn totals(out: &mut String, report: &Report<'_>, found: &Found) {
    let (groups, total) = (counted(found.groups.len(), "group"), report.scale.number(found.total));
    let noun = noun(report);
    say(out, format_args!("\n{groups}, total {noun} {total}"));
    let ended = match found.ended {
        Ended::AllTried => return say(out, format_args!("optimal: all groupings were tried")),
        Ended::Itself => "the search ended by itself",
        Ended::Target => "stopped by the target",
        Ended::WorkLimit => "stopped by the work-limit",
        Ended::TimeLimit => "stopped by the time-limit",
    };
    say(out, format_args!("feasible: {ended}; better groups are not ruled out"));
}

fn infeasible(out: &mut String, report: &Report<'_>, witness: &Witness) {
    match witness {
        Witness::TooFew { players, size } => {
            let players = counted(*players, "player");
            say(out, format_args!("infeasible: {players}, and a group has {size}"));
        }
        Witness::PartyTooLarge { party, most } => {
            let members = counted(party.len(), "member");
            say(
                out,
                format_args!("infeasible: a party of {members}, and a group has at most {most}:"),
            );
            say(out, format_args!("  {}", list(report, party)));
        }
        Witness::PartyApart { party, pair } => {
            let [a, b] = pair.map(|player| report.names.text(player));
            say(
                out,
                format_args!("infeasible: {a} and {b} must not be together, and are in one party:"),
            );
            say(out, format_args!("  {}", list(report, party)));
        }
        Witness::PartiesDoNotFit { parties } => {
            say(
                out,
                format_args!("infeasible: these parties cannot be packed whole into the groups:"),
            );
            for party in parties {
                say(out, format_args!("  {}", list(report, party)));
            }
        }
    }
}

fn unknown(out: &mut String, report: &Report<'_>, unfound: &Unfound) {
    match unfound {
        Unfound::Forbidden { members } => {
            say(
                out,
                format_args!("unknown: no groups without a forbidden pair were found; the best still have this group:"),
            );
            say(out, format_args!("  {}", list(report, members)));
        }
        Unfound::Packing { steps } => say(
            out,
            format_args!("unknown: no way to pack the parties whole was found in {steps} steps"),
        ),
    }
}

/// How it was found, and how long it took.
fn footer(out: &mut String, report: &Report<'_>) {
    let (engine, seed, seconds) = (report.engine(), report.seed, report.spent.seconds());
    let work = match report.outcome {
        Outcome::Found(found) => format!(", {} moves looked at", found.work),
        Outcome::Infeasible(_) | Outcome::Unknown(_) => String::new(),
    };
    say(out, format_args!("engine {engine}, seed {seed}{work}, {seconds:.3} s"));
}
