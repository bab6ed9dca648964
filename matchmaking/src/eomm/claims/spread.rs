//! What of Table 2 independent rounds can have brought about.
//!
//! A round's number of retained players is a sum over players who stay or leave each by himself once the games are
//! played, so its variance is at most P/4 but for what the games tie together, and the mean of 10,000 rounds has a
//! standard error of about sqrt(P/4 / 10,000). Were both players of a game always to stay or leave together, the error
//! would be 1.41 times as large; no verdict here would change but that differences which are called significant would
//! be so even less.

use markov::Rational;
use markov::claims::{Claim, Remedy};

use super::{At, Tested, judged};
use crate::eomm::method::Method;
use crate::eomm::published::{ROUNDS, SIZES, TABLE_2};
use crate::eomm::statistics::{homogeneity, normal_p};
use crate::fractions::{int, ratio, truth};

/// So many standard errors are not left to chance: one in 15,000.
const CHANCE: f64 = 4.0;

/// The paper's level of significance.
const LEVEL: f64 = 0.01;

/// Standard error of a mean of Table 2.
fn error(size: usize) -> f64 {
    (size as f64 / 4.0 / ROUNDS as f64).sqrt()
}

/// What the table says, in players.
fn mean(method: Method, column: usize) -> f64 {
    TABLE_2[method.index()][column] as f64 / 100.0
}

/// Difference of two methods in standard errors of independent rounds.
fn difference(one: Method, other: Method, column: usize) -> f64 {
    (mean(one, column) - mean(other, column)) / (error(SIZES[column]) * 2.0_f64.sqrt())
}

/// To two decimals, as a parameter of a point.
fn hundredths(value: f64) -> Rational {
    ratio((100.0 * value).round() as i64, 100)
}

fn size(column: usize) -> (&'static str, Rational) {
    ("P", int(SIZES[column] as i64))
}

pub(super) fn claims() -> Vec<Claim> {
    vec![one_fraction(), by_chance(), significant()]
}

/// RandomMM pairs players without looking at them: each of them stays with the same probability in a pool of any size.
fn one_fraction() -> Claim {
    let row = TABLE_2[Method::Random.index()];
    let fractions: Vec<(f64, f64)> = (0..SIZES.len())
        .map(|column| {
            let players = SIZES[column] as f64;
            (mean(Method::Random, column) / players, error(SIZES[column]) / players)
        })
        .collect();
    let test = homogeneity(&fractions);
    let common = row.iter().sum::<i64>() as f64 / 100.0 / SIZES.iter().sum::<usize>() as f64;
    let each = fractions.iter().enumerate().map(|(column, &(fraction, error))| {
        let z = (fraction - common) / error;
        let at = vec![size(column), ("z", hundredths(z))];
        Tested::truth(at, z.abs() <= CHANCE)
    });
    let at: At = vec![
        ("chi-square", hundredths(test.statistic)),
        ("degrees", hundredths(test.degrees)),
    ];
    let whole = Tested::truth(at, test.p >= normal_p(CHANCE));
    judged(
        "Table 2: RandomMM",
        "10,000 independent rounds give these means: whom RandomMM retains is one fraction of any pool, up to chance. 1 if a mean is within 4 \
         standard errors (z) of the common fraction, and if the sum of squares of all five is no rarer than that.",
        Remedy::None,
        std::iter::once(whole).chain(each).collect(),
    )
}

/// EOMM is expected to retain at least as many as SkillMM in every single pool.
fn by_chance() -> Claim {
    let point = |column: usize| {
        let z = difference(Method::Engagement, Method::Skill, column);
        Tested::truth(vec![size(column), ("z", hundredths(z))], z >= -CHANCE)
    };
    judged(
        "when P is small, the randomness has higher impact",
        "That EOMM retains fewer than SkillMM at P = 100 is chance: in no pool is EOMM expected to retain fewer. 1 if the difference is \
         no more than 4 standard errors (z) of independent rounds below 0.",
        Remedy::None,
        (0..SIZES.len()).map(point).collect(),
    )
}

/// Which differences are significant.
fn significant() -> Claim {
    use Method::{Engagement, Random, Skill};
    const NAMES: [&str; 6] = [
        "EOMM - SkillMM",
        "EOMM - RandomMM",
        "EOMM - WorstMM",
        "SkillMM - RandomMM",
        "SkillMM - WorstMM",
        "RandomMM - WorstMM",
    ];
    let is_excepted = |(one, other), column| {
        matches!(
            (one, other, SIZES[column]),
            (Engagement, Random, 100) | (Skill, Random, 400)
        )
    };
    let corrected = |(one, other), column| match (one, other, SIZES[column]) {
        (Skill, Random, 200 | 300) => false,
        _ => !is_excepted((one, other), column),
    };
    let contrasts = Method::CONTRASTS.into_iter().zip(NAMES);
    let cells =
        (0..SIZES.len()).flat_map(|column| contrasts.clone().map(move |(contrast, name)| (contrast, name, column)));
    let point = |((one, other), name, column): ((Method, Method), &'static str, usize)| {
        let z = difference(one, other, column);
        let printed = truth(!is_excepted((one, other), column));
        let at = vec![
            size(column),
            (name, hundredths(mean(one, column) - mean(other, column))),
        ];
        Tested::new(at, printed, truth(normal_p(z) < LEVEL)).or_rather(truth(corrected((one, other), column)))
    };
    judged(
        "All pairwise differences of retained players are statistically significant (p-value < 0.01) except",
        ".. EOMM vs. RandomMM (when P = 100) and SkillMM vs. RandomMM (when P = 400). 1 if significant, for independent rounds.",
        Remedy::Correction("nor are SkillMM and RandomMM at P = 200 and 300, 0.1 and 0.3 standard errors apart"),
        cells.map(point).collect(),
    )
}
