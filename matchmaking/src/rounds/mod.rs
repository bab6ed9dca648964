//! Games put into rounds, so that nobody plays two at once.

mod colouring;
mod overfull;

use std::collections::HashMap;
use std::fmt;

use colouring::Colouring;
use overfull::{is_overfull, overfull};

/// Games in rounds, in each of which everybody plays once at most.
///
/// Some player has the most games, and there are as many rounds, or one more. Where it is one more, that is mostly proven to be
/// needed, by players who have more games among them than fit into fewer ([`Rounds::overfull`]); but it can be one too many, as whether
/// fewer would do is a hard question ([`Rounds::at_least`]).
///
/// # Examples
/// ```
/// use matchmaking::Rounds;
///
/// // Everybody of four against everybody else.
/// let games = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
/// let rounds = Rounds::new(4, &games);
/// assert_eq!((rounds.len(), rounds.at_least()), (3, 3));
/// assert_eq!(rounds.rounds()[0], [(0, 1), (2, 3)]);
/// assert!(rounds.verify(4, &games).is_ok());
///
/// // Of three somebody sits out in every round.
/// assert_eq!(Rounds::new(3, &[(0, 1), (1, 2), (0, 2)]).len(), 3);
/// ```
///
/// # References
/// V. G. Vizing, "On an estimate of the chromatic class of a p-graph", 1964, for the one round more; J. Misra, D. Gries, "A
/// constructive proof of Vizing's theorem", Information Processing Letters 41 (1992), doi:10.1016/0020-0190(92)90041-S, for
/// the method; J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965, for overfull sets, and M. W. Padberg, M. R.
/// Rao, "Odd minimum cut-sets and b-matchings", Mathematics of Operations Research 7 (1982), doi:10.1287/moor.7.1.67, for how to
/// find it; I. Holyer, "The NP-completeness of edge-coloring", SIAM Journal on Computing 10 (1981), doi:10.1137/0210055.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Rounds {
    rounds: Vec<Vec<(usize, usize)>>,
    at_least: usize,
    overfull: Vec<usize>,
}

impl Rounds {
    /// Rounds for these games of so many players, each of two different ones and no two of the same. The rounds with the most
    /// games come first; games are in order.
    ///
    /// # Panics
    /// If a game is of somebody who is not there, or of a player against himself, or if two games are of the same two.
    ///
    /// # Complexity
    /// O(n b m) time and O(m + n b) space for m games of n players with up to b games each; beyond n b m = 5·10⁸ overfull sets are looked for
    /// among those alone whom no game leads out of.
    #[track_caller]
    pub fn new(players: usize, games: &[(usize, usize)]) -> Self {
        let mut games: Vec<(usize, usize)> = games.iter().map(|&(i, j)| (i.min(j), i.max(j))).collect();
        games.sort_unstable();
        for &(i, j) in &games {
            assert!(j < players, "player {j} where there are {players}");
            assert!(i < j, "player {i} against himself");
        }
        if let Some(two) = games.windows(2).find(|two| two[0] == two[1]) {
            panic!("two games of players {} and {}", two[0].0, two[0].1);
        }
        let most = most(players, &games);
        let overfull = overfull(players, &games, most);
        let at_least = most + usize::from(!overfull.is_empty());
        let exact = overfull.is_empty().then(|| Colouring::search(players, &games, most));
        let colouring = exact
            .flatten()
            .unwrap_or_else(|| Colouring::misra_gries(players, &games, most + 1));
        let mut rounds = vec![Vec::new(); most + 1];
        for (game, &pair) in games.iter().enumerate() {
            rounds[colouring.colour(game)].push(pair);
        }
        rounds.retain(|round| !round.is_empty());
        rounds.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        Self {
            rounds,
            at_least,
            overfull,
        }
    }

    /// The games of each round.
    pub fn rounds(&self) -> &[Vec<(usize, usize)>] {
        &self.rounds
    }

    /// How many rounds there are.
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// No fewer rounds can do, as somebody has so many games, or the [overfull set](Self::overfull) one fewer.
    pub fn at_least(&self) -> usize {
        self.at_least
    }

    /// Players, an odd number of them and in order, who have more games among them than fit into as many rounds as anybody has
    /// games, an overfull set of the graph of games: of each round at least one of them sits out. Nobody where none were found.
    pub fn overfull(&self) -> &[usize] {
        &self.overfull
    }

