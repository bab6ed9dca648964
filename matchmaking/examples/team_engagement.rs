//! How many players games of two teams keep: groups by expected churn beside neighbours in rating and chance, what a group takes to
//! evaluate, and, of no more than 36 players, a proof or a bound after 10⁷ units of work.
//!
//! `cargo run --release -p matchmaking --example team_engagement -- 300 1,2,3,5 300000`, with the players of a pool, sizes of teams, and
//! moves of the search; on one thread. The same numbers give the same groups on every machine.

use std::error::Error;
use std::time::Instant;

use matching_core::GroupCost;
use matching_heuristics::{Engine, Groups, Instance, Search};
use matchmaking::fairness::{groups_at_random, groups_by_rating};
use matchmaking::matching_lp::{Problem, Solver};
use matchmaking::{EngagementCost, Horizon, OutcomeModel, Pool, SyntheticChurn, TeamEngagement};

/// Pools of so many players are proven.
const PROVEN: usize = 36;
/// Units of work for that.
const WORK: u64 = 10_000_000;

const USAGE: &str = "PLAYERS TEAM,TEAM,.. MOVES";

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [players, sizes, moves] = &arguments[..] else {
        return Err(USAGE.into());
    };
    let (players, moves): (usize, u64) = (players.parse()?, moves.parse()?);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    threads.install(|| {
        sizes
            .split(',')
            .try_for_each(|size| study(players, size.parse()?, moves))
    })
}

/// One size of teams.
fn study(players: usize, team_size: usize, moves: u64) -> Result<(), Box<dyn Error + Send + Sync>> {
    let size = 2 * team_size;
    // Whole groups, so that nobody waits in any of the three.
    let pool = Pool::synthetic(players / size * size, 1);
    let churn = SyntheticChurn::new(Horizon::EightHours, 0);
    let cost = TeamEngagement::new(&pool, team_size, &OutcomeModel::default(), &churn)?;
    let instance = Instance::by_group(&cost, Groups::of_size(pool.len(), size)?)?;
    let found = Search::with(&instance, Engine::Auto).work(moves).run()?;

    let stay = |groups: &[Vec<usize>]| cost.expected_retained(groups).ok_or("a group that is not allowed");
    let percent = |stays: f64| 100.0 * stays / pool.len() as f64;
    let by_cost = stay(found.groups())?;
    let by_rating = stay(&groups_by_rating(&pool, found.groups()))?;
    let chance = (0..20)
        .map(|seed| stay(&groups_at_random(found.groups(), seed)))
        .sum::<Result<f64, _>>()?
        / 20.0;

    let begun = Instant::now();
    let random: Vec<Vec<usize>> = (0..50)
        .flat_map(|seed| groups_at_random(found.groups(), seed))
        .collect();
    let total: i64 = random.iter().map(|group| cost.group(group)).sum();
    let each = begun.elapsed().as_secs_f64() * 1e6 / random.len() as f64;
    println!(
        "{team_size}v{team_size}: of {} players stay {:.2} % by engagement, {:.2} % by rating, {:.2} % by chance; \
         {each:.2} us a group ({:.4} of a random one stop)",
        pool.len(),
        percent(by_cost),
        percent(by_rating),
        percent(chance),
        total as f64 / EngagementCost::SCALE as f64 / random.len() as f64
    );
    if pool.len() <= PROVEN {
        let problem = Problem::by_group(&cost, Groups::of_size(pool.len(), size)?)?;
        let begun = Instant::now();
        let solver = Solver::new().work(WORK).warm_start(found.groups());
        let proven = solver.solve(&problem)?;
        proven.verify(&problem)?;
        let stay = |lost: i128| percent(pool.len() as f64 - lost as f64 / EngagementCost::SCALE as f64);
        println!(
            "     {}: {:.2} % stay, no groups keep more than {:.2} %; {:.1} s",
            if proven.is_optimal() { "proven" } else { "not proven" },
            stay(proven.cost()),
            stay(proven.bound()),
            begun.elapsed().as_secs_f64()
        );
    }
    assert!(by_cost >= by_rating && by_cost >= chance, "a search beats both");
    Ok(())
}
