//! The report for people.

use matching_core::TutteBerge;
use matchmaking::fairness::PairingMetrics;
use matchmaking::{Driver, Outcome as GameOutcome, PairTerms};

use super::explain::{Explained, Explanations, Terms, WhatIf};
use super::games;
use super::report::{Baseline, Compared, INTERRUPT, PoolReport, Report, status};
use super::solve::{Matched, Outcome};
use super::worst;
use crate::cli::args::{CostArg, ObjectiveArg};
use crate::cli::asked::Asked;
use crate::cli::decimal::Decimal;
use crate::cli::fairness::{Of, Strength};
use crate::cli::names::Names;
use crate::cli::text::{
    Column, counted, counted_as, fixed, float, in_a_row, points, printable, say, signed, table, wrapped,
};

/// So many features are named in an explanation.
const DRIVERS: usize = 5;

/// So many pairs that would come or go are named in one.
const PAIRS: usize = 8;

/// The whole report.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut out = match &report.games {
        Some(games) => games::render(report, games),
        None => pairing(report),
    };
    if let Some(explained) = &report.explained {
        explanations(&mut out, report, explained);
    }
    footer(&mut out, report);
    out
}

/// One game each: who plays whom, or why nobody knows.
fn pairing(report: &Report<'_>) -> String {
    let mut out = headline(report);
    match report.outcome {
        Outcome::Matched(matched) => {
            out += &pairs(report, matched);
            if let Some(pool) = &report.pool {
                sit_out(&mut out, report, pool, matched);
                if let Some(rematches) = &pool.rematches {
                    rematches.say(&mut out, report.names, noun(report));
                }
                if let Some(limited) = &pool.limited {
                    limited.say(&mut out, report.names, noun(report));
                }
                comparison(&mut out, report, pool);
                fairness(&mut out, pool);
            } else {
                unmatched(&mut out, report, matched);
            }
            totals(&mut out, report, matched);
        }
        Outcome::Unknown { bound, .. } => unknown(&mut out, report, *bound, ("any full pairing was", "no pairing")),
        Outcome::Infeasible(witness) => infeasible(&mut out, report, witness),
        // Of these only those have word who should have several games.
        Outcome::Lacking(_) | Outcome::Unexplained(_) => {}
    }
    out
}

/// That a limit came before there was an answer.
pub(super) fn unknown(out: &mut String, report: &Report<'_>, bound: i128, (what, none): (&str, &str)) {
    let (limit, bound) = (stopper(report.stopped().unwrap_or("limit")), report.number(bound));
    say(out, format_args!("unknown: stopped by {limit} before {what} found"));
    say(out, format_args!("bound {bound}: {none} can be better"));
}

fn headline(report: &Report<'_>) -> String {
    let (file, n, objective) = (printable(report.file), report.names.len(), report.objective.word());
    match &report.pool {
        Some(pool) => format!(
            "{file}: {}, {objective} by {}{}\n\n",
            counted(n, "player"),
            pool.cost.word(),
            pool.limits()
        ),
        None => {
            let (vertices, edges) = (counted_as(n, "vertex", "vertices"), counted(report.edges, "edge"));
            format!("{file}: {vertices}, {edges}, {objective}\n\n")
        }
    }
}

pub(super) fn percent(probability: f64) -> String {
    format!("{:.1} %", 100.0 * probability)
}

/// Costs of pairs with as many decimals as any of them has.
pub(super) fn money(report: &Report<'_>, matched: &Matched) -> impl Fn(i128) -> String {
    let costs = matched.pairs.iter().map(|&(_, _, cost)| report.number(cost).decimals());
    let decimals = costs.max().unwrap_or(0);
    let grid = report.decimals;
    move |cost| fixed(&Decimal::new(cost, grid).to_string(), decimals)
}

