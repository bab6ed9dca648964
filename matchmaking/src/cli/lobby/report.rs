//! What there is to report, before it becomes text or JSON.

use matching_heuristics::Stop;
use matchmaking::fairness::{LobbyMetrics, Segment};
use matchmaking::lobby::{Lobby, Match, Round, Rules, Why};

use super::args::LobbyArgs;
use super::explain::Explained;
use super::read::Source;
use crate::cli::json::Spent;
use crate::cli::text::counted_as;
use crate::cli::{Verdict, output};
use crate::quoted::quoted;

/// The contract's word for Ctrl-C.
pub(super) const INTERRUPT: &str = "interrupt";

/// A finished run.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) args: &'a LobbyArgs,
    pub(super) source: &'a Source,
    pub(super) rules: &'a Rules,
    pub(super) outcome: &'a Outcome,
    /// Why somebody is where he is, where that was asked and there are matches.
    pub(super) explained: Option<Explained>,
    pub(super) warnings: Vec<String>,
    /// Costs are who plays, tables of scores and the split into teams: all but the search. Without matches all of it is
    /// search: nobody says what was something else.
    pub(super) spent: Spent,
}

/// What came of the round.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// Matches.
    Found(Lobby),
    /// There are none.
    Infeasible(Obstacle),
    /// Nobody knows whether there are any.
    Undecided(Obstacle),
}

/// Why there are no matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Obstacle {
    /// In words.
    pub(super) message: String,
    /// Labels of parties that find no place; the id of who plays alone.
    pub(super) parties: Vec<String>,
    /// Number of matches asked for, where that is what does not go.
    pub(super) matches: Option<usize>,
    /// Number of matches that can be made, where it is known; at most, where it is limited who may be with whom.
    pub(super) possible: Option<usize>,
    /// The search for them, if there was one.
    pub(super) searched: Option<Searched>,
}

/// A search in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Searched {
    pub(super) stop: Stop,
    /// Moves looked at.
    pub(super) work: u64,
}

impl Outcome {
    pub(super) fn lobby(&self) -> Option<&Lobby> {
        match self {
            Self::Found(lobby) => Some(lobby),
            Self::Infeasible(_) | Self::Undecided(_) => None,
        }
    }

    pub(super) fn obstacle(&self) -> Option<&Obstacle> {
        match self {
            Self::Found(_) => None,
            Self::Infeasible(obstacle) | Self::Undecided(obstacle) => Some(obstacle),
        }
    }

    /// The contract's word. A search proves nothing, so there is no best one.
    pub(super) fn status(&self) -> &'static str {
        match self {
            Self::Found(_) => "feasible",
            Self::Infeasible(_) => "infeasible",
            Self::Undecided(_) => "unknown",
        }
    }
}

impl<'a> Report<'a> {
    pub(super) fn new(
        args: &'a LobbyArgs,
        (source, rules): (&'a Source, &'a Rules),
        outcome: &'a Outcome,
        explained: Option<Explained>,
        spent: Spent,
    ) -> Self {
        let what = if source.format == "csv" { "column" } else { "field" };
        let mut warnings = output::unused(what, source.round.unknown_fields());
        let has_disliked = source.round.has_disliked();
        if let Outcome::Found(_) = outcome {
            warnings.extend(too_far(&source.round, rules));
        }
        if rules.chosen_weights().company > 0.0 && !has_disliked {
            warnings.push(format!(
                "no {what} dislike names a player of another party who is there: company is 1 in every match"
            ));
        }
        Self {
            args,
            source,
            rules,
            outcome,
            explained,
            warnings,
            spent,
        }
    }

    pub(super) fn verdict(&self) -> Verdict {
        let explanation = self.explained.as_ref().and_then(Explained::stopped);
        match self.outcome {
            Outcome::Found(_) if self.stopped().or(explanation).is_some() => Verdict::StoppedWithAnswer,
            Outcome::Found(_) => Verdict::Solved,
            Outcome::Infeasible(_) => Verdict::Infeasible,
            Outcome::Undecided(_) => Verdict::StoppedWithout,
        }
    }

