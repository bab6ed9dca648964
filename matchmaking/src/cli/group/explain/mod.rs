//! Why somebody is in this group, or waits; why two are not in one group, or are.

mod json;
mod text;

use matching_core::{Budget, Cost, CostValue, StopReason};
use matching_heuristics::{Exchange, Instance, Obstacle, Stop, VerifyError};

pub(super) use json::Document;
pub(super) use text::say;

use super::check::Changes;
use super::exact;
use super::outcome::Found;
use super::problem::{Sense, Task};
use super::search;
use crate::cli::asked::Asked;
use crate::cli::failure::Failure;
use crate::cli::limits::{self, Limits};

/// So many changes are counted once more, the best ones, also where a limit has ended the explanation: others are left out then.
const COUNTED: usize = 64;

/// Everything there is to say about one player, or two, in the input's sense.
#[derive(Debug)]
pub(super) struct Explained {
    subject: Subject,
    /// The best first; those that are not allowed come last.
    moves: Vec<Move>,
    /// Exchanges that were not looked at: of one party against several, or, where a limit ended it, of whatever kind.
    left_out: u64,
    /// The word for the limit that ended it, if one did.
    stopped: Option<&'static str>,
}

/// Who was asked about. Groups are numbers from 0; `None` is for who waits.
#[derive(Debug)]
enum Subject {
    One {
        player: usize,
        party: Vec<usize>,
        group: Option<usize>,
        /// What each other member of the group costs with the player.
        pairs: Vec<(usize, i128)>,
    },
    Two {
        players: [usize; 2],
        groups: [Option<usize>; 2],
        is_party: bool,
        cost: Option<i128>,
        obstacle: Option<Obstacle>,
    },
}

impl Subject {
    /// Whether two are in one group; not of one player.
    fn are_together(&self) -> bool {
        matches!(self, Self::Two { groups: [Some(one), Some(other)], .. } if one == other)
    }
}

/// An exchange.
#[derive(Debug)]
struct Move {
    /// The party that was asked about.
    party: Vec<usize>,
    /// Who goes along with it.
    along: Vec<usize>,
    from: Option<usize>,
    to: Option<usize>,
    /// Who comes for them.
    with: Vec<usize>,
    /// By how much the total changes.
    outcome: Result<i128, Refusal>,
}

/// Why an exchange is not allowed. Groups are numbers from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Refusal {
    /// Two who must not be together would be.
    Apart {
        group: usize,
        pair: [usize; 2],
    },
    Pinned {
        player: usize,
        group: usize,
    },
    Size {
        group: usize,
        members: usize,
        least: usize,
        most: usize,
    },
    Bench {
        waiting: usize,
        most: usize,
    },
    /// The players of the group cannot be given the roles that it must have.
    Roles {
        group: usize,
    },
    /// What it comes to cannot be counted.
    NotCounted {
        group: usize,
    },
}

impl Refusal {
    /// Whether it is about numbers of players alone.
    fn is_of_size(&self) -> bool {
        matches!(self, Self::Size { .. } | Self::Bench { .. })
    }

    /// What the library says. `None` of what no exchange can come to.
    fn of(flaw: &VerifyError) -> Option<Self> {
        Some(match *flaw {
            VerifyError::Forbidden { group, i, j } => Self::Apart { group, pair: [i, j] },
            VerifyError::PinLost { player, group, .. } => Self::Pinned { player, group },
            VerifyError::WrongSize {
                group,
                members,
                least,
                most,
            } => Self::Size {
                group,
                members,
                least,
                most,
            },
            VerifyError::BenchTooFull { waiting, most } => Self::Bench { waiting, most },
            VerifyError::NotCounted { group } => Self::NotCounted { group },
            _ => return None,
        })
    }
}

impl Explained {
    /// The word for the limit that ended the explanation, if one did.
    pub(super) fn stopped(&self) -> Option<&'static str> {
        self.stopped
    }
}

/// Asks within limits, and checks what is said.
pub(super) fn explain<C: Cost>(
    task: &Task<'_, C>,
    found: &Found,
    asked: Asked,
    limits: &Limits,
) -> Result<Explained, Failure>
where
    C::Value: CostValue<Total = i128>,
{
    let cost = &task.problem.cost;
    match task.problem.sense {
        Sense::Minimize => explain_by(task, cost, found, asked, limits),
        Sense::Maximize => explain_by(task, &cost.negated(), found, asked, limits),
    }
}

/// The same with a cost that is to be small.
fn explain_by<C: Cost, D: Cost>(
    task: &Task<'_, C>,
    cost: &D,
    found: &Found,
    asked: Asked,
    limits: &Limits,
) -> Result<Explained, Failure>
where
    C::Value: CostValue<Total = i128>,
    D::Value: CostValue<Total = i128>,
{
    let instance = search::instance(task, cost).map_err(|source| Failure::Search {
        file: task.file.to_owned(),
        source,
    })?;
    let said = said(task, &instance, found, asked, &limits.budget()).map_err(|source| Failure::Unverified {
        source: Box::new(source),
    })?;
    let Said {
        subject,
        exchanges,
        mut left_out,
        stop,
    } = said;
    let mut stopped = match stop {
        Stop::Finished => None,
        Stop::Time => Some(StopReason::TimeLimit),
        _ => Some(StopReason::Cancelled),
    };
    let changes = Changes::new(task.problem, task.groups, &found.groups);
    let moves = exact::with_roles(task, |has_roles| {
        let judge = Judge {
            task,
            found,
            changes: &changes,
            has_roles,
        };
        let mut moves = Vec::with_capacity(exchanges.len());
        for (at, exchange) in exchanges.iter().enumerate() {
            // The best come first. What is not allowed has no change to be counted.
            let is_spared = at >= COUNTED && exchange.outcome().is_ok();
            stopped = stopped.or_else(|| limits.over().filter(|_| is_spared));
            match stopped {
                Some(_) if is_spared => left_out = left_out.saturating_add(1),
                _ => moves.push(judge.checked(exchange)?),
            }
        }
        Ok::<Vec<Move>, Failure>(moves)
    });
    let mut moves = moves??;
    // Roles may have refused some of the others.
    moves.sort_by_key(|one| one.outcome.is_err());
    Ok(Explained {
        subject,
        moves,
        left_out,
        stopped: stopped.map(limits::word),
    })
}

