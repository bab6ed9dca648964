//! Few players, all groupings.

use matching_core::GroupCost;
use matchmaking::lobby::{Error, Judge, LobbyCost, Round, Rules, exhaustive, start};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::support::{of_parties, plain, sizes};

/// The best sum of two literal match scores, over all ways to choose one half.
fn best_by_hand(round: &Round, rules: &Rules) -> Result<Option<f64>, Error> {
    let judge = Judge::new(round, rules)?;
    let n = round.len();
    let halves = (0..1_u32 << n).filter(|half| half.count_ones() as usize == n / 2 && half & 1 == 1);
    let sum = |half: u32| {
        let side = |bit: u32| (0..n).filter(|&i| half >> i & 1 == bit).collect::<Vec<_>>();
        Some(judge.best(&side(1))?.breakdown.total + judge.best(&side(0))?.breakdown.total)
    };
    Ok(halves.filter_map(sum).reduce(f64::max))
}

#[test]
fn twelve_players_by_two_exhaustive_searches() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut infeasible = 0;
    for at in 0..10 {
        let sizes = if at == 0 { vec![2; 6] } else { sizes(12, 3, &mut rng) };
        let round = of_parties(&sizes, &mut rng);
        let rules = Rules::default();
        let cost = LobbyCost::new(&round, &rules)?;
        let (found, expected) = (exhaustive(&cost, 6)?, best_by_hand(&round, &rules)?);
        let Some(expected) = expected else {
            assert_eq!(found, None);
            assert!(matches!(start(&round, &rules, 0.0, 0), Err(Error::CannotPack { .. })));
            infeasible += 1;
            continue;
        };
        let found = found.expect("there is a grouping");
        assert!((found.cost + expected).abs() < 1e-6, "{} {expected}", found.cost);
        let sum: f64 = found.groups.iter().map(|group| cost.group(group)).sum();
        assert_eq!(found.cost, sum);
        let begun: f64 = start(&round, &rules, 0.0, 0)?
            .iter()
            .map(|group| cost.group(group))
            .sum();
        assert!(begun >= found.cost - 1e-12);
    }
    assert!((1..5).contains(&infeasible), "{infeasible}");
    Ok(())
}

#[test]
fn pros_and_beginners_are_kept_apart() -> Result<(), Error> {
    let skills: Vec<f64> = (0..12).map(|i| if i % 2 == 0 { 15_000.0 } else { 2_000.0 }).collect();
    let cost = LobbyCost::new(&plain(&skills), &Rules::default())?;
    let found = exhaustive(&cost, 6)?.expect("there is a grouping");
    assert_eq!(found.groups, [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]);
    assert!((found.cost + 2.0).abs() < 1e-6);
    Ok(())
}

#[test]
fn the_oracle_knows_its_limits() -> Result<(), Error> {
    let cost = LobbyCost::new(&plain(&[0.0; 24]), &Rules::default())?;
    assert!(matches!(
        exhaustive(&cost, 6),
        Err(Error::TooManyGroupings { len: 24, .. })
    ));
    assert!(matches!(exhaustive(&cost, 5), Err(Error::TooFewPlayers { .. })));
    assert!(matches!(exhaustive(&cost, 0), Err(Error::TooFewPlayers { .. })));
    Ok(())
}
