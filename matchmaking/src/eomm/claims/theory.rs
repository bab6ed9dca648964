//! Sections 3 and 4, but for what equal skills have to do with draws.

use markov::claims::{Claim, Remedy};
use markov::{Rational, Scalar};
use matching_core::{Blossom, cost};

use super::pairings::{Few, greatest, least, pairings, totals};
use super::{Tested, judged};
use crate::fractions::{int, ratio};

/// Random pools are tried of so many sizes, so many of each.
const SIZES: [usize; 3] = [2, 4, 6];
const POOLS: u64 = 4;

pub(super) fn before_section_4() -> Vec<Claim> {
    vec![thirteen(), brute_force(), three_quarters()]
}

pub(super) fn section_4() -> Vec<Claim> {
    vec![
        always_optimal(),
        whom_they_play(),
        no_better_than_random(),
        never_the_worst(),
    ]
}

/// (13) is (12) from the other player's side, also where the two expected scores do not add up to one.
fn thirteen() -> Claim {
    let chances = [(1, 2), (1, 3), (3, 4), (9, 10)].map(|(p, q)| ratio(p, q));
    let pairs = chances.iter().flat_map(|i| chances.iter().map(move |j| (i, j)));
    let twelve = |wins: &Rational, loses: &Rational| ratio(4, 5) * wins / (wins + loses);
    let point = |(i, j): (&Rational, &Rational)| {
        let thirteen = int(1) - ratio(1, 5) - twelve(i, j);
        Tested::new(
            vec![("Pr(i > j)", i.clone()), ("Pr(j > i)", j.clone())],
            thirteen,
            twelve(j, i),
        )
    };
    judged(
        "(13)",
        "The chance of a loss by (13) is the opponent's chance of a win by (12), and the three chances add up to one.",
        Remedy::None,
        pairs.map(point).collect(),
    )
}

/// How many pairings there are.
fn brute_force() -> Claim {
    let factorial = |n: i64| (1..=n).fold(int(1), |product, k| product * int(k));
    let power = |n: i64| (0..n).fold(int(1), |product, _| product * int(2));
    let point = |n: i64| {
        let printed = ratio(n * (n - 1), 2) / power(n / 2);
        let computed = int(pairings(n as usize).len() as i64);
        let corrected = factorial(n) / (power(n / 2) * factorial(n / 2));
        Tested::new(vec![("N", int(n))], printed, computed).or_rather(corrected)
    };
    judged(
        "(N choose 2) / 2^(N/2)",
        "The brute-force way is to compare all (N choose 2) / 2^(N/2) possible pair assignments.",
        Remedy::Correction("N! / (2^(N/2) (N/2)!) = 1 x 3 x 5 x .. x (N - 1)"),
        [2, 4, 6, 8].map(point).into(),
    )
}

/// How much longer it takes for twice as many players, at the least. Where all pairs cost the same and one of them may cost
/// less, nobody knows the best total without a look at that one.
fn three_quarters() -> Claim {
    let decisive = |n: usize| {
        let total = |pair: Option<(usize, usize)>| {
            let cost = |i, j| int(i64::from(pair != Some((i, j)) && pair != Some((j, i))));
            least(&totals(n, cost))
        };
        let unchanged = total(None);
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        int(pairs.filter(|&pair| total(Some(pair)) != unchanged).count() as i64)
    };
    let point = |n: i64| {
        // 2^(3/4), to a billionth.
        let printed = ratio(1_681_792_831, 1_000_000_000);
        let computed = decisive(2 * n as usize) / decisive(n as usize);
        let corrected = ratio(2 * (2 * n - 1), n - 1);
        Tested::new(vec![("N", int(n))], printed, computed).or_rather(corrected)
    };
    judged(
        "O(N^(3/4) log K)",
        "For integers there is an algorithm of O(N^(3/4) log K). Printed: what twice the players cost by that, 2^(3/4) times as much \
         time; computed: how many times as many costs there are of which each alone may decide the best total, so that an algorithm \
         must look at all of them (K = 1).",
        Remedy::Correction(
            "N (N - 1) / 2 costs must be looked at, four times as many for twice the players in the end; Gabow's algorithm of 1985, \
             which is cited, takes O(M N^(3/4) log K) for M pairs",
        ),
        [2, 4].map(point).into(),
    )
}

