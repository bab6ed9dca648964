//! Writes a synthetic log of games as CSV: `cargo run -p matchmaking --example make_log -- 2000 --players 150 --seed 1 > matches.csv`

use std::error::Error;
use std::io;

use matchmaking::fit::{SyntheticLog, write_csv};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (games, players, seed) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [games] => (games.parse()?, 150, 0),
        [games, "--players", players] => (games.parse()?, players.parse()?, 0),
        [games, "--players", players, "--seed", seed] => (games.parse()?, players.parse()?, seed.parse()?),
        _ => return Err("usage: make_log GAMES [--players N [--seed N]]".into()),
    };
    let games: Vec<_> = SyntheticLog::new(players, seed).games(games);
    write_csv(&games, io::stdout().lock())?;
    Ok(())
}
