//! The report for people.

use matchmaking::lobby::{Breakdown, Lobby, Match, Objective, Side};

use super::report::{INTERRUPT, Outcome, Report};
use super::scores::{RULES, weakest};
use crate::cli::fairness::{Of, Strength};
use crate::cli::output::MOST_NAMED;
use crate::cli::text::{Column, counted, counted_as, printable, rounded, say, table, whole, wrapped};

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = headline(report);
    match report.outcome {
        Outcome::Found(lobby) => {
            if !lobby.matches.is_empty() {
                out += &matches(report, lobby);
                out.push('\n');
            }
            fairness(&mut out, report);
            totals(&mut out, report, lobby);
            waiting(&mut out, report, lobby);
            short(&mut out, report, lobby);
            disliked(&mut out, report, lobby);
            ending(&mut out, report, lobby);
            hosts(&mut out, report, lobby);
            if let Some(explained) = &report.explained {
                explained.say(&mut out, report.source);
            }
        }
        Outcome::Infeasible(obstacle) => {
            wrapped(&mut out, "infeasible: ", &printable(&obstacle.message));
            if obstacle.possible.is_some_and(|possible| possible > 0) {
                say(
                    &mut out,
                    format_args!("With --fewer-matches, who finds no place waits."),
                );
                if report.has_limits() {
                    say(
                        &mut out,
                        format_args!("How many matches there are within the limits, a search has to find out."),
                    );
                }
            }
        }
        Outcome::Undecided(obstacle) => {
            wrapped(&mut out, "unknown: ", &printable(&obstacle.message));
            if !report.args.fewer_matches {
                say(
                    &mut out,
                    format_args!("With --fewer-matches, as many are made as are found, and the others wait."),
                );
            }
            if let Some(stopped) = report.stopped() {
                say(&mut out, format_args!("The search was stopped by {}.", limit(stopped)));
            }
        }
    }
    out
}

fn headline(report: &Report<'_>) -> String {
    let (source, size) = (report.source, report.rules.team_size());
    let limit = report.rules.chosen_ping_limit();
    let growth = limit.map(|(_, growth)| growth).filter(|&ms| ms > 0.0);
    let limit = limit.map_or_else(String::new, |(ms, _)| format!(", no ping above {} ms", whole(ms)));
    let growth = growth.map_or_else(String::new, |ms| format!(" and {} ms for each round waited", whole(ms)));
    let running = match source.round.running() {
        [] => String::new(),
        running => {
            let playing: usize = running.iter().map(|one| one.players().count()).sum();
            let matches = counted_as(running.len(), "match", "matches");
            format!(" ({playing} of them in {matches} already)")
        }
    };
    format!(
        "{}: {}{running}, matches of {size} against {size}{limit}{growth}\n\n",
        printable(&source.name),
        counted(source.round.len(), "player")
    )
}

/// All matches, worst first, and their means.
fn matches(report: &Report<'_>, lobby: &Lobby) -> String {
    let mut header = vec![
        Column::right("match"),
        Column::left("red"),
        Column::left("blue"),
        Column::right("score"),
    ];
    if report.has_running() {
        header.insert(1, Column::left("running"));
    }
    header.extend(RULES[..columns(report)].iter().copied().map(Column::right));
    header.push(Column::left("weakest rule"));
    let mut rows: Vec<Vec<String>> = Report::worst_first(lobby)
        .into_iter()
        .map(|(position, one)| {
            let number = (position + 1).to_string();
            let teams = [&one.red, &one.blue].map(|team| team_names(report, one, team));
            row(report, (number, id_of(report, one)), teams, &one.breakdown)
        })
        .collect();
    let mean = ("mean".to_owned(), String::new());
    rows.push(row(report, mean, [String::new(), String::new()], &lobby.breakdown));
    let mut text = table(&header, rows);
    if (lobby.matches.iter()).any(|one| !one.newcomers(&report.source.round).is_empty()) {
        say(&mut text, format_args!("+ comes new to a running match"));
    }
    text
}

