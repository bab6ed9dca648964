use super::{against, measure, simulate};
use crate::claims::tests::{CLAIMS, of_xu};
use crate::claims::{Claim, Paper, Value, Verdict, find};
use crate::scalar::{Rational, Scalar};
use crate::simulate::Estimate;

const ARRIVALS: u64 = 34_000;
/// The fewest that are taken.
const FEW: u64 = 3_400;

fn xu(labels: &[&str]) -> Vec<Claim> {
    of_xu()
        .into_iter()
        .filter(|claim| labels.contains(&claim.label))
        .collect()
}

fn simulated(claims: Vec<Claim>, seed: u64) -> Vec<Claim> {
    simulated_by(ARRIVALS, claims, seed)
}

fn simulated_by(arrivals: u64, mut claims: Vec<Claim>, seed: u64) -> Vec<Claim> {
    assert!(simulate(&mut claims, arrivals, seed).is_ok());
    claims
}

#[test]
fn every_label_of_the_table_is_one_of_a_claim() {
    let claims = &*CLAIMS;
    let count = |paper| {
        let of = claims.iter().filter(|claim| claim.paper == paper);
        of.filter(|claim| measure(paper, claim.label).is_some()).count()
    };
    // The rows of the two tables.
    assert_eq!((count(Paper::Wu), count(Paper::Xu)), (11, 27));
    let points = claims
        .iter()
        .filter(|claim| measure(claim.paper, claim.label).is_some());
    assert!(points.map(|claim| claim.points.len()).sum::<usize>() > 500);
}

#[test]
fn simulations_of_both_papers_agree_with_what_is_computed() {
    let claims = simulated(CLAIMS.clone(), 0);
    for claim in &claims {
        let is_measured = measure(claim.paper, claim.label).is_some();
        for point in &claim.points {
            assert_eq!(point.simulated.is_some(), is_measured, "{} {:?}", claim.label, point.at);
            if let Some(estimate) = point.simulated {
                assert!(estimate.z.abs() <= 4.5, "{} {:?} {estimate:?}", claim.label, point.at);
                assert!(estimate.mean.is_finite() && estimate.standard_error >= 0.0);
            }
        }
    }
    // What is printed for these is as far off as a simulation can see.
    for label in ["(7)", "(9) FIFO", "(9) packing", "(10)"] {
        let claim = claims.iter().find(|claim| claim.label == label).expect("a label");
        assert_eq!(claim.verdict, Verdict::DoesNotHold);
        let is_far = |point: &crate::claims::Point| {
            let (Some(estimate), Some(printed)) = (point.simulated, &point.printed) else {
                return false;
            };
            (estimate.mean - printed.float).abs() > 6.0 * estimate.standard_error
        };
        assert!(claim.points.iter().any(is_far), "{label}");
    }
}

#[test]
fn the_seed_decides_and_the_choice_of_claims_does_not() {
    let simulated = |claims, seed| simulated_by(FEW, claims, seed);
    let both = simulated(xu(&["(3)", "(9) FIFO", "(21)"]), 7);
    assert_eq!(both, simulated(xu(&["(3)", "(9) FIFO", "(21)"]), 7));
    let mut reversed = xu(&["(9) FIFO", "(21)"]);
    reversed.reverse();
    let mut reversed = simulated(reversed, 7);
    reversed.reverse();
    assert_eq!(both[1..], reversed);
    let other = simulated(xu(&["(21)"]), 8);
    for (one, other) in both[2].points.iter().zip(&other[0].points) {
        assert_ne!(one.simulated, other.simulated);
    }
}

#[test]
fn any_number_of_threads_gives_the_same() {
    #[cfg(feature = "rayon")]
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        let found = pool.install(|| simulated(xu(&["(1)", "(16)"]), 1));
        assert_eq!(found, simulated(xu(&["(1)", "(16)"]), 1));
    }
}

