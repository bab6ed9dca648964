//! The report for people.

use std::collections::BTreeMap;

use super::explain;
use super::fairness::Fairness;
use super::outcome::{Bound, BoundKind, Ended, Found, Outcome, Unfound, Wishes, Witness};
use super::problem::Sense;
use super::report::Report;
use crate::cli::fairness::{Of, Strength};
use crate::cli::text::{Column, counted, fixed, gap, in_a_row, points, printable, say, table, wrapped};

/// More pairs that must stay apart are counted, not listed.
const SHOWN: usize = 20;

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    let (file, players) = (printable(report.file), counted(report.names.len(), "player"));
    let wanted = match report.sense {
        Sense::Minimize => "least cost",
        Sense::Maximize => "greatest value",
    };
    say(&mut out, format_args!("{file}: {players}, {wanted}\n"));
    match report.outcome {
        Outcome::Found(found) => {
            out += &groups(report, found);
            waiting(&mut out, report, found);
            if let Some(rematches) = report.rematches() {
                rematches.say(&mut out, report.names, noun(report));
            }
            if let Some(fairness) = &report.fairness {
                out += &parts(fairness);
            }
            totals(&mut out, report, found);
            if let Some(explained) = &report.explained {
                explain::say(&mut out, report, found, explained);
                out.push('\n');
            }
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
    in_a_row(&names)
}

/// Members with what they play.
fn cast(report: &Report<'_>, members: &[usize], roles: &[Option<&str>]) -> String {
    let one = |(&player, role): (&usize, &Option<&str>)| {
        let name = report.names.text(player);
        role.map_or_else(|| name.clone(), |role| format!("{name} ({})", printable(role)))
    };
    let all: Vec<String> = members.iter().zip(roles).map(one).collect();
    match members
        .iter()
        .any(|&player| report.names.text(player).contains(char::is_whitespace))
    {
        true => all.join(", "),
        false => all.join(" "),
    }
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
                row.push(format!("{} to {}", points(least), points(most)));
            }
            row.push(match report.roles_of(at) {
                None => list(report, members),
                Some(roles) => cast(report, members, &roles),
            });
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

/// How parts of the pool fare by these groups, and what they would pay in others.
fn parts(fairness: &Fairness) -> String {
    let header = [
        Column::left("who fares how"),
        Column::right("players"),
        Column::right("in a group"),
        Column::right("mean rating gap"),
        Column::right("group's cost"),
        Column::right("own share"),
        Column::right("by rating"),
        Column::right("at random"),
    ];
    let one = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.1}"));
    let [(_, this), (_, rating), (_, random)] = &fairness.groupings;
    let rows = fairness.segments.iter().enumerate().map(|(number, segment)| {
        let figures = &this[number];
        vec![
            Of::new(&segment.kind, Strength::Rating).text(),
            figures.players.to_string(),
            figures.playing.to_string(),
            one(figures.mean_rating_gap),
            one(figures.mean_group_cost),
            one(figures.mean_share),
            one(rating[number].mean_share),
            one(random[number].mean_share),
        ]
    });
    format!("\n{}", table(&header, rows))
}

fn totals(out: &mut String, report: &Report<'_>, found: &Found) {
    let (groups, total) = (counted(found.groups.len(), "group"), report.scale.number(found.total));
    let noun = noun(report);
    say(out, format_args!("\n{groups}, total {noun} {total}"));
    match found.bound {
        Some(bound) if found.is_optimal() => optimal(out, report, bound),
        Some(bound) => feasible(out, report, found, bound),
        None => {
            let ended = ended(found.ended);
            say(out, format_args!("feasible: {ended}; better groups are not ruled out"));
        }
    }
}

/// What a bound rests on that no certificate is needed for.
const ALONE: &str = "by what each player alone has at best";

/// What says that there are no better groups.
fn optimal(out: &mut String, report: &Report<'_>, bound: Bound) {
    if bound.kind == BoundKind::AllTried {
        return say(out, format_args!("optimal: all groupings were tried"));
    }
    let proof = match bound.kind {
        BoundKind::LeastCosts => ALONE,
        BoundKind::Duals => "certificate verified (dual values)",
        BoundKind::Cases => "certificate verified (dual values and a tree of cases)",
        BoundKind::Pairing | BoundKind::AllTried => "certificate verified (dual values of a pairing)",
    };
    let worse = match report.sense {
        Sense::Minimize => "no groups cost less",
        Sense::Maximize => "no groups have a greater value",
    };
    let total = report.scale.number(bound.total);
    say(out, format_args!("optimal: {worse} (bound {total}); {proof}"));
}

/// How far the groups can be from the best ones.
fn feasible(out: &mut String, report: &Report<'_>, found: &Found, bound: Bound) {
    let limit = match report.sense {
        Sense::Minimize => "the best groups cost at least",
        Sense::Maximize => "the best groups have a value of at most",
    };
    let [total, number] = [found.total, bound.total].map(|total| report.scale.number(total));
    let percent = 100.0 * gap(total.to_f64(), number.to_f64());
    let proof = match bound.kind {
        BoundKind::LeastCosts => ALONE,
        _ => "certificate verified",
    };
    let ended = ended(found.ended);
    say(out, format_args!("feasible: {ended}"));
    say(out, format_args!("{limit} {number} (gap {percent:.3} %); {proof}"));
}