/// How many scores have a column: company, the last one, only where it counts.
fn columns(report: &Report<'_>) -> usize {
    let [others @ .., company] = report.rules.chosen_weights().all();
    others.len() + usize::from(company > 0.0)
}

/// What a running match is called; nothing for a new one.
fn id_of(report: &Report<'_>, one: &Match) -> String {
    let running = report.source.round.running();
    one.running
        .map_or_else(String::new, |number| printable(running[number].id()))
}

/// A team, with a sign before those who come new to a running match.
fn team_names(report: &Report<'_>, one: &Match, team: &[usize]) -> String {
    let round = &report.source.round;
    let is_new = |player: usize| one.running.is_some() && round.running_of(player).is_none();
    let name = |&player: &usize| {
        let id = printable(&round.players()[player].id);
        if is_new(player) { format!("+{id}") } else { id }
    };
    team.iter().map(name).collect::<Vec<String>>().join(", ")
}

fn row(
    report: &Report<'_>,
    (number, running): (String, String),
    [red, blue]: [String; 2],
    breakdown: &Breakdown,
) -> Vec<String> {
    let mut row = vec![number];
    row.extend(report.has_running().then_some(running));
    row.extend([red, blue]);
    row.push(format!("{:.4}", breakdown.total));
    let scores = &breakdown.scores()[..columns(report)];
    row.extend(scores.iter().map(|score| format!("{score:.3}")));
    row.push(weakest(breakdown, &report.rules.chosen_weights()).map_or_else(
        || "-".to_owned(),
        |weakest| format!("{} (-{:.3})", weakest.rule, weakest.loss),
    ));
    row
}

fn names(report: &Report<'_>, players: &[usize]) -> String {
    let players = players.iter().map(|&player| &report.source.round.players()[player]);
    let names: Vec<String> = players.map(|player| printable(&player.id)).collect();
    names.join(", ")
}

/// How parts of the round measured.
fn fairness(out: &mut String, report: &Report<'_>) {
    let Some(metrics) = report.metrics() else { return };
    let header = [
        Column::left("who fares how"),
        Column::right("players"),
        Column::right("with a match"),
        Column::right("mean score"),
        Column::right("mean skill gap"),
        Column::right("mean enemy ping"),
        Column::right("rounds waited"),
    ];
    let or_none = |figure: Option<f64>, decimals: usize| {
        figure.map_or_else(|| "-".to_owned(), |figure| rounded(figure, decimals))
    };
    let rows = metrics.iter().map(|(segment, measured)| {
        vec![
            Of::new(&segment.kind, Strength::Skill).text(),
            measured.players.to_string(),
            measured.playing.to_string(),
            or_none(measured.mean_score, 4),
            or_none(measured.mean_skill_gap, 0),
            or_none(measured.mean_enemy_ping_ms, 1),
            or_none(measured.mean_waited, 2),
        ]
    });
    *out += &table(&header, rows);
    out.push('\n');
}

fn totals(out: &mut String, report: &Report<'_>, lobby: &Lobby) {
    if lobby.matches.is_empty() {
        return say(out, format_args!("no match is full"));
    }
    // Other objectives come to the mean score itself.
    let roots = match report.rules.chosen_objective() {
        Objective::Sqrt => format!(", mean root {:.4}", lobby.total.mean),
        Objective::Power { .. } => format!(", mean power {:.4}", lobby.total.mean),
        _ => String::new(),
    };
    say(
        out,
        format_args!(
            "{}, mean score {:.4}, worst {:.4}{roots}",
            counted_as(lobby.matches.len(), "match", "matches"),
            lobby.breakdown.total,
            lobby.total.worst
        ),
    );
}

fn waiting(out: &mut String, report: &Report<'_>, lobby: &Lobby) {
    if lobby.waiting.is_empty() {
        say(out, format_args!("nobody waits"));
    } else {
        let players = counted_as(lobby.waiting.len(), "player waits", "players wait");
        wrapped(out, &format!("{players}: "), &names(report, &lobby.waiting));
    }
}

