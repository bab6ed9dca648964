//! Pairings without optimisation, to compare with: neighbours by rating, and chance.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::pool::{Pool, PoolLimits};

/// Who plays whom, and who does not play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Pairing {
    pairs: Vec<(usize, usize)>,
    unmatched: Vec<usize>,
}

impl Pairing {
    /// These pairs of player positions, and these players without a game. They are taken as they are: whether they are of a
    /// pool, and everybody is there once, shows where they are used.
    pub fn new(pairs: Vec<(usize, usize)>, unmatched: Vec<usize>) -> Self {
        Self { pairs, unmatched }
    }

    /// The pairs.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// The players without a game.
    pub fn unmatched(&self) -> &[usize] {
        &self.unmatched
    }

    /// SkillMM of the EOMM paper: the players in order of rating (ties in input order), each two neighbours a pair.
    ///
    /// Players who avoid each other are passed over for the next one who is free; see [`Pairing::in_order`].
    pub fn by_rating(pool: &Pool) -> Self {
        Self::by_rating_within(&PoolLimits::new(pool))
    }

    /// The same, where whoever is beyond these limits is passed over as well.
    ///
    /// # Examples
    /// ```
    /// use matchmaking::{Pairing, Pool, PoolLimits};
    ///
    /// # fn main() -> Result<(), matchmaking::Error> {
    /// let pool = Pool::read_ratings_csv("id,rating\nann,1500\nben,1600\ncho,1610\n".as_bytes())?;
    /// let limits = PoolLimits::new(&pool).with_gap_limit(50.0)?;
    /// assert_eq!(Pairing::by_rating_within(&limits), Pairing::new(vec![(1, 2)], vec![0]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn by_rating_within(limits: &PoolLimits<'_>) -> Self {
        Self::in_order_where(limits.pool(), &order_by_rating(limits.pool()), |i, j| {
            limits.may_meet(i, j)
        })
    }

    /// RandomMM of the EOMM paper: a shuffle, decided by the seed, and each two neighbours a pair.
    pub fn random(pool: &Pool, seed: u64) -> Self {
        Self::random_within(&PoolLimits::new(pool), seed)
    }

    /// The same, where whoever is beyond these limits is passed over.
    pub fn random_within(limits: &PoolLimits<'_>, seed: u64) -> Self {
        let pool = limits.pool();
        let mut order: Vec<usize> = (0..pool.len()).collect();
        order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        Self::in_order_where(pool, &order, |i, j| limits.may_meet(i, j))
    }

    /// Pairs each player of `order` with the next one who is free and whom nobody's wish rules out.
    ///
    /// Where that leaves two players who avoid each other, they change partners with a pair, if one allows it;
    /// otherwise they stay without a game. Whoever is not in `order` is not in the pairing.
    ///
    /// # Panics
    /// If `order` has somebody who is not a player, or anybody twice.
    #[track_caller]
    pub fn in_order(pool: &Pool, order: &[usize]) -> Self {
        Self::in_order_where(pool, order, |i, j| pool.may_meet(i, j))
    }

    /// The same for those of whom something says that they may meet.
    #[track_caller]
    fn in_order_where(pool: &Pool, order: &[usize], may_meet: impl Fn(usize, usize) -> bool) -> Self {
        let mut is_there = vec![false; pool.len()];
        for &player in order {
            let len = pool.len();
            assert!(player < len, "player {player} in the order where the pool has {len}");
            assert!(!is_there[player], "player {player} is in the order twice");
            is_there[player] = true;
        }
        let mut free = order.to_vec();
        let mut pairing = Self::default();
        free.reverse();
        while let Some(i) = free.pop() {
            match free.iter().rposition(|&j| may_meet(i, j)) {
                Some(position) => pairing.pairs.push((i, free.remove(position))),
                None => pairing.unmatched.push(i),
            }
        }
        while pairing.unmatched.len() >= 2 {
            let (i, j) = (pairing.unmatched[0], pairing.unmatched[1]);
            let Some((position, a, b)) = pairing.exchange(&may_meet, i, j) else {
                break;
            };
            pairing.pairs[position] = (i, a);
            pairing.pairs.push((j, b));
            pairing.unmatched.drain(..2);
        }
        pairing
    }

    /// A pair whose members can be shared out among `i` and `j`: its position, who goes to `i`, who goes to `j`.
    fn exchange(&self, may_meet: &impl Fn(usize, usize) -> bool, i: usize, j: usize) -> Option<(usize, usize, usize)> {
        let suits = |a, b| may_meet(i, a) && may_meet(j, b);
        self.pairs
            .iter()
            .enumerate()
            .find_map(|(position, &(a, b))| match (suits(a, b), suits(b, a)) {
                (true, _) => Some((position, a, b)),
                (false, true) => Some((position, b, a)),
                (false, false) => None,
            })
    }
}