fn ended(ended: Ended) -> &'static str {
    match ended {
        Ended::Itself | Ended::Proven => "the search ended by itself",
        Ended::Target => "stopped by the target",
        Ended::WorkLimit => "stopped by the work-limit",
        Ended::TimeLimit => "stopped by the time-limit",
        Ended::Interrupt => "stopped by an interrupt",
        Ended::Precision => "a proof would need more digits than the solver counts with",
    }
}

fn infeasible(out: &mut String, report: &Report<'_>, witness: &Witness) {
    match witness {
        Witness::TooFew { players, groups, size } => {
            let players = counted(*players, "player");
            let needed = match groups {
                1 => format!("a group has {size}"),
                _ => format!("{groups} groups of {size} have {}", groups.saturating_mul(*size)),
            };
            say(out, format_args!("infeasible: {players}, and {needed}"));
        }
        Witness::PartyTooLarge { party, group, bench } => {
            let members = counted(party.len(), "member");
            let wait = match bench {
                0 => String::new(),
                bench => format!(", and at most {bench} can wait"),
            };
            say(
                out,
                format_args!("infeasible: a party of {members}; a group has at most {group}{wait}:"),
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
        Witness::PartiesDoNotFit { parties, pinned } => {
            say(
                out,
                format_args!("infeasible: these parties cannot be packed whole into the groups:"),
            );
            for party in parties {
                say(out, format_args!("  {}", list(report, party)));
            }
            if !pinned.is_empty() {
                say(out, format_args!("while these have their groups:"));
                seats(out, report, pinned);
            }
        }
        Witness::RolesShort { roles, needed, players } if players.is_empty() => {
            let roles = printable(&roles.join(" or "));
            say(
                out,
                format_args!(
                    "infeasible: the groups need {needed} who can play {roles}, and column `roles` names nobody who can"
                ),
            );
        }
        Witness::RolesShort { roles, needed, players } => {
            let (roles, count) = (printable(&roles.join(" or ")), players.len());
            say(
                out,
                format_args!("infeasible: the groups need {needed} who can play {roles}, and there are {count}:"),
            );
            wrapped(out, "  ", &list(report, players));
        }
        Witness::RolesCrowded { roles, room, players } => {
            let (roles, count) = (printable(&roles.join(" or ")), counted(players.len(), "player"));
            say(
                out,
                format_args!(
                    "infeasible: of the roles asked for, {count} can play only {roles}, and there is room for {room}:"
                ),
            );
            wrapped(out, "  ", &list(report, players));
        }
        Witness::Wishes(wishes) => conflict(out, report, wishes),
        Witness::Other { reason } => wrapped(out, "infeasible: ", reason),
        Witness::AllForbidden { members } => {
            say(
                out,
                format_args!(
                    "infeasible: all groupings were tried, and each has a forbidden pair; the best has this group:"
                ),
            );
            say(out, format_args!("  {}", list(report, members)));
        }
    }
}

/// Who is pinned to which group, group by group.
fn seats(out: &mut String, report: &Report<'_>, pinned: &[(usize, usize)]) {
    let mut by_group: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(player, group) in pinned {
        by_group.entry(group).or_default().push(player);
    }
    for (group, players) in by_group {
        wrapped(out, &format!("  in group {}: ", group + 1), &list(report, &players));
    }
}

/// Whose wishes are in each other's way.
fn conflict(out: &mut String, report: &Report<'_>, wishes: &Wishes) {
    let players = counted(wishes.players.len(), "player");
    say(
        out,
        format_args!("infeasible: the wishes of {players} cannot all be met, even if nobody else has any:"),
    );
    for party in &wishes.parties {
        wrapped(out, "  stay together: ", &list(report, party));
    }
    seats(out, report, &wishes.pinned);
    let pairs = wishes.apart.iter().take(SHOWN);
    pairs.for_each(|pair| wrapped(out, "  stay apart:    ", &list(report, pair)));
    if wishes.apart.len() > SHOWN {
        let more = counted(wishes.apart.len() - SHOWN, "more pair");
        say(out, format_args!("  and {more}"));
    }
    for (player, roles) in wishes.players.iter().zip(&wishes.can_play) {
        let player = report.names.text(*player);
        match roles.is_empty() {
            true => say(out, format_args!("  plays none of the roles asked for: {player}")),
            false => say(
                out,
                format_args!(
                    "  of the roles asked for, {player} plays only: {}",
                    printable(&roles.join(" "))
                ),
            ),
        }
    }
    match (wishes.is_minimal, wishes.has_others) {
        (false, _) => {}
        (true, false) => say(
            out,
            format_args!("there are groups as soon as any one of them has no wishes"),
        ),
        (true, true) => wrapped(
            out,
            "",
            "as soon as any one of them has no wishes, those of the others can be met; what else is wished may then be in the way",
        ),
    }
}

fn unknown(out: &mut String, report: &Report<'_>, unfound: &Unfound) {
    match unfound {
        Unfound::Forbidden { members, ended: by, .. } => {
            let by = ended(*by);
            say(
                out,
                format_args!("unknown: no groups without a forbidden pair were found; {by}"),
            );
            say(out, format_args!("the best still have this group:"));
            say(out, format_args!("  {}", list(report, members)));
        }
        Unfound::Stopped(reason) => {
            let ended = ended(*reason);
            say(out, format_args!("unknown: no groups were found; {ended}"));
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
    let (method, noun) = (report.method(), report.work_noun());
    let work = report
        .work()
        .map_or_else(String::new, |work| format!(", {work} {noun}"));
    say(
        out,
        format_args!("method {method}, engine {engine}, seed {seed}{work}, {seconds:.3} s"),
    );
}