/// The table of pairs.
fn pairs(report: &Report<'_>, matched: &Matched) -> String {
    let money = money(report, matched);
    let (Some(pool), Names::Players(players)) = (&report.pool, report.names) else {
        return graph_pairs(report, matched, &money);
    };
    let mut header = vec![
        Column::left("player A"),
        Column::right("rating"),
        Column::left("player B"),
        Column::right("rating"),
    ];
    if pool.engagement.is_some() {
        header.extend(["A wins", "B wins", "A stops", "B stops"].map(Column::right));
    }
    header.push(Column::right(noun(report)));
    let players = players.players();
    let rows = matched.pairs.iter().map(|&(i, j, cost)| {
        let player = |i: usize| [report.names.text(i), points(players[i].rating)];
        let mut row = [player(i), player(j)].concat();
        if let Some(engagement) = pool.engagement {
            let terms = engagement.terms(i, j);
            let (outcomes, stops) = (terms.outcomes, [terms.first_churn(), terms.second_churn()]);
            row.extend([outcomes.win, outcomes.loss].into_iter().chain(stops).map(percent));
        }
        row.push(money(cost));
        row
    });
    table(&header, rows)
}

/// Three columns by hand: graphs can have millions of pairs.
pub(super) fn graph_pairs(report: &Report<'_>, matched: &Matched, money: &dyn Fn(i128) -> String) -> String {
    let name = |v: usize| report.names.text(v);
    let longest = |texts: &mut dyn Iterator<Item = usize>, least: usize| texts.max().unwrap_or(0).max(least);
    let name_width = name(report.names.len().saturating_sub(1)).len();
    let cost_width = longest(
        &mut matched.pairs.iter().map(|&(_, _, cost)| money(cost).len()),
        "weight".len(),
    );
    let mut out = String::new();
    say(
        &mut out,
        format_args!("{:>name_width$}  {:>name_width$}  {:>cost_width$}", "u", "v", "weight"),
    );
    for &(u, v, cost) in &matched.pairs {
        say(
            &mut out,
            format_args!(
                "{:>name_width$}  {:>name_width$}  {:>cost_width$}",
                name(u),
                name(v),
                money(cost)
            ),
        );
    }
    out
}

fn sit_out(out: &mut String, report: &Report<'_>, pool: &PoolReport<'_>, matched: &Matched) {
    if let Some((player, cost)) = pool.bye {
        let (name, cost) = (report.names.text(player), report.number(cost));
        say(out, format_args!("\n{name} sits out (a bye of cost {cost})"));
    } else {
        unmatched(out, report, matched);
    }
}

fn unmatched(out: &mut String, report: &Report<'_>, matched: &Matched) {
    if !matched.unmatched.is_empty() {
        let names: Vec<String> = matched.unmatched.iter().map(|&v| report.names.text(v)).collect();
        say(out, format_args!("\nunmatched: {}", in_a_row(&names)));
    }
}

/// This pairing beside others of the same pool.
fn comparison(out: &mut String, report: &Report<'_>, pool: &PoolReport<'_>) {
    // A bye or a rematch at a price of one's own is neither a rating gap nor a player who stops; and without byes, players
    // who have no game may stop as well.
    let unit = match pool.cost {
        _ if pool.is_bye_fixed || pool.has_prices() => format!("total {}", noun(report)),
        CostArg::Engagement if !report.objective.is_perfect() => format!("total {}", noun(report)),
        CostArg::Engagement => "expected to stop".to_owned(),
        CostArg::Skill => "total rating gap".to_owned(),
    };
    let mut header = vec![
        Column::left(""),
        Column::right("games"),
        Column::right("mean rating gap"),
    ];
    if pool.engagement.is_some() {
        header.push(Column::right("expected to stay"));
    }
    header.push(Column::right(&unit));
    let has_worst = report.outcome.matched().is_some_and(|matched| matched.worst.is_some());
    if has_worst {
        header.push(Column::right("worst pair"));
    }
    let what = |compared: &Compared| match compared.what {
        Baseline::This => "this pairing".to_owned(),
        Baseline::Skill => "neighbours by rating".to_owned(),
        Baseline::Random => format!("random, seed {}", pool.seed),
    };
    let n = report.names.len();
    let rows = pool.comparison.iter().map(|compared| {
        let gap = compared
            .mean_gap
            .map_or_else(|| "-".to_owned(), |gap| format!("{gap:.1}"));
        let mut row = vec![what(compared), compared.games.to_string(), gap];
        row.extend(compared.expected_retained.map(|stay| format!("{stay:.2} of {n}")));
        row.push(format!("{:.2}", report.number(compared.cost).to_f64()));
        if has_worst {
            let worst = compared.worst.map(|worst| report.number(worst).to_string());
            row.push(worst.unwrap_or_else(|| "-".to_owned()));
        }
        row
    });
    *out += "\n";
    *out += &table(&header, rows);
}