#[test]
fn a_wrong_computed_value_is_seen_and_a_wrong_printed_one_is_not_looked_at() {
    let honest = simulated(xu(&["(22)"]), 0);
    let mut claims = xu(&["(22)"]);
    for point in &mut claims[0].points {
        point.computed = Value::from(1.2 * point.computed.float);
        point.printed = None;
    }
    let tampered = simulated(claims, 0);
    for (point, honest) in tampered[0].points.iter().zip(&honest[0].points) {
        let (Some(wrong), Some(right)) = (point.simulated, honest.simulated) else {
            panic!("the wait is measured")
        };
        assert!(wrong.z < -6.0, "{wrong:?}");
        assert_eq!((wrong.mean, wrong.standard_error), (right.mean, right.standard_error));
    }
}

#[test]
fn without_chance_only_rounding_is_forgiven() {
    let estimate = |value| Estimate {
        value,
        error: 0.0,
        correlation: 0.0,
    };
    assert_eq!(against(estimate(0.0), 0.0).z, 0.0);
    assert_eq!(against(estimate(3.5 + 1e-15), 3.5).z, 0.0);
    assert_eq!(against(estimate(3.5), 3.4).z, f64::INFINITY);
}

/// Near a critical load what one batch measures depends on the one before: at (13) with 1, 1/2 and 11/20 a run of 3,400
/// arrivals had a standard error 3.6 times too small.
#[test]
fn runs_are_made_longer_until_their_errors_are_right() {
    let mut claim = xu(&["(13)"]).remove(0);
    claim.points.truncate(1);
    let mean = |free: (i64, i64), seed| {
        let mut claims = [claim.clone()];
        let point = &mut claims[0].points[0];
        let rates = [(1, 1), (1, 2), free].map(|(n, d)| Rational::ratio(n, d));
        point.at.iter_mut().zip(rates).for_each(|(named, rate)| named.1 = rate);
        assert!(simulate(&mut claims, FEW, seed).is_ok());
        claims[0].points[0].simulated
    };
    let estimates: Vec<_> = (0..16).filter_map(|seed| mean((11, 20), seed)).collect();
    assert!(estimates.len() >= 14, "{}", estimates.len());
    let count = estimates.len() as f64;
    let middle = estimates.iter().map(|estimate| estimate.mean).sum::<f64>() / count;
    let squares = |of: &dyn Fn(&crate::claims::Estimate) -> f64| estimates.iter().map(|e| of(e).powi(2)).sum::<f64>();
    let spread = squares(&|estimate| estimate.mean - middle) / (count - 1.0);
    let stated = squares(&|estimate| estimate.standard_error) / count;
    assert!(spread < 2.0 * stated, "{spread} {stated}");
    // Where 256 times as many arrivals are too few, nothing is said.
    assert_eq!(mean((100_001, 200_000), 0), None);
}

#[test]
fn too_few_arrivals_are_refused_and_nothing_is_filled() {
    let mut claims = xu(&["(1)"]);
    assert_eq!(claims.len(), 1);
    assert!(simulate(&mut claims, FEW - 1, 0).is_err());
    assert!(claims[0].points.iter().all(|point| point.simulated.is_none()));
}

/// A point of somebody's own, at which one player in 10^18 is high, had a run of 10^21 arrivals.
#[test]
fn points_with_players_too_rare_to_meet_stay_as_they_are() {
    let label = "the total waiting cost is independent of q: greedy";
    let mut claims = vec![find(Paper::Wu, label).expect("a label")];
    let rare = [0, 1].map(|share| {
        let mut point = claims[0].points[0].clone();
        let q = Rational::new(1.into(), num_bigint::BigInt::from(10).pow(18));
        let of = |name: &str, value: Rational| if name == "q" && share == 0 { q.clone() } else { value };
        point.at = point
            .at
            .into_iter()
            .map(|(name, value)| (name, of(name, value)))
            .collect();
        point
    });
    claims[0].points = rare.to_vec();
    let found = simulated(claims, 1);
    let is_simulated: Vec<bool> = found[0].points.iter().map(|point| point.simulated.is_some()).collect();
    assert_eq!(is_simulated, [false, true]);
}
