//! What is optimal among all policies.

use super::costs::{INFINITE_BOUND, about_the_threshold, has_bound, theorem_grid};
use super::facts::{best, greedy_excess, least_cost, patient_excess, process, process_with};
use super::{At, Formula, each, full_grid, grid, plain, printed, truth, whole};
use crate::error::Error;
use crate::models::wu::{PoolProcess, Splits, TeamPool};
use crate::scalar::{Rational, Scalar};

pub(super) fn before_the_theorem() -> Vec<Formula> {
    vec![
        plain(
            "an optimal stationary policy is guaranteed to exist",
            "Compared: what the best stationary policy found costs beyond a bound below all policies.",
            some_alphas(&full_grid()),
            |_| Some(whole(0)),
            |at| {
                let process = process(at)?;
                Ok(best(&process)?.verify(process.mdp())?.gap())
            },
        ),
        plain(
            "we can exchange one high-type player",
            "Any 2n players can be split with an imbalance of at most 1. Compared: the least imbalance of their splits, largest \
             over all compositions of 2n players.",
            team_sizes(8),
            |_| Some(whole(1)),
            |at| largest_least_imbalance(at.n(), 2 * at.n(), |_| true),
        ),
        plain(
            "in the optimal policy, I is at most 1",
            "With every split of every game allowed, the optimal policy splits no game by more than 1 (1 if so; alpha > 0).",
            each(
                &small_grid(),
                "alpha",
                &[(1, 3), (1, 1), (3, 1)].map(|(p, q)| Rational::ratio(p, q)),
            ),
            |_| Some(whole(1)),
            has_fair_splits,
        ),
        plain(
            "whenever there are at least 2n + 1 players in the system, we can pick 2n of them and form a zero cost match",
            "Compared: the least imbalance of a game, largest over all pools of `players` players.",
            (1..=4)
                .flat_map(|n| [2 * n + 1, 3 * n + 1, 4 * n + 3].map(|size| pool_size(n, size)))
                .collect(),
            |_| Some(whole(0)),
            |at| largest_least_imbalance(at.n(), at.count("players"), |_| true),
        ),
        plain(
            "u and v are both even. In this case we can create a zero cost match with these 2n players",
            "Compared: the least imbalance of 2n players, largest over even numbers of high players.",
            team_sizes(8),
            |_| Some(whole(0)),
            |at| largest_least_imbalance(at.n(), 2 * at.n(), |u| u % 2 == 0),
        ),
        plain(
            "u and v are both odd ... incurring an imbalance cost alpha for each player",
            "Compared: the cost of the greedy decision at 2n players of two odd numbers, waiting aside, per player.",
            each(&some_alphas(&grid()), "u", &[whole(1)]),
            |at| Some(at.alpha()),
            |at| {
                let process = process(at)?;
                let state = process.states().find(&vec![1, 2 * at.n() - 1]);
                let state = state.ok_or(Error::NoStates)?;
                let decision = &process.decisions(state)[process.greedy()[state]];
                Ok(process.pool().imbalance_cost(decision) / whole(2 * at.n()))
            },
        ),
        plain(
            "Lemma 3.1",
            "There exists an optimal stationary policy that forms any zero imbalance cost match immediately. Compared: what the \
             best policy that does so costs beyond the best of all policies, which may form any games at any time, when M \
             players force a game.",
            with_caps(&about_the_threshold(&small_grid())),
            |_| Some(whole(0)),
            |at| {
                let process = process(at)?;
                let at_once = process.with_fair_games_at_once()?;
                Ok(best(&at_once)?.gain() - least_cost(&process)?)
            },
        ),
        plain(
            "overall action B is optimal in expectation, but for any realized coin flip, B is never the optimal choice",
            "Of payoffs 10, 8, 1 for heads and 1, 8, 10 for tails, as remark (I) has them, whose coin need not be quite fair (1 if so).",
            (6..=14)
                .map(|n| At::new(&[("heads", Rational::ratio(n, 20))]))
                .collect(),
            |_| Some(whole(1)),
            |at| Ok(truth(is_best_only_in_expectation(&at.get("heads"), 1))),
        ),
        plain(
            "the specific values of u and v do not matter, only their parities do",
            "Compared: how much the values of pools of 2n players of two odd numbers differ under the best policy.",
            each(&some_alphas(&grid()), "u", &[whole(1)]),
            |_| Some(whole(0)),
            spread_of_odd_pools,
        ),
    ]
}