/// How parts of the pool fare by this pairing, and how many of them would stay by the others.
fn fairness(out: &mut String, pool: &PoolReport<'_>) {
    let (Some(segments), [this, skill, random]) = (&pool.segments, &pool.comparison[..]) else {
        return;
    };
    let header = [
        Column::left("who fares how"),
        Column::right("players"),
        Column::right("with a game"),
        Column::right("mean rating gap"),
        Column::right("own chance to win"),
        Column::right("expected to stay"),
        Column::right("by rating"),
        Column::right("at random"),
    ];
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let stay = |measured: &PairingMetrics| {
        or_none((measured.players > 0).then(|| percent(measured.expected_retained / measured.players as f64)))
    };
    let rows = segments.iter().enumerate().map(|(number, segment)| {
        let measured = &this.metrics[number];
        vec![
            Of::new(&segment.kind, Strength::Rating).text(),
            measured.players.to_string(),
            measured.playing.to_string(),
            or_none(measured.mean_rating_gap.map(|gap| format!("{gap:.1}"))),
            or_none(measured.win_chance.map(percent)),
            stay(measured),
            stay(&skill.metrics[number]),
            stay(&random.metrics[number]),
        ]
    });
    *out += "\n";
    *out += &table(&header, rows);
}

/// `cost`, or `weight` where it is to be great.
pub(super) fn noun(report: &Report<'_>) -> &'static str {
    if report.sense() == "minimize" { "cost" } else { "weight" }
}

fn totals(out: &mut String, report: &Report<'_>, matched: &Matched) {
    let (cost, bound) = (report.number(matched.cost), report.number(matched.bound));
    let noun = noun(report);
    let count = matched.pairs.len();
    say(out, format_args!("\n{}, total {noun} {cost}", counted(count, "pair")));
    if let Some(worst) = &matched.worst {
        worst::describe(out, report, matched, worst);
    }
    match report.stopped() {
        None => {
            let word = match report.objective {
                ObjectiveArg::MinPerfect if matched.worst.is_some() => "with such a worst pair costs less",
                ObjectiveArg::MaxPerfect if matched.worst.is_some() => "with such a worst pair weighs more",
                ObjectiveArg::MinPerfect => "costs less",
                ObjectiveArg::MaxPerfect | ObjectiveArg::MaxWeight => "weighs more",
                ObjectiveArg::MaxCardinality => "has more pairs, or as many that weigh more",
            };
            say(out, format_args!("optimal: no pairing {word} (bound {bound})"));
        }
        Some(limit) => {
            let (gap, limit) = (100.0 * report.gap().unwrap_or(f64::INFINITY), stopper(limit));
            let word = match report.more_pairs() {
                // The bound counts pairs by a number that is more than all weights, and says nothing to anybody.
                Some(more) if more > 0 => {
                    let more = counted(more, "more pair");
                    return say(
                        out,
                        format_args!(
                            "feasible: stopped by {limit}; there may be up to {more}, which count before weight"
                        ),
                    );
                }
                Some(_) => "no pairing has more pairs; ",
                None => "",
            };
            say(
                out,
                format_args!("feasible: stopped by {limit}; {word}bound {bound}, gap {gap:.3} %"),
            );
        }
    }
}

/// What stopped the engine, in a sentence.
pub(super) fn stopper(limit: &str) -> String {
    if limit == INTERRUPT {
        "an interrupt".to_owned()
    } else {
        format!("the {limit}")
    }
}

fn infeasible(out: &mut String, report: &Report<'_>, witness: &TutteBerge) {
    let list = |members: &[usize]| {
        let names: Vec<String> = members.iter().map(|&v| report.names.text(v)).collect();
        in_a_row(&names)
    };
    let (shared, groups) = (witness.removed(), witness.odd_components());
    // Of an odd number an odd one is left, of an even number an even one.
    let left = witness.deficiency();
    let left = left + (left + report.names.len()) % 2;
    say(
        out,
        format_args!("infeasible: every pairing leaves at least {left} unmatched"),
    );
    match (shared.len(), groups.len()) {
        (0, 1) => say(
            out,
            format_args!("this group has an odd size, and nobody outside it can be paired with its members:"),
        ),
        (0, count) => {
            say(
                out,
                format_args!("these {count} groups have odd sizes, and nobody outside a group can be paired with its"),
            );
            say(out, format_args!("members:"));
        }
        (few, count) => {
            say(
                out,
                format_args!("these {count} groups have odd sizes, so each needs a partner outside for a member,"),
            );
            say(
                out,
                format_args!(
                    "but outside there {} only {few} to be paired with: {}",
                    if few == 1 { "is" } else { "are" },
                    list(shared)
                ),
            );
        }
    }
    for group in groups {
        say(out, format_args!("  {}", list(group)));
    }
    if let Some(limited) = report.pool.as_ref().and_then(|pool| pool.limited.as_ref()) {
        limited.advise(out);
        let most = "for the best pairs there are, at a price C for each game that somebody lacks: --games 0..1 --missing-cost C";
        wrapped(out, "", most);
    }
}

/// One row of the table behind a pair's engagement cost.
pub(super) struct OutcomeRow {
    pub(super) word: &'static str,
    pub(super) probability: f64,
    pub(super) churn_first: f64,
    pub(super) churn_second: f64,
    pub(super) term: f64,
}

/// Equation (7) term by term, from the first player's point of view.
pub(super) fn outcome_rows(terms: &PairTerms) -> [OutcomeRow; 3] {
    let at = |outcome: GameOutcome| GameOutcome::ALL.iter().position(|&o| o == outcome).unwrap_or(0);
    GameOutcome::ALL.map(|outcome| {
        let probability = terms.outcomes.of(outcome);
        let (churn_first, churn_second) = (terms.first[at(outcome)], terms.second[at(outcome.mirror())]);
        let word = match outcome {
            GameOutcome::Win => "win",
            GameOutcome::Draw => "draw",
            GameOutcome::Loss => "loss",
        };
        OutcomeRow {
            word,
            probability,
            churn_first,
            churn_second,
            term: probability * (churn_first + churn_second),
        }
    })
}

fn explanations(out: &mut String, report: &Report<'_>, explained: &Explanations) {
    if let (Asked::One(player), [], Some(_)) = (explained.of, &explained.pairs[..], report.outcome.matched()) {
        let id = report.names.text(player);
        say(
            out,
            format_args!("\n{id} is in no pair; what a pair with somebody would change: --explain {id},ID"),
        );
    }
    for pair in &explained.pairs {
        explanation(out, report, pair);
        if let Some(drivers) = &pair.about.drivers {
            risks(out, report, pair.pair, drivers);
        }
    }
    if let Some(limit) = report.explanation_stopped() {
        say(out, format_args!("{} ended the explanation", stopper(limit)));
    }
}

fn explanation(out: &mut String, report: &Report<'_>, explained: &Explained) {
    let (a, b) = (report.names.text(explained.pair.0), report.names.text(explained.pair.1));
    let noun = if report.sense() == "minimize" {
        "costs"
    } else {
        "weighs"
    };
    match explained.cost {
        Some(cost) => {
            let chosen = if explained.is_chosen { "chosen" } else { "not chosen" };
            say(
                out,
                format_args!("\nA = {a}, B = {b}: {chosen}; the pair {noun} {}", report.number(cost)),
            );
        }
        None => say(out, format_args!("\nA = {a}, B = {b}: the pair is not possible")),
    }
    if let (Names::Players(pool), Some(limited)) = (
        report.names,
        report.pool.as_ref().and_then(|pool| pool.limited.as_ref()),
    ) {
        for reason in limited.reasons(pool, explained.pair, &explained.about.separations) {
            say(out, format_args!("{reason}"));
        }
    }
    match &explained.about.terms {
        Terms::Weight => {}
        Terms::Ratings(first, second) => say(out, format_args!("that is |{first} - {second}|")),
        Terms::Engagement(terms) => {
            let header = [
                Column::left("outcome of A"),
                Column::right("chance"),
                Column::right("A stops"),
                Column::right("B stops"),
                Column::right("chance x (A + B)"),
            ];
            let rows = outcome_rows(terms).map(|row| {
                let numbers = [row.probability, row.churn_first, row.churn_second].map(percent);
                let mut cells = vec![row.word.to_owned()];
                cells.extend(numbers);
                cells.push(format!("{:.6}", row.term));
                cells
            });
            *out += &table(&header, rows);
        }
    }
    if let Some(more) = report.rematch_cost(explained) {
        say(out, format_args!("and {more}, as the two have met of late"));
    }
    if let Some(more) = report.region_cost(explained) {
        say(out, format_args!("and {more}, as their regions differ"));
    }
    if let Some(forced) = &explained.forced {
        condition(out, report, "with the pair forced", forced);
    }
    condition(out, report, "with the pair forbidden", &explained.forbidden);
}

/// What makes a fitted model think that the two stay or stop.
fn risks(out: &mut String, report: &Report<'_>, (a, b): (usize, usize), drivers: &[Vec<Driver>; 2]) {
    let header = [Column::left("feature"), Column::right("value"), Column::right("effect")];
    for (player, drivers) in [a, b].into_iter().zip(drivers) {
        let name = report.names.text(player);
        say(
            out,
            format_args!(
                "what drives the risk of {name} before the game (logit, against the average of the model's log)"
            ),
        );
        let strongest = drivers.iter().filter(|driver| driver.effect != 0.0).take(DRIVERS);
        let rows = strongest.map(|driver| {
            let (value, effect) = (float((1e4 * driver.value).round() / 1e4), driver.effect);
            vec![driver.name.clone(), value, signed(effect, 3)]
        });
        *out += &table(&header, rows);
        let all: f64 = drivers.iter().map(|driver| driver.effect).sum();
        say(out, format_args!("all features together: {}", signed(all, 3)));
    }
}

fn condition(out: &mut String, report: &Report<'_>, what: &str, what_if: &WhatIf) {
    let change = match what_if.change {
        Some(0) => ", no change".to_owned(),
        Some(change) => {
            let sign = if change > 0 { "+" } else { "" };
            format!(", a change of {sign}{}", report.number(change))
        }
        None => String::new(),
    };
    match (what_if.cost, what_if.pairs) {
        (Some(cost), Some(pairs)) => {
            let total = report.number(cost);
            let pairs = counted(pairs, "pair");
            say(
                out,
                format_args!("{what}: {}, {pairs}, total {total}{change}", what_if.status),
            );
        }
        _ => say(out, format_args!("{what}: {}", what_if.status)),
    }
    for (what, pairs) in [("  then: ", &what_if.added), ("  not: ", &what_if.dropped)] {
        if !pairs.is_empty() {
            wrapped(out, what, &named(report, pairs));
        }
    }
}

/// The first of some pairs, and how many more there are.
fn named(report: &Report<'_>, pairs: &[(usize, usize)]) -> String {
    let name = |&(u, v): &(usize, usize)| format!("{} - {}", report.names.text(u), report.names.text(v));
    let names: Vec<String> = pairs.iter().take(PAIRS).map(name).collect();
    match pairs.len().saturating_sub(PAIRS) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}

/// How it is known, and how long it took.
fn footer(out: &mut String, report: &Report<'_>) {
    if let Some(fitted) = report.pool.as_ref().and_then(|pool| pool.fitted.as_ref()) {
        let (file, hours) = (
            printable(&fitted.file.display().to_string()),
            float(fitted.horizon / 3600.0),
        );
        say(
            out,
            format_args!(
                "chances and risks by the model {file}, which counts as stopped who plays no game for {hours} hours"
            ),
        );
    }
    let seconds = report.spent.seconds();
    let certificate = match report.certificate() {
        Some(kind) => format!("certificate verified ({kind})"),
        None => "no certificate".to_owned(),
    };
    let status = status(report.outcome);
    let grid = match report.decimals {
        0 => "integers".to_owned(),
        _ => format!("a grid of 1/{}", report.scale()),
    };
    say(out, format_args!("status {status}, {certificate}, exact on {grid}"));
    say(out, format_args!("engine {}, {seconds:.3} s", report.outcome.engine()));
}