/// The running matches that stay as they are.
fn short(out: &mut String, report: &Report<'_>, lobby: &Lobby) {
    let round = &report.source.round;
    for short in &lobby.short {
        let running = &round.running()[short.running];
        let open: usize = running.open(report.rules.team_size()).iter().sum();
        let first = format!(
            "match {} stays short of {}: ",
            printable(running.id()),
            counted(open, "player")
        );
        let team = |side| match running.team(side) {
            [] => "nobody".to_owned(),
            players => names(report, players),
        };
        let (red, blue) = (team(Side::Red), team(Side::Blue));
        wrapped(
            out,
            &first,
            &format!("{}; red {red}; blue {blue}", Report::why(short.why).0),
        );
    }
}

/// The mates of whom one dislikes the other, where anybody does; of many the first, in the worst matches. JSON has all.
fn disliked(out: &mut String, report: &Report<'_>, lobby: &Lobby) {
    let round = &report.source.round;
    if !round.has_disliked() || lobby.matches.is_empty() {
        return;
    }
    let mut mates = Vec::new();
    for (position, one) in Report::worst_first(lobby) {
        let pairs = one.disliked(round).into_iter();
        mates.extend(pairs.map(|(i, j)| format!("{} (match {})", names(report, &[i, j]), position + 1)));
    }
    match mates.len() {
        0 => say(out, format_args!("no mates of whom one dislikes the other")),
        count => {
            let first = counted_as(
                count,
                "pair of mates of whom one dislikes",
                "pairs of mates of whom one dislikes",
            );
            let mut text = mates[..count.min(MOST_NAMED)].join("; ");
            if count > MOST_NAMED {
                text += &format!("; and {} more", count - MOST_NAMED);
            }
            wrapped(out, &format!("{first} the other: "), &text);
        }
    }
}

/// What stopped a search, with its article.
fn limit(stopped: &str) -> String {
    match stopped {
        INTERRUPT => "an interrupt".to_owned(),
        limit => format!("the {limit}"),
    }
}

/// What ended the search, and what that means.
fn ending(out: &mut String, report: &Report<'_>, lobby: &Lobby) {
    let end = match report.stopped() {
        Some(stopped) => format!("the search was stopped by {}", limit(stopped)),
        None => "the search ended by itself".to_owned(),
    };
    let proof = match lobby.matches.len() {
        0 => "",
        _ => "; nothing proves these matches the best",
    };
    say(out, format_args!("status {}: {end}{proof}", report.outcome.status()));
    let seconds = report.spent.seconds();
    say(
        out,
        format_args!(
            "engine {}, seed {}, {}, {seconds:.3} s",
            report.engine(),
            report.args.seed,
            counted(usize::try_from(lobby.work).unwrap_or(usize::MAX), "move"),
        ),
    );
}

/// Who can be the server of each match, in the order of the table.
fn hosts(out: &mut String, report: &Report<'_>, lobby: &Lobby) {
    let round = &report.source.round;
    if lobby.matches.is_empty() {
        return;
    }
    let size = 2 * report.rules.team_size();
    let matches: Vec<(usize, Vec<usize>)> = Report::worst_first(lobby)
        .into_iter()
        .map(|(position, one)| (position + 1, one.hosts(round)))
        .collect();
    if matches.iter().all(|(_, hosts)| hosts.len() == size) {
        say(
            out,
            format_args!("servers: in every match anybody can connect with everybody, and so be the server"),
        );
        return;
    }
    say(
        out,
        format_args!("servers, who can connect with everybody in the match:"),
    );
    for (number, hosts) in &matches {
        let first = format!("  match {number}: ");
        match hosts.len() {
            0 => wrapped(out, &first, "nobody, so that nobody can be the server"),
            all if all == size => wrapped(out, &first, "anybody"),
            _ => wrapped(out, &first, &names(report, hosts)),
        }
    }
}