/// Whether an action, by its number, has the largest expected payoff of the example, and the largest one on neither side of
/// the coin.
fn is_best_only_in_expectation(heads: &Rational, action: usize) -> bool {
    let (of_heads, of_tails) = ([10, 8, 1].map(whole), [1, 8, 10].map(whole));
    let tails = whole(1) - heads;
    let expected = [0, 1, 2].map(|action| heads * &of_heads[action] + &tails * &of_tails[action]);
    let is_best = |payoffs: &[Rational; 3]| (0..3).all(|other| other == action || payoffs[other] < payoffs[action]);
    is_best(&expected) && !is_best(&of_heads) && !is_best(&of_tails)
}

fn team_sizes(most: usize) -> Vec<At> {
    (1..=most).map(|n| At::new(&[("n", whole(n))])).collect()
}

fn pool_size(n: usize, players: usize) -> At {
    At::new(&[("n", whole(n)), ("players", whole(players))])
}

pub(super) fn some_alphas(points: &[At]) -> Vec<At> {
    each(
        points,
        "alpha",
        &[(0, 1), (1, 1), (5, 2)].map(|(p, q)| Rational::ratio(p, q)),
    )
}

fn small_grid() -> Vec<At> {
    grid().into_iter().filter(|at| at.n() <= 2).collect()
}

/// Pools that may grow to one and two games, and almost another one.
fn with_caps(points: &[At]) -> Vec<At> {
    let caps = |at: &At| [2 * at.n() + 1, 4 * at.n() + 1].map(|cap| at.with("M", whole(cap)));
    points.iter().flat_map(caps).collect()
}

/// The imbalance of the fairest game that can be formed from a pool, the largest over pools of so many players.
fn largest_least_imbalance(n: usize, size: usize, takes: fn(usize) -> bool) -> Result<Rational, Error> {
    let pool = TeamPool::new(n, Rational::ratio(1, 2), whole(1), 2 * n)?;
    let fairest = |u: usize| {
        let games = (0..=2 * n).filter(|&high| high <= u && 2 * n - high <= size - u);
        let least = |high| Ok(pool.imbalances(&[high, 2 * n - high])?.first().copied());
        let least: Vec<Option<u64>> = games.map(least).collect::<Result<_, Error>>()?;
        Ok::<_, Error>(least.into_iter().flatten().min())
    };
    let mut worst = 0;
    for high in (0..=size).filter(|&high| takes(high)) {
        worst = fairest(high)?.ok_or(Error::NoStates)?.max(worst);
    }
    Ok(whole(worst as usize))
}

fn has_fair_splits(at: &At) -> Result<Rational, Error> {
    let process = process_with(at, Splits::All)?;
    let best = best(&process)?;
    let is_exact = best.verify(process.mdp())?.is_exact();
    Ok(truth(is_exact && splits_fairly(&process, best.policy())?))
}

/// Whether a policy splits no game by more than one in all the pools that it keeps coming back to.
fn splits_fairly(process: &PoolProcess<Rational>, policy: &[usize]) -> Result<bool, Error> {
    let shares = process.chain(policy)?.stationary()?;
    let is_fair = |state: usize| {
        let decision = &process.decisions(state)[policy[state]];
        decision.imbalance <= decision.games as u64
    };
    Ok((0..shares.len()).all(|state| shares[state] == whole(0) || is_fair(state)))
}

fn spread_of_odd_pools(at: &At) -> Result<Rational, Error> {
    let process = process(at)?;
    let best = best(&process)?;
    spread_of_odd(process.states().names(), best.bias(), 2 * at.n()).ok_or(Error::NoStates)
}

/// How much values differ among pools of so many players of two odd numbers.
fn spread_of_odd(pools: &[Vec<usize>], values: &[Rational], players: usize) -> Option<Rational> {
    let is_odd = |pool: &[usize]| pool[0] + pool[1] == players && pool[0] % 2 == 1;
    let odd = || pools.iter().zip(values).filter(|(pool, _)| is_odd(pool));
    let (most, least) = (
        odd().map(|(_, value)| value).max()?,
        odd().map(|(_, value)| value).min()?,
    );
    Some(most - least)
}

