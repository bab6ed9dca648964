//! One cost, four questions: who should play whom one on one, three together, five against five, and is it better to
//! wait?

use std::error::Error;

use markov::mdp::{Mdp, PolicyIteration};
use markov::{Rational, Scalar};
use matching_core::{Blossom, Cost, cost};
use matching_heuristics::{Engine, Instance, Search};
use matching_lp::{Groups, Problem, Solver};
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pool, SyntheticChurn};

/// Every minute, one in so many of those who wait gives up.
const GIVES_UP: i64 = 50;

fn main() -> Result<(), Box<dyn Error>> {
    // The cost: how many players stop, in millionths, when these two have met.
    let pool = Pool::synthetic(30, 7);
    let churn = SyntheticChurn::new(Horizon::EightHours, 7);
    let churn = EngagementCost::new(&pool, &OutcomeModel::default(), &churn)?;

    // One on one: blossoms, proven.
    let pairs = Blossom::new().solve(&churn)?;
    pairs.verify(&churn)?;
    println!("15 pairs lose {:.3} of 30 players, proven", players(pairs.cost()));

    // Three free-for-all, each two of them meeting: an integer program, proven.
    let trios = Problem::new(&churn, Groups::of_size(30, 3)?)?;
    let proven = Solver::new().solve(&trios)?;
    proven.verify(&trios)?;
    println!(
        "10 trios cost {:.3}, proven: {}",
        players(proven.cost()),
        proven.is_optimal()
    );

    // Five against five, everybody meeting everybody: annealing, no proof.
    let lobbies = Instance::pairwise(&churn, Groups::of_size(30, 10)?)?;
    let search = || Search::with(&lobbies, Engine::Annealing).seed(1);
    let (found, hasty) = (search().work(2_000_000).run()?, search().work(100).run()?);
    println!("3 lobbies of ten cost {:.3}", players(found.cost()));

    // The first player waits, and each minute one of the others comes by: play now (0), or wait for somebody better
    // (1)? Who waits may give up, one player lost; else the next minute counts as this one does.
    let first = 0;
    let stage = cost::from_rectangular_fn(30, 2, |other, action| match (other == first, action) {
        (true, _) => 0, // the game is on
        (false, 0) => churn.pair(first, other),
        (false, _) => EngagementCost::SCALE / GIVES_UP,
    });
    let next = |other: usize, action: usize| match (other == first, action) {
        (false, 1) => (1..30).map(|another| (another, Rational::ratio(1, 29))).collect(),
        _ => vec![(first, Rational::ratio(1, 1))],
    };
    let process = Mdp::with_costs(next, &stage)?.mdp;
    let stays = Rational::ratio(GIVES_UP - 1, GIVES_UP);
    let rule = PolicyIteration::new().discounted(&process, &stays)?;
    rule.verify(&process, &stays)?;
    let takes = |other: &usize| rule.policy()[*other] == 0;
    let price = |other: usize| churn.pair(first, other);
    let dearest = (1..30).filter(takes).map(price).max();
    let cheapest = (1..30).filter(|other| !takes(other)).map(price).min();
    let taken = (1..30).filter(takes).count();
    println!(
        "{} plays {taken} of the 29 others at once, and waits rather than the rest",
        pool.players()[first].id
    );

    assert!(proven.is_optimal() && proven.cost() == proven.bound());
    assert!(found.cost() <= hasty.cost());
    // The rule is a threshold: whoever is worth playing costs less than whoever is not.
    assert!(0 < taken && taken < 29 && dearest < cheapest);
    Ok(())
}

/// Millionths of a player as players.
fn players(cost: i128) -> f64 {
    cost as f64 / EngagementCost::SCALE as f64
}
