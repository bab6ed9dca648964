//! How long a match takes to score: `cargo run --release -p matchmaking --example lobby_speed -- 300`

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use matching_core::GroupCost;
use matchmaking::lobby::{Curve, Fill, LobbyCost, Round, Rules, choose, start};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

fn main() -> Result<(), Box<dyn Error>> {
    let n = std::env::args().nth(1).map_or(Ok(300), |n| n.parse())?;
    println!(
        "ns a score, matches of one start | of many starts in random order | ns to know whether a match is allowed"
    );
    for team_size in 1..=6 {
        measure(&format!("{team_size}v{team_size}"), n, &Rules::new(team_size))?;
    }
    measure(
        "3v3 curved",
        n,
        &Rules::new(3).team_curve(Curve::Power { exponent: 0.7 }),
    )
}

fn measure(name: &str, n: usize, rules: &Rules) -> Result<(), Box<dyn Error>> {
    let everybody = Round::synthetic(n, 1, rules.team_size().min(3))?;
    let round = everybody.subset(choose(&everybody, rules, Fill::Every, 0)?.playing());
    let cost = LobbyCost::new(&round, rules)?;
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let starts: Vec<Vec<Vec<usize>>> = (0..400)
        .map(|seed| start(&round, rules, 6000.0, seed))
        .collect::<Result<_, _>>()?;
    let mut groups: Vec<&[usize]> = starts.iter().flatten().map(Vec::as_slice).collect();
    groups.shuffle(&mut rng);
    let score = |group: &[usize]| cost.score(group).is_some();
    let near = time(
        &vec![&starts[0]; 400]
            .into_iter()
            .flatten()
            .map(Vec::as_slice)
            .collect::<Vec<_>>(),
        score,
    );
    let far = time(&groups, score);
    let allowed = time(&groups, |group| cost.is_group_allowed(group));
    println!("{name:10} {near:8.1} {far:8.1} {allowed:8.1}");
    assert!(
        groups
            .iter()
            .all(|group| cost.score(group).is_some_and(|score| -score == cost.group(group)))
    );
    Ok(())
}

/// Nanoseconds for each group, the best of 15 times.
fn time(groups: &[&[usize]], run: impl Fn(&[usize]) -> bool) -> f64 {
    let times = (0..15).map(|_| {
        let begun = Instant::now();
        groups.iter().for_each(|group| assert!(black_box(run(group))));
        begun.elapsed().as_secs_f64() * 1e9 / groups.len() as f64
    });
    times.fold(f64::INFINITY, f64::min)
}