/// Random pools with the number of players and the seed of each.
fn pools() -> Vec<(Few, Vec<(&'static str, Rational)>)> {
    let of = |n: usize| (0..POOLS).map(move |seed| (n, seed));
    let pool = |(n, seed): (usize, u64)| {
        let at = vec![("N", int(n as i64)), ("pool", int(seed as i64))];
        (Few::random(n, seed), at)
    };
    SIZES.into_iter().flat_map(of).map(pool).collect()
}

/// The pairing that the blossom algorithm finds costs as little as the best of all pairings.
fn always_optimal() -> Claim {
    let point = |(few, at): (Few, _)| {
        // Below 2⁵³, so that the float is the integer.
        let units = |i, j| (few.cost(i, j) * int(Few::UNIT)).to_float() as i64;
        let found = Blossom::new().solve(&cost::from_fn(few.len(), units));
        let printed = found.map_or(-1, |solution| solution.cost() as i64);
        let totals = totals(few.len(), |i, j| few.cost(i, j));
        Tested::new(at, ratio(printed, Few::UNIT), least(&totals))
    };
    judged(
        "EOMM is instead always optimal",
        "Printed: what the minimum weight perfect matching is expected to lose; computed: the least of all pairings. Random pools of N \
         players, equation (7).",
        Remedy::None,
        pools().into_iter().map(point).collect(),
    )
}

/// If only the state counts, all pairings lose equally many.
fn whom_they_play() -> Claim {
    let point = |(few, at): (Few, _)| {
        let few = few.indifferent();
        let totals = totals(few.len(), |i, j| few.cost(i, j));
        Tested::new(at, greatest(&totals), least(&totals))
    };
    judged(
        "it does not matter whom they will play",
        "If churn depends on the state before matchmaking alone, the worst pairing (printed) is expected to lose as many as the best \
         (computed). Random pools of N players.",
        Remedy::None,
        pools().into_iter().map(point).collect(),
    )
}

/// Chance is a mean over all pairings.
fn no_better_than_random() -> Claim {
    let point = |(few, at): (Few, _)| {
        let few = few.indifferent();
        let totals = totals(few.len(), |i, j| few.cost(i, j));
        let sum = totals.iter().fold(int(0), |sum, total| sum + total);
        Tested::new(at, sum / int(totals.len() as i64), least(&totals))
    };
    judged(
        "EOMM can do no better than a random matchmaking",
        "If churn depends on the state before matchmaking alone, a random pairing (printed: the mean over all) is expected to lose as \
         many as the best (computed).",
        Remedy::None,
        pools().into_iter().map(point).collect(),
    )
}

/// It falls into it now and then; only its mean is better.
fn never_the_worst() -> Claim {
    let point = |(few, at): (Few, _)| {
        let totals = totals(few.len(), |i, j| few.cost(i, j));
        let worst = greatest(&totals);
        let count = totals.iter().filter(|total| **total == worst).count();
        let pairings = totals.len() as i64;
        Tested::new(at, int(0), ratio(count as i64, pairings)).or_rather(ratio(1, pairings))
    };
    judged(
        "random matchmaking will never fall into the worst case",
        "The chance that a random pairing is the worst there is. Random pools of N players, equation (7).",
        Remedy::Correction(
            "1 / (1 x 3 x 5 x .. x (N - 1)), more where several pairings are the worst; its mean is better than the worst exactly \
             where not all pairings cost the same",
        ),
        pools().into_iter().map(point).collect(),
    )
}