/// Several opponents for each player, as many as `games` says for each, round by round without optimisation: in every round those
/// who lack games, in order of rating (ties in input order), and each two neighbours a pair, as [`Pairing::by_rating`] has
/// them. Whoever is avoided or was met before is passed over for the next one. Where that leaves two games to be had that the
/// two cannot have with each other, they change opponents with a pair, the last one that allows it; who finds nobody has fewer games.
///
/// # Panics
/// If `games` has not a number for each player.
#[track_caller]
pub fn opponents_by_rating(pool: &Pool, games: &[u32]) -> Vec<(usize, usize)> {
    opponents_by_rating_within(&PoolLimits::new(pool), games)
}

/// The same, where whoever is beyond these limits is passed over as well.
///
/// # Panics
/// If `games` has not a number for each player.
#[track_caller]
pub fn opponents_by_rating_within(limits: &PoolLimits<'_>, games: &[u32]) -> Vec<(usize, usize)> {
    let order = order_by_rating(limits.pool());
    round_by_round(limits, games, || order.clone())
}

/// The same with a shuffle for each round, decided by the seed, as [`Pairing::random`] has it for one.
///
/// # Panics
/// If `games` has not a number for each player.
#[track_caller]
pub fn opponents_at_random(pool: &Pool, games: &[u32], seed: u64) -> Vec<(usize, usize)> {
    opponents_at_random_within(&PoolLimits::new(pool), games, seed)
}

/// The same, where whoever is beyond these limits is passed over.
///
/// # Panics
/// If `games` has not a number for each player.
#[track_caller]
pub fn opponents_at_random_within(limits: &PoolLimits<'_>, games: &[u32], seed: u64) -> Vec<(usize, usize)> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    round_by_round(limits, games, || {
        let mut order: Vec<usize> = (0..limits.pool().len()).collect();
        order.shuffle(&mut rng);
        order
    })
}

/// The players in order of rating, ties in input order.
fn order_by_rating(pool: &Pool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..pool.len()).collect();
    order.sort_by(|&i, &j| pool.players()[i].rating.total_cmp(&pool.players()[j].rating));
    order
}