    /// Checks that every game is in one round, that there are no others, and that nobody plays twice in one; and that no fewer
    /// rounds could do than is said.
    ///
    /// # Errors
    /// The first thing found wrong.
    ///
    /// # Complexity
    /// O(m log m + n) for m games of n players.
    pub fn verify(&self, players: usize, games: &[(usize, usize)]) -> Result<(), RoundsProblem> {
        let ordered = |&(i, j): &(usize, usize)| (i.min(j), i.max(j));
        let mut open: HashMap<(usize, usize), usize> = HashMap::new();
        games
            .iter()
            .for_each(|game| *open.entry(ordered(game)).or_default() += 1);
        let mut last_round = vec![None; players];
        for (round, games) in self.rounds.iter().enumerate() {
            for game in games {
                let game = ordered(game);
                match open.get_mut(&game) {
                    Some(count) if *count > 0 => *count -= 1,
                    _ => return Err(RoundsProblem::NotAGame { round, game }),
                }
                for player in [game.0, game.1] {
                    let is_busy = last_round.get(player).is_none_or(|last| *last == Some(round));
                    if is_busy {
                        return Err(RoundsProblem::TwiceAtOnce { round, player });
                    }
                    last_round[player] = Some(round);
                }
            }
        }
        if let Some((&game, _)) = open.iter().filter(|(_, count)| **count > 0).min() {
            return Err(RoundsProblem::NotPlayed { game });
        }
        let games: Vec<(usize, usize)> = games.iter().map(ordered).collect();
        let most = most(players, &games);
        let is_set = self.overfull.is_sorted_by(|one, other| one < other);
        let proven = most + usize::from(is_set && is_overfull(&self.overfull, &games, most));
        match self.at_least > proven {
            true => Err(RoundsProblem::Bound {
                found: self.at_least,
                proven,
            }),
            false => Ok(()),
        }
    }
}

/// What is wrong with rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoundsProblem {
    /// A round has a game that there is not, or that is in another place already.
    NotAGame {
        /// The round, from 0.
        round: usize,
        /// The game.
        game: (usize, usize),
    },
    /// A player has two games in one round, or is not there.
    TwiceAtOnce {
        /// The round, from 0.
        round: usize,
        /// The player.
        player: usize,
    },
    /// A game is in no round.
    NotPlayed {
        /// The game.
        game: (usize, usize),
    },
    /// More rounds are said to be needed than the games show.
    Bound {
        /// What is said.
        found: usize,
        /// What they show.
        proven: usize,
    },
}

impl fmt::Display for RoundsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAGame { round, game: (i, j) } => {
                write!(
                    f,
                    "round {round} has a game of players {i} and {j}, which is none or was played"
                )
            }
            Self::TwiceAtOnce { round, player } => {
                write!(f, "player {player} plays twice in round {round}, or is not there")
            }
            Self::NotPlayed { game: (i, j) } => write!(f, "the game of players {i} and {j} is in no round"),
            Self::Bound { found, proven } => {
                write!(
                    f,
                    "{found} rounds are said to be needed, where the games show that {proven} are"
                )
            }
        }
    }
}

impl std::error::Error for RoundsProblem {}

