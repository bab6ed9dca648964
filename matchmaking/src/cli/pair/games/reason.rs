//! Why there are no such games, in words.

use super::lack::Lack;
use super::report::GamesReport;
use super::text::shortly_named;
use crate::cli::pair::report::Report;
use crate::cli::pair::text::stopper;
use crate::cli::text::{counted_as, say, wrapped};

/// Words for players, or for vertices.
pub(super) struct Words {
    all: &'static str,
    each: &'static str,
    pub(super) games: &'static str,
}

impl Words {
    pub(super) fn of(report: &Report<'_>) -> Self {
        match report.pool.is_some() {
            true => Self {
                all: "players",
                each: "player",
                games: "games",
            },
            false => Self {
                all: "vertices",
                each: "vertex",
                games: "partners",
            },
        }
    }

    fn counted(&self, count: u64) -> String {
        let one = &self.games[..self.games.len() - 1];
        counted_as(count as usize, one, self.games)
    }
}

/// Why there are no such games, and what would help.
pub(super) fn infeasible(out: &mut String, report: &Report<'_>, games: &GamesReport, lack: &Lack) {
    let words = Words::of(report);
    let Words { all, games: noun, .. } = words;
    let missing = words.counted(lack.missing);
    let verb = if lack.missing == 1 { "is" } else { "are" };
    say(
        out,
        format_args!("infeasible: whatever is chosen, at least {missing} that {all} should have {verb} missing"),
    );
    if lack.is_odd_sum() {
        odd_sums(out, report, games, lack, &words);
    } else {
        too_few(out, report, lack, &words);
    }
    let is_whole = lack
        .odd_groups
        .first()
        .is_some_and(|group| group.len() == games.most.len());
    if let Some(fewer) = games.numbers.one_fewer().filter(|_| lack.is_odd_sum() && is_whole) {
        wrapped(out, "", &format!("let somebody have one fewer: {fewer}"));
    }
    if let Some(limited) = report.pool.as_ref().and_then(|pool| pool.limited.as_ref()) {
        limited.advise(out);
    }
    let priced = games.numbers.at_a_price();
    wrapped(
        out,
        "",
        &format!("for the best {noun} there are, at a price C for each that is missing: {priced}"),
    );
}

/// Numbers of everybody in a group, which cannot be shared out in twos.
fn odd_sums(out: &mut String, report: &Report<'_>, games: &GamesReport, lack: &Lack, words: &Words) {
    let Words { all, each, games: noun } = words;
    for group in &lack.odd_groups {
        let sum: u64 = group.iter().map(|&v| u64::from(games.least[v])).sum();
        let count = group.len();
        let is_whole = count == games.most.len();
        let who = counted_as(count, each, all);
        let outside = match is_whole {
            true => String::new(),
            false => format!(", and nobody else can meet them: {}", shortly_named(report, group)),
        };
        let of = match games.wanted(group[0]) {
            (least, most) if least == most && group.iter().all(|&v| games.wanted(v) == (least, most)) => {
                format!("{who} with {} each", words.counted(most.into()))
            }
            _ => format!("the numbers of {noun} of {who}"),
        };
        wrapped(
            out,
            "",
            &format!("{of} add up to {sum}, which is odd, while every pair counts for two of them{outside}"),
        );
    }
}

/// More that is wanted than there is.
fn too_few(out: &mut String, report: &Report<'_>, lack: &Lack, words: &Words) {
    let Words { games: noun, .. } = words;
    let removed = shortly_named(report, &lack.removed);
    if !lack.wanting.is_empty() {
        let wanting = shortly_named(report, &lack.wanting);
        let needed = words.counted(lack.needed);
        let verb = if lack.wanting.len() == 1 { "needs" } else { "need" };
        wrapped(
            out,
            "",
            &format!("{wanting} {verb} at least {needed}, and can have at most"),
        );
        if !lack.removed.is_empty() {
            wrapped(
                out,
                "  ",
                &format!("{} with {removed}, all that may be had there", lack.shared),
            );
        }
        let among = match (lack.wanting.len(), lack.removed.is_empty()) {
            (1, true) => "in all",
            (1, false) => "with anybody else",
            (_, true) => "in all, counted for each",
            (_, false) => "among themselves and with anybody else, counted for each",
        };
        wrapped(out, "  ", &format!("{} {among}", lack.elsewhere));
    }
    let count = lack.odd_groups.len();
    if count == 0 {
        return;
    }
    let groups = match count {
        1 => "this group".to_owned(),
        count => format!("each of these {count} groups"),
    };
    let first = if lack.wanting.is_empty() {
        format!(
            "the numbers of {noun} of the members of {groups} are fixed and have an odd sum, so that it takes a pair with somebody \
             outside, but {removed} can have {} at most:",
            lack.shared
        )
    } else {
        format!(
            "besides, {groups} leaves one of these unused, or takes one more, as the numbers of {noun} of its members are fixed and, \
             with the pairs above, have an odd sum:"
        )
    };
    wrapped(out, "", &first);
    for group in &lack.odd_groups {
        wrapped(out, "  ", &shortly_named(report, group));
    }
}

/// That there are none, without a reason that can be checked.
pub(super) fn unexplained(out: &mut String, report: &Report<'_>, games: &GamesReport) {
    let limit = report.stopped().map_or_else(
        || "where so many have a choice of numbers, it would take too long to find".to_owned(),
        |limit| format!("{} came before it was found", stopper(limit)),
    );
    wrapped(
        out,
        "",
        &format!(
            "unknown: the engine finds that no pairs give everybody as many {} as he should have, but there is no proof of it: {limit}",
            Words::of(report).games
        ),
    );
    let priced = games.numbers.at_a_price();
    wrapped(
        out,
        "",
        &format!("at a price C for each that is missing there is an answer: {priced}"),
    );
}