/// Rounds by the order that is given for each, until one brings nobody a game, and exchanges for those who lack games then.
#[track_caller]
fn round_by_round(
    limits: &PoolLimits<'_>,
    games: &[u32],
    mut order: impl FnMut() -> Vec<usize>,
) -> Vec<(usize, usize)> {
    let n = limits.pool().len();
    assert_eq!(games.len(), n, "a number of games for each player");
    let mut left = games.to_vec();
    let mut met = vec![Vec::new(); n];
    let mut pairs = Vec::new();
    loop {
        let before = pairs.len();
        let mut free: Vec<usize> = order().into_iter().filter(|&player| left[player] > 0).collect();
        free.reverse();
        while let Some(i) = free.pop() {
            let suits = |&j: &usize| limits.may_meet(i, j) && !met[i].contains(&j);
            if let Some(position) = free.iter().rposition(suits) {
                let j = free.remove(position);
                (left[i], left[j]) = (left[i] - 1, left[j] - 1);
                met[i].push(j);
                met[j].push(i);
                pairs.push((i.min(j), i.max(j)));
            }
        }
        if pairs.len() == before {
            break;
        }
    }
    let mut lacking: Vec<usize> = (0..n).flat_map(|i| std::iter::repeat_n(i, left[i] as usize)).collect();
    while let [i, j, ..] = lacking[..] {
        let suits = |i: usize, other: usize| i != other && limits.may_meet(i, other) && !met[i].contains(&other);
        let both = |i, j, (a, b)| suits(i, a) && suits(j, b);
        let Some(position) = pairs
            .iter()
            .rposition(|&(a, b)| both(i, j, (a, b)) || both(i, j, (b, a)))
        else {
            // The others may still have games with each other's opponents.
            lacking.remove(0);
            continue;
        };
        let (a, b) = pairs.remove(position);
        let (a, b) = if both(i, j, (a, b)) { (a, b) } else { (b, a) };
        met[a].retain(|&other| other != b);
        met[b].retain(|&other| other != a);
        for (one, other) in [(i, a), (j, b)] {
            met[one].push(other);
            met[other].push(one);
            pairs.push((one.min(other), one.max(other)));
        }
        lacking.drain(..2);
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::{
        Pairing, opponents_at_random, opponents_at_random_within, opponents_by_rating, opponents_by_rating_within,
    };
    use crate::error::Error;
    use crate::player::Player;
    use crate::pool::{Pool, PoolLimits};

    fn pool(ratings: &[f64], avoid: &[(usize, usize)]) -> Result<Pool, Error> {
        let mut players: Vec<Player> = ratings
            .iter()
            .enumerate()
            .map(|(i, &rating)| Player::new(format!("p{i}"), rating, 50.0))
            .collect();
        avoid.iter().for_each(|&(i, j)| players[i].avoid.push(format!("p{j}")));
        Pool::new(players)
    }

    #[test]
    fn neighbours_by_rating() -> Result<(), Error> {
        let pool = pool(&[3.0, 1.0, 4.0, 2.0, 9.0], &[])?;
        assert_eq!(Pairing::by_rating(&pool), Pairing::new(vec![(1, 3), (0, 2)], vec![4]));
        Ok(())
    }

    #[test]
    fn limits_hold_without_optimisation_too() -> Result<(), Error> {
        for seed in 0..20 {
            let pool = Pool::synthetic(60, seed);
            let limits = PoolLimits::new(&pool).with_gap_limit(40.0 + 10.0 * seed as f64)?;
            let games: Vec<u32> = (0..60).map(|player| player % 4).collect();
            for pairing in [
                Pairing::by_rating_within(&limits),
                Pairing::random_within(&limits, seed),
            ] {
                let mut all: Vec<usize> = pairing.unmatched().to_vec();
                all.extend(pairing.pairs().iter().flat_map(|&(i, j)| [i, j]));
                all.sort_unstable();
                assert!(all.into_iter().eq(0..60));
                assert!(pairing.pairs().iter().all(|&(i, j)| limits.may_meet(i, j)));
            }
            for pairs in [
                opponents_by_rating_within(&limits, &games),
                opponents_at_random_within(&limits, &games, seed),
            ] {
                assert!(!pairs.is_empty() && pairs.iter().all(|&(i, j)| limits.may_meet(i, j)));
            }
        }
        Ok(())
    }

    /// Whoever is rated -0 came before those who are rated 0.
    #[test]
    fn zero_ties_with_zero() -> Result<(), Error> {
        let pool = pool(&[0.0, -0.0, 0.0, -0.0], &[])?;
        assert_eq!(Pairing::by_rating(&pool), Pairing::new(vec![(0, 1), (2, 3)], vec![]));
        Ok(())
    }

    #[test]
    fn avoided_players_are_passed_over() -> Result<(), Error> {
        let passed = pool(&[1.0, 2.0, 3.0, 4.0], &[(0, 1)])?;
        assert_eq!(Pairing::by_rating(&passed), Pairing::new(vec![(0, 2), (1, 3)], vec![]));
        // The last two avoid each other: they share out the first pair.
        let last = pool(&[1.0, 2.0, 3.0, 4.0], &[(2, 3), (2, 0)])?;
        assert_eq!(Pairing::by_rating(&last), Pairing::new(vec![(2, 1), (3, 0)], vec![]));
        let nobody = pool(&[1.0, 2.0], &[(0, 1)])?;
        assert_eq!(Pairing::by_rating(&nobody), Pairing::new(vec![], vec![0, 1]));
        Ok(())
    }

    #[test]
    fn an_order_of_some_pairs_those_alone() -> Result<(), Error> {
        let pool = pool(&[1.0, 2.0, 3.0, 4.0], &[])?;
        assert_eq!(Pairing::in_order(&pool, &[3, 1]), Pairing::new(vec![(3, 1)], vec![]));
        Ok(())
    }

    /// Somebody who is not there was paired like anybody else.
    #[test]
    #[should_panic(expected = "player 99 in the order where the pool has 4")]
    fn an_order_names_players_of_the_pool() {
        let pool = pool(&[1.0, 2.0, 3.0, 4.0], &[]).expect("a pool");
        Pairing::in_order(&pool, &[0, 99]);
    }

    /// Somebody played against himself.
    #[test]
    #[should_panic(expected = "player 0 is in the order twice")]
    fn an_order_names_players_once() {
        let pool = pool(&[1.0, 2.0, 3.0, 4.0], &[]).expect("a pool");
        Pairing::in_order(&pool, &[0, 0]);
    }

    #[test]
    fn several_opponents_are_different_and_allowed() -> Result<(), Error> {
        let four = pool(&[3.0, 1.0, 4.0, 2.0], &[])?;
        // In order of rating 1, 3, 0, 2: the first two neighbours, then every second one.
        assert_eq!(opponents_by_rating(&four, &[1; 4]), [(0, 2), (1, 3)]);
        assert_eq!(opponents_by_rating(&four, &[2; 4]), [(0, 1), (0, 2), (1, 3), (2, 3)]);
        // After two rounds four have met each other, and the two others as well: these change opponents with two pairs.
        let six = pool(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[])?;
        assert_eq!(opponents_by_rating(&six, &[3; 6]).len(), 9);
        // One of three who lacks two games takes the place of a pair's two opponents.
        let three = pool(&[1.0, 2.0, 3.0], &[])?;
        assert_eq!(opponents_by_rating(&three, &[1, 1, 2]), [(0, 2), (1, 2)]);
        let ratings: Vec<f64> = (0..40).map(|i| f64::from(i * 7919 % 101)).collect();
        let avoid: Vec<(usize, usize)> = (1..40).map(|i| (i, i / 2)).collect();
        let pool = pool(&ratings, &avoid)?;
        let games: Vec<u32> = (0..40).map(|i| i % 5).collect();
        for pairs in [
            opponents_by_rating(&pool, &games),
            opponents_at_random(&pool, &games, 3),
            opponents_at_random(&pool, &games, 4),
        ] {
            assert!(
                pairs.windows(2).all(|two| two[0] < two[1]),
                "in order, and nobody twice"
            );
            let count = |i: usize| pairs.iter().filter(|&&(a, b)| a == i || b == i).count() as u32;
            assert!((0..40).all(|i| count(i) <= games[i]));
            assert!(pairs.iter().all(|&(i, j)| i < j && pool.may_meet(i, j)));
            // Two who lack games have met, or may not.
            let lacks = |i: usize| count(i) < games[i];
            let others = (0..40).flat_map(|j| (0..j).map(move |i| (i, j)));
            let could = |&(i, j): &(usize, usize)| lacks(i) && lacks(j) && pool.may_meet(i, j);
            assert!(others.filter(could).all(|pair| pairs.contains(&pair)));
        }
        assert_eq!(
            opponents_at_random(&pool, &games, 3),
            opponents_at_random(&pool, &games, 3)
        );
        assert_ne!(
            opponents_at_random(&pool, &games, 3),
            opponents_at_random(&pool, &games, 4)
        );
        Ok(())
    }

    #[test]
    #[should_panic(expected = "a number of games for each player")]
    fn each_player_has_a_number_of_games() {
        let pool = pool(&[1.0, 2.0], &[]).expect("a pool");
        opponents_by_rating(&pool, &[1]);
    }

    #[test]
    fn chance_depends_on_the_seed_and_uses_everybody_once() -> Result<(), Error> {
        let pool = pool(&[1.0; 101], &[(3, 4)])?;
        let pairing = Pairing::random(&pool, 1);
        assert_eq!(pairing, Pairing::random(&pool, 1));
        assert_ne!(pairing, Pairing::random(&pool, 2));
        let mut used: Vec<usize> = pairing.pairs().iter().flat_map(|&(i, j)| [i, j]).collect();
        used.extend(pairing.unmatched());
        used.sort_unstable();
        assert_eq!(used, (0..101).collect::<Vec<_>>());
        Ok(())
    }
}