pub(super) fn theorem() -> Vec<Formula> {
    let is_low = |at: &At| printed::threshold(at.n(), &at.q()).is_some_and(|threshold| at.alpha() <= threshold);
    let is_high = |at: &At| printed::threshold(at.n(), &at.q()).is_some_and(|threshold| at.alpha() >= threshold);
    vec![
        plain(
            "Theorem 3.3, greedy",
            "When alpha <= 1/(1 - (2q-1)^(2n)), the greedy policy is optimal. Compared: what it costs beyond the best of all \
             policies. Points: 0 < q < 1 and alpha up to the bound.",
            theorem_grid().into_iter().filter(is_low).chain(one_type()).collect(),
            |at| (at.alpha() <= printed::threshold(at.n(), &at.q())?).then(|| whole(0)),
            greedy_excess,
        )
        .read_for(INFINITE_BOUND, has_bound, |_| Some(whole(0))),
        plain(
            "Theorem 3.3, patient",
            "When alpha >= 1/(1 - (2q-1)^(2n)), the patient policy is optimal. Compared: what it costs beyond the best of all \
             policies. Points: alpha from the bound upwards.",
            theorem_grid().into_iter().filter(is_high).collect(),
            |at| (at.alpha() >= printed::threshold(at.n(), &at.q())?).then(|| whole(0)),
            patient_excess,
        ),
        plain(
            "Theorem 3.3, cost",
            "The optimal cost per period is that of the greedy policy for alpha up to 1/(1 - (2q-1)^(2n)), and that of the patient \
             one beyond. Compared: the least cost of all policies.",
            theorem_grid(),
            |at| {
                let is_greedy = at.alpha() <= printed::threshold(at.n(), &at.q())?;
                let greedy = printed::greedy_cost(at.n(), &at.q(), &at.alpha());
                Some(if is_greedy { greedy } else { printed::patient_cost(at.n()) })
            },
            |at| least_cost(&process(at)?),
        ),
    ]
}

fn one_type() -> Vec<At> {
    let ends = full_grid().into_iter().filter(|at| !at.has_two_types());
    some_alphas(&ends.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{At, best, is_best_only_in_expectation, process_with, splits_fairly, spread_of_odd, whole};
    use crate::models::wu::Splits;
    use crate::scalar::{Rational, Scalar};

    #[test]
    fn the_coin_must_be_nearly_fair() {
        // 8 is more than 1 + 9 p and 10 - 9 p for 2/9 < p < 7/9.
        let of = |p: i64, action| is_best_only_in_expectation(&Rational::ratio(p, 90), action);
        assert!(of(45, 1) && of(21, 1) && of(69, 1));
        assert!(!of(20, 1) && !of(70, 1) && !of(45, 0) && !of(90, 0) && !of(0, 2));
    }

    #[test]
    fn an_unfair_split_is_seen_where_it_happens() {
        let half = Rational::ratio(1, 2);
        let at = At::new(&[("n", whole(2)), ("q", half), ("alpha", whole(1))]);
        let process = process_with(&at, Splits::All).expect("a process");
        let mut policy = best(&process).expect("a policy").policy().to_vec();
        assert_eq!(splits_fairly(&process, &policy), Ok(true));
        // Two high players against two low ones.
        let pools = process.states().names();
        let pool = pools.iter().position(|pool| pool[..] == [2, 2]).expect("a pool");
        let unfair = |decision: &crate::models::wu::Decision| decision.games == 1 && decision.imbalance == 2;
        policy[pool] = process.decisions(pool).iter().position(unfair).expect("a split");
        assert_eq!(splits_fairly(&process, &policy), Ok(false));
    }

    #[test]
    fn values_of_odd_pools_of_one_size_are_compared() {
        let pools = [[1, 3], [3, 1], [2, 2], [1, 2], [3, 3], [5, 1]].map(|pool| pool.to_vec());
        let values = [7, 4, 100, -100, 50, 20].map(|value| Rational::ratio(value, 3));
        assert_eq!(spread_of_odd(&pools, &values, 4), Some(whole(1)));
        assert_eq!(spread_of_odd(&pools, &values, 6), Some(whole(10)));
        assert_eq!(spread_of_odd(&pools, &values, 5), None);
    }
}
