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
    let curved = Rules::new(3).team_curve(Curve::Power { exponent: 0.7 });
    for (name, rules) in [
        ("1v1", Rules::new(1)),
        ("2v2", Rules::new(2)),
        ("3v3", Rules::new(3)),
        ("3v3 curved", curved),
        ("4v4", Rules::new(4)),
        ("5v5", Rules::new(5)),
        ("6v6", Rules::new(6)),
    ] {
        let everybody = Round::synthetic(n, 1, rules.team_size().min(3))?;
        let round = everybody.subset(choose(&everybody, &rules, Fill::Every, 0)?.playing());
        let cost = LobbyCost::new(&round, &rules)?;
        let mut groups = Vec::new();
        for seed in 0.. {
            groups.extend(start(&round, &rules, 6000.0, seed)?);
            if groups.len() > 20_000 {
                break;
            }
        }
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        groups.shuffle(&mut rng);
        groups.iter_mut().for_each(|group| group.shuffle(&mut rng));
        let best = |run: &dyn Fn()| {
            let times = (0..9).map(|_| {
                let begun = Instant::now();
                run();
                begun.elapsed().as_secs_f64() * 1e9 / groups.len() as f64
            });
            times.fold(f64::INFINITY, f64::min)
        };
        let score = best(&|| groups.iter().for_each(|group| _ = black_box(cost.score(group))));
        let allowed = best(&|| {
            groups
                .iter()
                .for_each(|group| _ = black_box(cost.is_group_allowed(group)))
        });
        let mean = -groups.iter().map(|group| cost.group(group)).sum::<f64>() / groups.len() as f64;
        println!("{name:10} {score:7.1} ns a score, {allowed:5.1} ns to be allowed; mean score {mean:.4}");
        assert!((0.5..1.0).contains(&mean));
    }
    Ok(())
}
