//! How long a match takes to score, afresh and after a swap: `cargo run --release -p matchmaking --example lobby_speed
//! -- 300`

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
        "ns a score, matches of one start | of many starts in random order | ns to know whether a match is allowed | \
         million swaps of two matches a second, all of two matches in turn | in random order"
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
    let (climbing, random) = swaps(&cost, &round, &starts[0], &mut rng);
    println!("{name:10} {near:8.1} {far:8.1} {allowed:8.1} {climbing:8.2} {random:8.2}");
    assert!(
        groups
            .iter()
            .all(|group| cost.score(group).is_some_and(|score| -score == cost.group(group)))
    );
    Ok(())
}

/// Millions of swaps between two matches that are scored in a second: all swaps of each two matches in turn, as
/// climbing looks at them, and in random order. Only players without a party are swapped: what divides one is refused
/// sooner. Both matches of a swap are scored, from notes as a search keeps them.
fn swaps(cost: &LobbyCost, round: &Round, groups: &[Vec<usize>], rng: &mut ChaCha8Rng) -> (f64, f64) {
    let mut notes = vec![Vec::new(); groups.len()];
    for (group, notes) in groups.iter().zip(&mut notes) {
        cost.take_notes(group, notes);
    }
    let pairs = (0..groups.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let size = cost.match_size();
    let is_alone = |player: usize| round.parties()[round.party_of(player)].len() == 1;
    let mut all: Vec<[usize; 4]> = pairs
        .flat_map(|(a, b)| (0..size * size).map(move |at| [a, b, at / size, at % size]))
        .filter(|&[a, b, x, y]| is_alone(groups[a][x]) && is_alone(groups[b][y]))
        .collect();
    let score = |&[a, b, x, y]: &[usize; 4]| {
        let of_a = cost.group_if_exchanged(&groups[a], &notes[a], &[x], &[groups[b][y]]);
        let of_b = cost.group_if_exchanged(&groups[b], &notes[b], &[y], &[groups[a][x]]);
        of_a.is_some() && of_b.is_some()
    };
    let rate = |swaps: &[[usize; 4]]| {
        let times = (0..7).map(|_| {
            let begun = Instant::now();
            let allowed = swaps.iter().filter(|swap| score(swap)).count();
            assert!(black_box(allowed) <= swaps.len());
            begun.elapsed().as_secs_f64() * 1e6
        });
        swaps.len() as f64 / times.fold(f64::INFINITY, f64::min)
    };
    let climbing = rate(&all[..all.len().min(100_000)]);
    all.shuffle(rng);
    (climbing, rate(&all[..all.len().min(100_000)]))
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
