//! How many running matches a search fills, and how many new ones it makes, within limits of moves.
//!
//! `cargo run --release -p matchmaking --example lobby_running -- 60 360 3 150 0..4 0 20000 200000`, with running matches, players
//! who wait, players of a team, the ping limit, the seeds of the rounds, and limits (`-` for none). Each round has matches that lack one player or more
//! of a team, parties of one to three who wait, and lists of who avoids whom. The same numbers give the same on every machine.

use std::error::Error;
use std::fmt::Write;

use matchmaking::lobby::{Fill, LobbySearch, Round, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const USAGE: &str = "MATCHES WAITING TEAM PING FROM..TO MOVES ..";
const REGIONS: [&str; 10] = [
    "EU-W", "EU-W", "EU-W", "EU-W", "EU-E", "EU-E", "NA-E", "NA-W", "SA", "Asia",
];

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [matches, waiting, team_size, ping, seeds, limits @ ..] = &arguments[..] else {
        return Err(USAGE.into());
    };
    let (from, to) = seeds.split_once("..").ok_or(USAGE)?;
    let rules = Rules::new(team_size.parse()?).ping_limit(ping.parse()?);
    let mut sums = vec![[0; 2]; limits.len()];
    for seed in from.parse()?..to.parse::<u64>()? {
        let round = crowded((matches.parse()?, waiting.parse()?), rules.team_size(), seed)?;
        print!("seed {seed:2}, filled + new (score):");
        for (limit, sums) in limits.iter().zip(&mut sums) {
            let search = LobbySearch::new(&round, &rules).fill(Fill::Possible).seed(seed);
            let lobby = match limit.as_str() {
                "-" => search.run()?,
                moves => search.work(moves.parse()?).run()?,
            };
            lobby.verify(&round, &rules)?;
            let new = lobby.matches.iter().filter(|one| one.running.is_none()).count();
            let filled = lobby
                .matches
                .iter()
                .filter(|one| !one.newcomers(&round).is_empty())
                .count();
            print!(" {filled:3} + {new:2} ({:.4})", lobby.total.mean);
            *sums = [sums[0] + filled, sums[1] + new];
        }
        println!();
    }
    for (limit, [filled, new]) in limits.iter().zip(sums) {
        println!("{limit} moves: {filled} filled, {new} new");
    }
    Ok(())
}

/// So many running matches and so many who wait, by a seed.
fn crowded(
    (matches, waiting): (usize, usize),
    team_size: usize,
    seed: u64,
) -> Result<Round, Box<dyn Error + Send + Sync>> {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut text = "id,skill,region,party,avoid,match,team\n".to_owned();
    let mut playing = 0;
    for number in 0..matches {
        let region = REGIONS.choose(rng).ok_or("no region")?;
        for team in ["red", "blue"] {
            let most = if team == "red" { team_size - 1 } else { team_size };
            for _ in 0..rng.random_range(1..=most.max(1)) {
                let skill = rng.random_range(3_000..15_000);
                writeln!(text, "r{playing},{skill},{region},,,m{number},{team}")?;
                playing += 1;
            }
        }
    }
    let (mut player, mut party) = (0, 0);
    while player < waiting {
        let size = [1, 1, 1, 1, 1, 2, 2, 3].choose(rng).copied().unwrap_or(1);
        let size = size.min(team_size).min(waiting - player);
        let region = REGIONS.choose(rng).ok_or("no region")?;
        party += 1;
        for _ in 0..size {
            let skill = rng.random_range(3_000..15_000);
            let avoided = if rng.random_bool(0.3) {
                format!("r{}", rng.random_range(0..playing))
            } else {
                String::new()
            };
            let label = if size > 1 { format!("p{party}") } else { String::new() };
            writeln!(text, "w{player},{skill},{region},{label},{avoided},,")?;
            player += 1;
        }
    }
    Ok(Round::read_csv(text.as_bytes())?)
}