/// The most games that anybody has.
fn most(players: usize, games: &[(usize, usize)]) -> usize {
    let mut counts = vec![0; players];
    games
        .iter()
        .for_each(|&(i, j)| (counts[i], counts[j]) = (counts[i] + 1, counts[j] + 1));
    counts.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn check(players: usize, games: &[(usize, usize)]) -> Rounds {
        let rounds = Rounds::new(players, games);
        assert_eq!(rounds.verify(players, games), Ok(()), "{games:?}");
        let most = most(players, games);
        assert!((rounds.at_least()..=most + 1).contains(&rounds.len()), "{games:?}");
        let sizes = rounds.rounds().iter().map(Vec::len);
        assert!(sizes.rev().is_sorted());
        rounds
    }

    fn all_pairs(n: usize) -> Vec<(usize, usize)> {
        (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect()
    }

    /// Whether so many rounds are enough, by trying everything.
    fn is_enough(games: &[(usize, usize)], busy: &mut Vec<Vec<bool>>, rounds: usize) -> bool {
        let [(i, j), rest @ ..] = games else { return true };
        // Rounds that are empty yet are all alike.
        let begun = busy.iter().take_while(|busy| busy.contains(&true)).count();
        for round in 0..rounds.min(begun + 1) {
            if !busy[round][*i] && !busy[round][*j] {
                (busy[round][*i], busy[round][*j]) = (true, true);
                let is_done = is_enough(rest, busy, rounds);
                (busy[round][*i], busy[round][*j]) = (false, false);
                if is_done {
                    return true;
                }
            }
        }
        false
    }

    #[test]
    fn small_games_take_as_few_rounds_as_there_can_be() {
        let rng = &mut ChaCha8Rng::seed_from_u64(2);
        let mut more = 0;
        for _ in 0..6_000 {
            let n = rng.random_range(2..=7);
            let share = rng.random_range(0.2..1.0);
            let games: Vec<_> = all_pairs(n).into_iter().filter(|_| rng.random_bool(share)).collect();
            let rounds = check(n, &games);
            let fewer = rounds.len().saturating_sub(1);
            assert!(
                rounds.is_empty() || !is_enough(&games, &mut vec![vec![false; n]; fewer], fewer),
                "{fewer} rounds are enough for {games:?}"
            );
            let most = most(n, &games);
            more += usize::from(rounds.len() > most);
        }
        assert!(more > 5, "{more}");
    }

    #[test]
    fn round_robins_take_the_rounds_that_are_known() {
        for n in 2..=30 {
            assert_eq!(check(n, &all_pairs(n)).len(), if n % 2 == 0 { n - 1 } else { n }, "{n}");
        }
        // The Petersen graph has three games each and takes four rounds, which counting does not show.
        let outer = (0..5).map(|i| (i, (i + 1) % 5));
        let spokes = (0..5).map(|i| (i, i + 5));
        let inner = (0..5).map(|i| (i + 5, (i + 2) % 5 + 5));
        let petersen: Vec<_> = outer.chain(spokes).chain(inner).collect();
        let rounds = check(10, &petersen);
        assert_eq!((rounds.len(), rounds.at_least()), (4, 3));
        assert!(Rounds::new(3, &[]).is_empty() && Rounds::new(0, &[]).is_empty());
    }

    #[test]
    fn random_games_hardly_ever_take_one_round_more() {
        let rng = &mut ChaCha8Rng::seed_from_u64(3);
        for (n, each) in [(60, 3), (200, 3), (100, 7), (301, 4), (500, 3), (80, 20)] {
            // Circles on shuffled players: everybody has as many games.
            let mut games = std::collections::BTreeSet::new();
            let mut at: Vec<usize> = (0..n).collect();
            for i in (1..n).rev() {
                at.swap(i, rng.random_range(0..=i));
            }
            for step in 1..=each {
                for i in 0..n {
                    let (a, b) = (at[i], at[(i + step * step) % n]);
                    if rng.random_bool(0.9) && a != b {
                        games.insert((a.min(b), a.max(b)));
                    }
                }
            }
            let games: Vec<_> = games.into_iter().collect();
            let rounds = check(n, &games);
            assert_eq!(rounds.len(), rounds.at_least(), "{n} {each}");
        }
    }

    #[test]
    fn false_rounds_are_refused() {
        let games = [(0, 1), (1, 2), (0, 3)];
        let rounds = |rounds: &[&[(usize, usize)]], at_least| {
            let rounds = Rounds {
                rounds: rounds.iter().map(|round| round.to_vec()).collect(),
                at_least,
                overfull: vec![0, 1, 2],
            };
            rounds.verify(4, &games)
        };
        assert_eq!(rounds(&[&[(0, 1)], &[(2, 1), (0, 3)]], 2), Ok(()));
        let game = (1, 2);
        assert_eq!(
            rounds(&[&[(0, 1)], &[(0, 3)]], 2),
            Err(RoundsProblem::NotPlayed { game })
        );
        let (round, player) = (0, 1);
        assert_eq!(
            rounds(&[&[(0, 1), (1, 2)], &[(0, 3)]], 2),
            Err(RoundsProblem::TwiceAtOnce { round, player })
        );
        let (round, game) = (1, (0, 1));
        assert_eq!(
            rounds(&[&[(0, 1)], &[(1, 0)]], 2),
            Err(RoundsProblem::NotAGame { round, game })
        );
        let (found, proven) = (3, 2);
        assert_eq!(
            rounds(&[&[(0, 1)], &[(1, 2), (0, 3)]], 3),
            Err(RoundsProblem::Bound { found, proven })
        );
    }

    #[test]
    #[should_panic(expected = "two games of players 0 and 1")]
    fn nobody_meets_anybody_twice() {
        Rounds::new(3, &[(0, 1), (1, 0)]);
    }

    #[test]
    #[should_panic(expected = "player 3 where there are 3")]
    fn players_are_there() {
        Rounds::new(3, &[(0, 3)]);
    }
}
