//! The search, with what the command line asked for.

use matchmaking::lobby::{Error, LobbySearch, Rules};

use super::args::LobbyArgs;
use super::read::Source;
use super::report::{Obstacle, Outcome, Searched};
use crate::cli::failure::Failure;
use crate::cli::interrupt;

/// Searches; a round of which no matches can be made is an outcome, not a failure.
pub(super) fn solve(args: &LobbyArgs, source: &Source, rules: &Rules) -> Result<Outcome, Failure> {
    let mut search = LobbySearch::new(&source.round, rules)
        .engine(args.engine)
        .fill(args.fill())
        .seed(args.seed)
        .cancel(interrupt::listen());
    if let Some(work) = args.work_limit {
        search = search.work(work);
    }
    if let Some(time) = args.time_limit {
        search = search.time(time);
    }
    match search.run() {
        Ok(lobby) => Ok(Outcome::Found(lobby)),
        Err(error) => without_matches(error).map_err(|error| Failure::Round {
            file: source.name.clone(),
            source: error.into(),
        }),
    }
}

/// What an error says about the round; those that say nothing about it are given back.
fn without_matches(error: Error) -> Result<Outcome, Error> {
    let message = error.to_string();
    let obstacle = |parties, matches, possible| Obstacle {
        message,
        parties,
        matches,
        possible,
        searched: None,
    };
    match error {
        Error::CannotPack {
            parties,
            matches,
            possible,
            ..
        } => Ok(Outcome::Infeasible(obstacle(parties, Some(matches), Some(possible)))),
        Error::OutOfReach {
            parties,
            matches,
            possible,
            ..
        } => Ok(Outcome::Infeasible(obstacle(parties, Some(matches), Some(possible)))),
        Error::NoneWithinLimits {
            matches,
            is_proven,
            stop,
            work,
            ..
        } => {
            let obstacle = Obstacle {
                searched: Some(Searched { stop, work }),
                ..obstacle(Vec::new(), Some(matches), None)
            };
            Ok(match is_proven {
                true => Outcome::Infeasible(obstacle),
                false => Outcome::Undecided(obstacle),
            })
        }
        Error::PartyTooLarge { party, .. } | Error::PartyAvoids { party, .. } => {
            Ok(Outcome::Infeasible(obstacle(vec![party], None, None)))
        }
        Error::PartyTooFar { party, possible, .. } => {
            let possible = (possible > 0).then_some(possible);
            Ok(Outcome::Infeasible(obstacle(vec![party], None, possible)))
        }
        Error::TooFewPlayers { .. } => Ok(Outcome::Infeasible(obstacle(Vec::new(), None, Some(0)))),
        Error::PackingUndecided { matches } => Ok(Outcome::Undecided(obstacle(Vec::new(), Some(matches), None))),
        other => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use matchmaking::lobby::Error;

    use super::without_matches;
    use crate::cli::lobby::report::Outcome;

    #[test]
    fn only_what_the_round_cannot_help_is_an_outcome() {
        let outcome = without_matches(Error::PackingUndecided { matches: 3 });
        let Ok(Outcome::Undecided(obstacle)) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!((obstacle.matches, obstacle.possible), (Some(3), None));
        let few = Error::TooFewPlayers { players: 5, needed: 6 };
        assert!(matches!(without_matches(few), Ok(Outcome::Infeasible(_))));
        assert_eq!(without_matches(Error::NoPlayers).err(), Some(Error::NoPlayers));
    }
}
