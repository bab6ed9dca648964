//! Whether matches are what they are said to be, from the round and the rules alone.

use std::error::Error;
use std::fmt;

use matchmaking::lobby::{Judge, Lobby, Round, Rules};

/// What is wrong with matches; positions count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// A team has more or fewer players than the rules say.
    TeamSize { number: usize },
    /// A player is in so many places instead of one.
    Places { id: String, places: usize },
    /// Members of a party are in different places.
    Divided { party: String },
    /// The scores are not those of the teams.
    Scores { number: usize },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TeamSize { number } => write!(f, "match at position {number} has a team of the wrong size"),
            Self::Places { id, places } => write!(f, "player {id:?} is in {places} places"),
            Self::Divided { party } => write!(f, "party {party:?} is divided"),
            Self::Scores { number } => write!(f, "match at position {number} has other scores"),
        }
    }
}

impl Error for Flaw {}

/// Checks that everybody has one place, that parties are whole, and that teams have their size and their scores.
pub(super) fn check(round: &Round, rules: &Rules, lobby: &Lobby) -> Result<(), Box<dyn Error>> {
    let sides: Vec<&[usize]> = (lobby.matches.iter())
        .flat_map(|one| [one.red.as_slice(), one.blue.as_slice()])
        .collect();
    if let Some(side) = sides.iter().position(|side| side.len() != rules.team_size()) {
        return Err(Flaw::TeamSize { number: side / 2 }.into());
    }
    check_places(round, &sides, &lobby.waiting)?;
    let judge = Judge::new(round, rules)?;
    let is_other = |(red, blue, breakdown): (&[usize], &[usize], _)| judge.breakdown(red, blue) != breakdown;
    let mut matches = lobby.matches.iter();
    match matches.position(|one| is_other((&one.red, &one.blue, one.breakdown))) {
        Some(number) => Err(Flaw::Scores { number }.into()),
        None => Ok(()),
    }
}

/// Everybody has one place, a side or the bench, and parties share theirs.
fn check_places(round: &Round, sides: &[&[usize]], bench: &[usize]) -> Result<(), Flaw> {
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); round.len()];
    for (place, members) in sides.iter().copied().chain([bench]).enumerate() {
        members.iter().for_each(|&player| places[player].push(place));
    }
    if let Some(player) = places.iter().position(|places| places.len() != 1) {
        return Err(Flaw::Places {
            id: round.players()[player].id.clone(),
            places: places[player].len(),
        });
    }
    let is_divided = |members: &Vec<usize>| members.iter().any(|&member| places[member] != places[members[0]]);
    match round.parties().iter().position(is_divided) {
        Some(party) => Err(Flaw::Divided {
            party: round.party_label(party).to_owned(),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use matchmaking::lobby::{Lobby, LobbySearch, Round, Rules};

    use super::check;

    type Change<'a> = &'a dyn Fn(&mut Lobby);

    /// Three players of a party and eleven others; two of them wait.
    const ROUND: &str = "id,skill,region,party\na,1,SA,x\nb,2,SA,x\nc,3,SA,x\nd,4,SA,\ne,5,SA,\nf,6,SA,\ng,7,SA,\nh,8,SA,\n\
                         i,9,SA,\nj,10,SA,\nk,11,SA,\nl,12,SA,\nm,13,SA,\nn,14,SA,\n";

    #[test]
    fn every_kind_of_flaw_is_found() {
        let round = Round::read_csv(ROUND.as_bytes()).expect("a round");
        let rules = Rules::new(3);
        let right = LobbySearch::new(&round, &rules).work(500).run().expect("matches");
        let flaw = |change: Change<'_>| {
            let mut lobby = right.clone();
            change(&mut lobby);
            check(&round, &rules, &lobby).map_err(|error| error.to_string())
        };
        assert_eq!((flaw(&|_| ()), right.waiting.len()), (Ok(()), 2));
        let cases: [(Change<'_>, &str); 5] = [
            (
                &|lobby| lobby.matches[1].red.truncate(2),
                "position 1 has a team of the wrong size",
            ),
            (&|lobby| lobby.waiting.truncate(1), "is in 0 places"),
            (&|lobby| lobby.waiting[0] = lobby.waiting[1], "is in 0 places"),
            (
                &|lobby| lobby.matches[0].breakdown.premade += 0.5,
                "position 0 has other scores",
            ),
            (
                &|lobby| {
                    let mut sides = lobby.matches.iter_mut().flat_map(|one| [&mut one.red, &mut one.blue]);
                    let side = sides.find(|side| side.contains(&0)).expect("the party plays");
                    std::mem::swap(&mut side[0], &mut lobby.waiting[0]);
                },
                "party \"x\" is divided",
            ),
        ];
        for (change, part) in cases {
            let message = flaw(change).expect_err(part);
            assert!(message.contains(part), "{part:?} is missing in {message:?}");
        }
    }
}