    /// The limit of the command line that stopped the search; the end of its own amount of work is none.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        let stop = match self.outcome {
            Outcome::Found(lobby) => lobby.stop,
            Outcome::Infeasible(obstacle) | Outcome::Undecided(obstacle) => obstacle.searched?.stop,
        };
        match stop {
            Stop::Work => self.args.work_limit.map(|_| "work-limit"),
            Stop::Time => self.args.time_limit.map(|_| "time-limit"),
            Stop::Cancelled => Some(INTERRUPT),
            _ => None,
        }
    }

    /// Moves looked at, if any search did.
    pub(super) fn work(&self) -> Option<u64> {
        match self.outcome {
            Outcome::Found(lobby) => Some(lobby.work),
            Outcome::Infeasible(obstacle) | Outcome::Undecided(obstacle) => Some(obstacle.searched?.work),
        }
    }

    /// Whether it is limited who may be with whom.
    pub(super) fn has_limits(&self) -> bool {
        self.rules.chosen_ping_limit().is_some() || self.source.round.has_avoided()
    }

    /// The engine that searched, or the one that was asked for where nothing was.
    pub(super) fn engine(&self) -> &'static str {
        let asked = self.args.engine;
        self.outcome.lobby().map_or(asked, |lobby| lobby.engine).name()
    }

    /// How parts of the round fare, where that was asked and there are matches.
    pub(super) fn metrics(&self) -> Option<Vec<(Segment, LobbyMetrics)>> {
        let lobby = self.outcome.lobby().filter(|_| self.args.fairness)?;
        let segments = Segment::of_round(&self.source.round);
        let metrics = lobby.by_segment(&self.source.round, &segments);
        Some(segments.into_iter().zip(metrics).collect())
    }

    /// Whether matches run already, of which there is more to say.
    pub(super) fn has_running(&self) -> bool {
        !self.source.round.running().is_empty()
    }

    /// Why a running match stays as it is: for people, and in a word.
    pub(super) fn why(why: Why) -> (&'static str, &'static str) {
        match why {
            Why::TooFew => ("too few players wait", "too-few"),
            Why::Parties => ("the parties that wait do not fill its teams", "parties"),
            Why::Limits => ("too few of those who wait are within the limits", "limits"),
            Why::NotFound => (
                "none within the limits were found who fill it; there may be some",
                "not-found",
            ),
            _ => ("it was not filled", "other"),
        }
    }

    /// The matches with their positions, worst first.
    pub(super) fn worst_first(lobby: &Lobby) -> Vec<(usize, &Match)> {
        let mut matches: Vec<(usize, &Match)> = lobby.matches.iter().enumerate().collect();
        matches.sort_by(|(_, one), (_, other)| one.breakdown.total.total_cmp(&other.breakdown.total));
        matches
    }
}

/// Parties that wait as long as they are parties, which their members should know.
fn too_far(round: &Round, rules: &Rules) -> Vec<String> {
    let is_far = |i: usize, j: usize| {
        let limit = rules.ping_limit_between(round, i, j);
        i != j && limit.is_some_and(|limit| round.ping_ms(i, j) > limit)
    };
    // Who plays already does not wait, however far apart.
    let waits = |members: &Vec<usize>| members.iter().all(|&i| round.running_of(i).is_none());
    let is_torn = |members: &Vec<usize>| members.iter().any(|&i| members.iter().any(|&j| is_far(i, j)));
    let parties = round.parties().iter().enumerate();
    let torn: Vec<usize> = parties
        .filter(|(_, members)| waits(members) && is_torn(members))
        .map(|(at, _)| at)
        .collect();
    let named = torn.iter().take(output::MOST_NAMED);
    let said = |&party: &usize| {
        let party = quoted(round.party_label(party));
        format!("party {party} waits: two of its members have a ping above --ping-limit")
    };
    let mut warnings: Vec<String> = named.map(said).collect();
    let others = torn.len() - warnings.len();
    if others > 0 {
        let others = counted_as(others, "other party waits", "other parties wait");
        warnings.push(format!("{others} for the same reason"));
    }
    warnings
}
