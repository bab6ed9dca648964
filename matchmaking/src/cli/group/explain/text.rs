//! Explanations for people.

use std::collections::{BTreeMap, BTreeSet};

use matching_heuristics::Obstacle;

use super::{Explained, Move, Refusal, Subject};
use crate::cli::decimal::Decimal;
use crate::cli::group::outcome::Found;
use crate::cli::group::problem::Sense;
use crate::cli::group::report::Report;
use crate::cli::names::Names;
use crate::cli::text::{Column, counted, fixed, in_a_row, table, wrapped};

/// So many exchanges are shown.
const SHOWN: usize = 12;

/// So many others of a group are named, and so many places to which no exchange leads.
const NAMED: usize = 20;
const PLACES: usize = 8;

/// What is said in words about players and groups.
pub(super) struct Words<'a> {
    names: &'a Names<'a>,
    /// Pools say who avoids whom.
    is_pool: bool,
}

/// Half of what pairs cost; `None` where that cannot be written.
pub(super) fn half(report: &Report<'_>, pairs: &[(usize, i128)]) -> Option<Decimal> {
    let sum = pairs.iter().try_fold(0_i128, |sum, (_, cost)| sum.checked_add(*cost))?;
    let halves = sum.checked_mul(report.scale.unit)?.checked_mul(5)?;
    Some(Decimal::new(halves, report.scale.decimals + 1))
}

/// A place as reports name it.
fn place(group: Option<usize>) -> String {
    group.map_or_else(|| "waits".to_owned(), |group| format!("group {}", group + 1))
}

impl<'a> Words<'a> {
    pub(super) fn of(report: &'a Report<'_>) -> Self {
        Self {
            names: report.names,
            is_pool: report.pool.is_some(),
        }
    }

    fn list(&self, players: &[usize]) -> String {
        let names: Vec<String> = players.iter().map(|&player| self.names.text(player)).collect();
        in_a_row(&names)
    }

    fn apart(&self, [i, j]: [usize; 2]) -> String {
        let (i, j) = (self.names.text(i), self.names.text(j));
        let why = if self.is_pool { ", as one avoids the other" } else { "" };
        format!("{i} and {j} must not be together{why}")
    }

    /// Why an exchange is not allowed.
    pub(super) fn refusal(&self, refusal: &Refusal) -> String {
        match *refusal {
            Refusal::Apart { pair, .. } => self.apart(pair),
            Refusal::Pinned { player, group } => {
                format!("{} is pinned to group {}", self.names.text(player), group + 1)
            }
            Refusal::Size {
                group,
                members,
                least,
                most,
            } => {
                let bounds = if least == most {
                    most.to_string()
                } else {
                    format!("{least} to {most}")
                };
                format!(
                    "group {} would have {}, and has {bounds}",
                    group + 1,
                    counted(members, "member")
                )
            }
            Refusal::Bench { waiting, most } => format!("{waiting} would wait, and {most} can"),
            Refusal::Roles { group } => format!("group {} would not have the roles that it must have", group + 1),
            Refusal::NotCounted { group } => format!("what group {} would cost cannot be counted", group + 1),
        }
    }

    /// Why two are together in no groups at all.
    pub(super) fn obstacle(&self, obstacle: &Obstacle) -> String {
        match *obstacle {
            Obstacle::Forbidden { i, j } => self.apart([i, j]),
            Obstacle::Pinned { groups: [one, other] } => {
                format!(
                    "one is pinned to group {}, the other one to group {}",
                    one + 1,
                    other + 1
                )
            }
            Obstacle::TooLarge { members, most } => {
                format!(
                    "their parties have {}, and a group that may hold both has at most {most}",
                    counted(members, "member")
                )
            }
            _ => "their wishes do not allow it".to_owned(),
        }
    }
}

/// Appends what there is to say: where the players are, the exchanges that come closest, and what all of them say.
pub(in crate::cli::group) fn say(out: &mut String, report: &Report<'_>, found: &Found, explained: &Explained) {
    let speech = Speech {
        report,
        found,
        explained,
        words: Words::of(report),
    };
    out.push('\n');
    match &explained.subject {
        Subject::One {
            player,
            party,
            group,
            pairs,
        } => speech.one(out, *player, party, *group, pairs),
        Subject::Two { .. } => speech.two(out),
    }
}

struct Speech<'a> {
    report: &'a Report<'a>,
    found: &'a Found,
    explained: &'a Explained,
    words: Words<'a>,
}