/// What the library says.
struct Said<V: CostValue> {
    subject: Subject,
    exchanges: Vec<Exchange<V>>,
    left_out: u64,
    stop: Stop,
}

/// What the library says, costs in the input's sense.
fn said<C: Cost, V: CostValue<Total = i128>>(
    task: &Task<'_, C>,
    instance: &Instance<'_, V>,
    found: &Found,
    asked: Asked,
    budget: &Budget,
) -> Result<Said<V>, VerifyError> {
    let groups: Vec<Vec<usize>> = found.groups.iter().map(|(members, _)| members.clone()).collect();
    let sense = task.problem.sense;
    match asked {
        Asked::One(player) => {
            let explanation = instance.explain_within(&groups, player, budget)?;
            let pairs = explanation.pairs().iter();
            let subject = Subject::One {
                player,
                party: explanation.party().to_vec(),
                group: explanation.group(),
                pairs: pairs
                    .map(|pair| (pair.player, sense.exactly(pair.cost.to_total())))
                    .collect(),
            };
            Ok(Said {
                subject,
                exchanges: explanation.exchanges().to_vec(),
                left_out: explanation.left_out(),
                stop: explanation.stop(),
            })
        }
        Asked::Two(players) => {
            let explanation = instance.explain_pair_within(&groups, players, budget)?;
            let subject = Subject::Two {
                players,
                groups: explanation.groups(),
                is_party: explanation.is_party(),
                cost: explanation.cost().map(|cost| sense.exactly(cost.to_total())),
                obstacle: explanation.obstacle().cloned(),
            };
            Ok(Said {
                subject,
                exchanges: explanation.exchanges().to_vec(),
                left_out: explanation.left_out(),
                stop: explanation.stop(),
            })
        }
    }
}

/// What an exchange is held against.
struct Judge<'a, C> {
    task: &'a Task<'a, C>,
    found: &'a Found,
    changes: &'a Changes<'a, C>,
    has_roles: &'a dyn Fn(&[usize]) -> bool,
}

impl<C: Cost> Judge<'_, C>
where
    C::Value: CostValue<Total = i128>,
{
    /// Whether a change can be, and the total that it leads to.
    fn can_be_written(&self, change: i128) -> bool {
        let total = self.found.total.checked_add(change);
        [Some(change), total]
            .iter()
            .all(|number| number.is_some_and(|number| self.task.problem.scale.fits(number)))
    }

    /// The exchange in the input's sense, if it does what it says; with roles, which the library does not know.
    fn checked<V: CostValue<Total = i128>>(&self, exchange: &Exchange<V>) -> Result<Move, Failure> {
        let refused = |problem| Err(Failure::Inconsistent { problem });
        let (leave, come) = (exchange.leave().concat(), exchange.come().concat());
        let changed = [(exchange.from(), &leave, &come), (exchange.to(), &come, &leave)];
        let changed = changed.into_iter().filter_map(|(group, leave, come)| {
            let group = group?;
            let stay = self.found.groups[group]
                .0
                .iter()
                .filter(|player| !leave.contains(player));
            let mut players: Vec<usize> = stay.chain(come).copied().collect();
            players.sort_unstable();
            Some((group, players))
        });
        let changed: Vec<(usize, Vec<usize>)> = changed.collect();
        let sense = self.task.problem.sense;
        let outcome = match exchange.outcome() {
            Err(flaw) => match Refusal::of(flaw) {
                Some(refusal) => Err(refusal),
                None => return refused("an exchange tears a party apart, or has a player twice"),
            },
            Ok(change) => {
                let change = sense.exactly(change);
                if self.changes.of(&changed) != Some(change) {
                    return refused("an exchange does not change the total by what it says");
                }
                match changed.iter().find(|(_, players)| !(self.has_roles)(players)) {
                    Some(&(group, _)) => Err(Refusal::Roles { group }),
                    None if !self.can_be_written(change) => Err(Refusal::NotCounted { group: changed[0].0 }),
                    None => Ok(change),
                }
            }
        };
        let beats = |change: &i128, bound: i128| sense.beats(self.found.total.saturating_add(*change), bound);
        let is_proven_wrong = |change: &i128| self.found.bound.is_some_and(|bound| beats(change, bound.total));
        if outcome.as_ref().is_ok_and(is_proven_wrong) {
            return refused("an exchange is better than what was proven to be the best");
        }
        Ok(Move {
            party: exchange.leave()[0].clone(),
            along: exchange.leave()[1..].concat(),
            from: exchange.from(),
            to: exchange.to(),
            with: come,
            outcome,
        })
    }
}
