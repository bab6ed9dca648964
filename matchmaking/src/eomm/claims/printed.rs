//! What sections 1 and 5.4 read off the tables.

use markov::Rational;
use markov::claims::{Claim, Remedy};

use super::{Tested, judged};
use crate::eomm::method::Method;
use crate::eomm::published::{SIZES, TABLE_1, TABLE_2};
use crate::fractions::{int, ratio, rounded, truth};

/// A figure of Table 2 in hundredths of a player.
fn cell(method: Method, column: usize) -> i64 {
    TABLE_2[method.index()][column]
}

/// How much more EOMM retains than another method, in per cent.
fn improvement(over: Method, column: usize) -> Rational {
    let [best, other] = [Method::Engagement, over].map(|method| cell(method, column));
    int(100) * ratio(best - other, other)
}

fn size(column: usize) -> Vec<(&'static str, Rational)> {
    vec![("P", int(SIZES[column] as i64))]
}

pub(super) fn claims() -> Vec<Claim> {
    vec![
        almost_twice(),
        others_outperformed(),
        fewest(),
        not_consistently(),
        improvements(),
        on_average(),
        twenty_rounds(),
        no_climb(),
    ]
}

/// Table 1: the riskiest row against the safest ones.
fn almost_twice() -> Claim {
    let tenths = |letters: &str| {
        TABLE_1
            .iter()
            .find(|row| row.0 == letters)
            .map_or((0, 1), |row| (row.1, row.2))
    };
    let riskiest = i64::from(tenths("LLL").0);
    let point = |letters: &str| {
        let (from, to) = tenths(letters);
        // The middle of the range, in half tenths.
        let factor = ratio(2 * riskiest, i64::from(from + to));
        Tested::new(vec![("factor", rounded(&factor, 100))], int(2), factor.round())
    };
    judged(
        "almost twice",
        "The churn risk after repeated losses (5.1 %) is almost twice that of the safer states (2.6 % - 2.7 %), to the nearest integer.",
        Remedy::None,
        vec![point("DLW")],
    )
}

fn others_outperformed() -> Claim {
    let point = |column: usize| {
        let others = [Method::Worst, Method::Skill, Method::Random];
        let best = cell(Method::Engagement, column);
        Tested::truth(size(column), others.iter().all(|&other| best > cell(other, column)))
    };
    judged(
        "In all other scenarios, EOMM outperforms the other three",
        "EOMM has the greatest mean of Table 2 for P = 200 to 500 (1 if so).",
        Remedy::None,
        (1..SIZES.len()).map(point).collect(),
    )
}

fn fewest() -> Claim {
    let point = |column: usize| {
        let others = [Method::Skill, Method::Random, Method::Engagement];
        let worst = cell(Method::Worst, column);
        Tested::truth(size(column), others.iter().all(|&other| worst < cell(other, column)))
    };
    judged(
        "WorstMM consistently retains the fewest players",
        "WorstMM has the least mean of Table 2 for every P (1 if so).",
        Remedy::None,
        (0..SIZES.len()).map(point).collect(),
    )
}

fn not_consistently() -> Claim {
    let is_ahead = |column: usize| cell(Method::Skill, column) > cell(Method::Random, column);
    let ahead = (0..SIZES.len()).filter(|&column| is_ahead(column)).count();
    let at = vec![("sizes at which it does", int(ahead as i64))];
    judged(
        "SkillMM does not consistently outperform RandomMM",
        "SkillMM's mean is the greater one at some sizes of Table 2 and the lesser one at others (1 if so).",
        Remedy::None,
        vec![Tested::truth(at, 0 < ahead && ahead < SIZES.len())],
    )
}

fn improvements() -> Claim {
    let printed = [3, 9, 11, 6];
    let corrected = [3, 9, 9, 8];
    let point = |k: usize| {
        let computed = rounded(&improvement(Method::Skill, k + 1), 10);
        Tested::new(size(k + 1), ratio(printed[k], 10), computed).or_rather(ratio(corrected[k], 10))
    };
    judged(
        "0.3%, 0.9%, 1.1%, and 0.6%",
        "The improvement of EOMM over SkillMM in the average number of retained players when P = 200, 300, 400 and 500, in per cent.",
        Remedy::Correction("0.3, 0.9, 0.9 and 0.8 by Table 2; 1.1 and 0.6 are the improvements over RandomMM"),
        (0..4).map(point).collect(),
    )
}

fn on_average() -> Claim {
    let sum = (1..SIZES.len()).fold(int(0), |sum, column| sum + improvement(Method::Skill, column));
    let mean = sum / int(4);
    judged(
        "On average EOMM retains 0.7% more",
        "The mean of the four improvements over SkillMM by Table 2 (P = 100, where it is -1.2 %, left out), in per cent.",
        Remedy::None,
        vec![Tested::new(Vec::new(), ratio(7, 10), rounded(&mean, 10))],
    )
}

fn twenty_rounds() -> Claim {
    let power = (0..20).fold(int(1), |product, _| product * ratio(1007, 1000));
    judged(
        "1.007^20 = 1.15",
        "0.7 % more in each of 20 rounds are 15 % more in the end, to two decimals.",
        Remedy::None,
        vec![Tested::new(
            vec![("rounds", int(20))],
            ratio(115, 100),
            rounded(&power, 100),
        )],
    )
}

/// The boost of the table goes up and down; that of a single population cannot fall from a size to its multiples.
fn no_climb() -> Claim {
    let boosts: Vec<Rational> = (0..SIZES.len())
        .map(|column| improvement(Method::Random, column))
        .collect();
    let falls = boosts.windows(2).any(|pair| pair[1] < pair[0]);
    let at = ["P = 100", "P = 200", "P = 300", "P = 400", "P = 500"]
        .into_iter()
        .zip(&boosts);
    let at = at.map(|(name, boost)| (name, rounded(boost, 100)));
    judged(
        "We did not find a consistent climb in retention boost as P increased",
        "EOMM's improvement over RandomMM by Table 2, in per cent, falls at some P (1 if so). In expectation it cannot fall from P to a \
         multiple of P: a pool of k P players can be paired as k pools of P.",
        Remedy::None,
        vec![Tested::new(at.collect(), int(1), truth(falls))],
    )
}