impl Speech<'_> {
    fn number(&self, cost: i128) -> String {
        self.report.scale.number(cost).to_string()
    }

    /// `costs`, or `counts` where the total is to be great.
    fn costs(&self) -> &'static str {
        match self.report.sense {
            Sense::Minimize => "costs",
            Sense::Maximize => "counts",
        }
    }

    fn noun(&self) -> &'static str {
        match self.report.sense {
            Sense::Minimize => "cost",
            Sense::Maximize => "value",
        }
    }

    fn one(&self, out: &mut String, player: usize, party: &[usize], group: Option<usize>, pairs: &[(usize, i128)]) {
        let name = self.words.list(&[player]);
        let party = match party.len() {
            1 => "a party of one".to_owned(),
            many => format!("a party of {many} ({})", self.words.list(party)),
        };
        match group {
            None => wrapped(out, "", &format!("{name}, {party}, waits.")),
            Some(group) => {
                let (cost, costs) = (self.number(self.found.groups[group].1), self.costs());
                let share = half(self.report, pairs).filter(|_| !pairs.is_empty());
                let share = share.map_or_else(
                    || ".".to_owned(),
                    |share| format!("; the share of {name} is {share}, half of what each pair {costs}:"),
                );
                let text = format!(
                    "{name}, {party}, is in group {}, which {costs} {cost}{share}",
                    group + 1
                );
                wrapped(out, "", &text);
                self.pairs(out, pairs);
            }
        }
        self.table(out);
        self.elsewhere(out);
        self.verdict(out);
    }

    /// What each of the others costs with the player, the costliest first.
    fn pairs(&self, out: &mut String, pairs: &[(usize, i128)]) {
        if pairs.is_empty() {
            return;
        }
        let mut pairs = pairs.to_vec();
        pairs.sort_by_key(|&(_, cost)| core::cmp::Reverse(self.report.sense.exactly(cost)));
        let named = pairs.iter().take(NAMED);
        let named = named.map(|&(other, cost)| format!("{} {}", self.words.list(&[other]), self.number(cost)));
        let mut text = named.collect::<Vec<_>>().join(", ");
        if pairs.len() > NAMED {
            text += &format!(", and {} more", pairs.len() - NAMED);
        }
        wrapped(out, "  ", &text);
    }

    fn two(&self, out: &mut String) {
        let Subject::Two {
            players: [a, b],
            groups,
            is_party,
            cost,
            obstacle,
        } = &self.explained.subject
        else {
            return;
        };
        let [a, b] = [a, b].map(|player| self.words.list(&[*player]));
        let pair = cost.map_or_else(String::new, |cost| {
            format!(
                "; the two {} {} together",
                self.costs().trim_end_matches('s'),
                self.number(cost)
            )
        });
        if *is_party {
            let place = groups[0].map_or_else(|| "wait".to_owned(), |group| format!("are in group {}", group + 1));
            return wrapped(out, "", &format!("{a} and {b} {place}: they are of one party{pair}."));
        }
        match groups {
            [Some(group), Some(other)] if group == other => {
                wrapped(
                    out,
                    "",
                    &format!("{a} and {b} are together in group {}{pair}.", group + 1),
                );
            }
            _ => {
                let places = groups.map(|group| match group {
                    None => "waits".to_owned(),
                    some => format!("is in {}", place(some)),
                });
                let [first, second] = places;
                wrapped(
                    out,
                    "",
                    &format!("{a} {first}, {b} {second}: they are not together{pair}."),
                );
            }
        }
        if let Some(obstacle) = obstacle {
            let why = self.words.obstacle(obstacle);
            return wrapped(out, "", &format!("They are together in no groups at all: {why}."));
        }
        self.table(out);
        self.verdict(out);
    }

    fn allowed(&self) -> impl Iterator<Item = (&Move, i128)> {
        let moves = self.explained.moves.iter();
        moves.filter_map(|one| Some((one, *one.outcome.as_ref().ok()?)))
    }

    /// The best few of each place.
    fn table(&self, out: &mut String) {
        let is_of_two = matches!(self.explained.subject, Subject::Two { .. });
        // As many of each place as there is room for, where people look for the other places.
        let places: BTreeSet<Option<usize>> = self.allowed().map(|(one, _)| one.to).collect();
        let each = if is_of_two {
            SHOWN
        } else {
            (SHOWN / places.len().max(1)).max(1)
        };
        let mut by_place: BTreeMap<Option<usize>, usize> = BTreeMap::new();
        let best = self.allowed().filter(|(one, _)| {
            let count = by_place.entry(one.to).or_default();
            *count += 1;
            *count <= each
        });
        let best: Vec<(&Move, i128)> = best.take(SHOWN).collect();
        if best.is_empty() {
            return;
        }
        let numbers = best.iter().map(|(_, change)| self.report.scale.number(*change));
        let decimals = numbers.map(|number| number.decimals()).max().unwrap_or(0);
        let total = format!("total {}", self.noun());
        let mut header = vec![
            Column::left("to"),
            Column::left("in exchange for"),
            Column::right(&total),
        ];
        if is_of_two {
            header.insert(0, Column::left("who goes"));
        }
        let rows = best.iter().map(|(one, change)| {
            let along = match &one.along[..] {
                [] => String::new(),
                along => format!("along with {}", self.words.list(along)),
            };
            let with = match &one.with[..] {
                [] => "nobody".to_owned(),
                with => self.words.list(with),
            };
            let sign = if *change > 0 { "+" } else { "" };
            let change = format!("{sign}{}", fixed(&self.number(*change), decimals));
            if is_of_two {
                let who = [self.words.list(&one.party), along].join(" ");
                return vec![who.trim_end().to_owned(), place(one.to), with, change];
            }
            let along = if along.is_empty() { along } else { format!(" ({along})") };
            vec![place(one.to), with + &along, change]
        });
        *out += &table(&header, rows);
    }

    /// Where no exchange leads, and why.
    fn elsewhere(&self, out: &mut String) {
        let mut why: BTreeMap<usize, Option<&Refusal>> = BTreeMap::new();
        for one in &self.explained.moves {
            // The bench comes last.
            let at = one.to.unwrap_or(usize::MAX);
            match (
                &one.outcome,
                why.entry(at).or_insert_with(|| one.outcome.as_ref().err()),
            ) {
                (Ok(_), known) => *known = None,
                // Sizes say least.
                (Err(refusal), Some(known)) if known.is_of_size() => *known = refusal,
                _ => {}
            }
        }
        let closed: Vec<(usize, &Refusal)> = why.into_iter().filter_map(|(at, why)| Some((at, why?))).collect();
        // Of those that were not looked at, some may.
        let none = match self.explained.left_out {
            0 => "no exchange",
            _ => "no exchange that was looked at",
        };
        for (at, refusal) in closed.iter().take(PLACES) {
            let refusal = self.words.refusal(refusal);
            let text = match at {
                &usize::MAX => format!("{none} makes the party wait: {refusal}"),
                at => format!("{none} leads to {}: {refusal}", place(Some(*at))),
            };
            wrapped(out, "", &text);
        }
        if closed.len() > PLACES {
            wrapped(out, "", &format!("nor to {} more groups", closed.len() - PLACES));
        }
    }

    /// What all exchanges say together.
    fn verdict(&self, out: &mut String) {
        let moves = &self.explained.moves;
        let fit = moves
            .iter()
            .filter(|one| !one.outcome.as_ref().is_err_and(Refusal::is_of_size))
            .count();
        let allowed = self.allowed().count();
        let what = match (&self.explained.subject, self.explained.subject.are_together()) {
            (Subject::One { .. }, _) => "",
            (Subject::Two { .. }, true) => " that takes them apart",
            (Subject::Two { .. }, false) => " that puts them together",
        };
        let left_out = self.left_out();
        match self.explained.left_out {
            0 if fit == 0 => return wrapped(out, "", &format!("No exchange{what} fits the sizes of groups.")),
            _ if fit == 0 => {
                let text = format!("No exchange{what} that was looked at fits the sizes of groups{left_out}.");
                return wrapped(out, "", &text);
            }
            _ => {}
        }
        let mut text = match what {
            "" => counted(fit, "exchange") + if fit == 1 { " fits the sizes" } else { " fit the sizes" },
            " that takes them apart" if fit != 1 => {
                format!("{} that take them apart fit the sizes", counted(fit, "exchange"))
            }
            _ if fit != 1 => format!("{} that put them together fit the sizes", counted(fit, "exchange")),
            _ => format!("{}{what} fits the sizes", counted(fit, "exchange")),
        };
        text += &left_out;
        match fit - allowed {
            0 => {}
            some if allowed == 0 && some == 1 => text += ", and is not allowed",
            _ if allowed == 0 => text += ", and none is allowed",
            1 => text += ", one of which is not allowed",
            some => text += &format!(", {some} of which are not allowed"),
        }
        let better = self
            .allowed()
            .filter(|(_, change)| self.report.sense.beats(*change, 0))
            .count();
        let as_good = self.allowed().filter(|(_, change)| *change == 0).count();
        text += &match (better, as_good) {
            _ if allowed == 0 => self.first_reason(),
            (0, 0) => ": none is as good as these groups.".to_owned(),
            (0, 1) => ": none is better, and one is as good.".to_owned(),
            (0, some) => format!(": none is better, and {some} are as good."),
            (some, _) => format!(
                ": {some} {} better, which the search has not come to.",
                if some == 1 { "is" } else { "are" }
            ),
        };
        text += if self.found.is_optimal() {
            " No groups are better, that is proven; what an exchange changes is by this one step, with nobody else moved."
        } else {
            " An exchange is one step: several at once may still be better."
        };
        wrapped(out, "", &text);
    }

    /// How many exchanges were not looked at, and why; nothing if all were.
    fn left_out(&self) -> String {
        let were = if self.explained.left_out == 1 { "was" } else { "were" };
        let left_out = match self.explained.left_out {
            0 => return String::new(),
            // There may be any number of them.
            u64::MAX => "more than 10^19".to_owned(),
            some => format!("{some} more"),
        };
        match self.explained.stopped {
            None => format!(" ({left_out} of one party against several {were} not looked at)"),
            Some(limit) => {
                let limit = match limit {
                    "interrupt" => "an interrupt".to_owned(),
                    limit => format!("the {limit}"),
                };
                format!(" ({left_out} {were} not looked at, as {limit} ended the explanation)")
            }
        }
    }

    /// Why the first of the exchanges that fit is not allowed.
    fn first_reason(&self) -> String {
        let refusals = self.explained.moves.iter().filter_map(|one| one.outcome.as_ref().err());
        let first = refusals.into_iter().find(|refusal| !refusal.is_of_size());
        first.map_or_else(|| ".".to_owned(), |first| format!(": {}.", self.words.refusal(first)))
    }
}
