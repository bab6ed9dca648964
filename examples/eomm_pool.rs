//! Engagement-optimised matchmaking: pairs a pool so that the fewest players are expected to stop, and compares.

use matching_core::{Blossom, Objective};
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pairing, Pool, SyntheticChurn};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = Pool::synthetic(201, 7);
    let cost = EngagementCost::new(
        &pool,
        &OutcomeModel::default(),
        &SyntheticChurn::new(Horizon::EightHours, 7),
    )?;

    // 201 is odd: whoever sits out may stop too, and that is the bye's cost.
    let byes = (0..pool.len()).map(|player| cost.bye(player)).collect();
    let best = Blossom::new().objective(Objective::MinBye(byes)).solve(&cost)?;
    best.verify(&cost)?;

    let pairs = best.pairs().map(|(i, j, _)| (i, j)).collect();
    let engagement = Pairing::new(pairs, best.unmatched().collect());
    let by_rating = Pairing::by_rating(&pool);
    let random = Pairing::random(&pool, 7);
    for (name, pairing) in [
        ("engagement", &engagement),
        ("by rating", &by_rating),
        ("random", &random),
    ] {
        println!(
            "{name:<11} keeps {:6.2} of {} players",
            cost.expected_retained(pairing),
            pool.len()
        );
    }
    let sitting_out = best.unmatched().map(|player| pool.players()[player].id.as_str());
    println!("sits out: {}", sitting_out.collect::<Vec<_>>().join(", "));

    assert!(cost.expected_retained(&engagement) > cost.expected_retained(&by_rating));
    assert!(cost.expected_retained(&engagement) > cost.expected_retained(&random));
    Ok(())
}
