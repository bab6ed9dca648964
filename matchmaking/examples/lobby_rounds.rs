//! What engines make of the same rounds, on one thread.
//!
//! `cargo run --release -p matchmaking --example lobby_rounds -- 300 3 1..11 auto:1s climb:5s cached-climb:5s`, with
//! the players of a round, those of a team, the seeds of the rounds, and engines with their limits: seconds, or moves
//! (`auto:4e6`), which give the same on every machine, however busy.
//!
//! Ends with an error if the first engine is behind another one in any round. Of each run the share of a processor is
//! printed: below 1, others ran meanwhile.

use std::error::Error;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use matching_heuristics::Engine;
use matchmaking::lobby::{LobbySearch, Round, Rules};

const USAGE: &str = "PLAYERS TEAM FROM..TO ENGINE:LIMIT ..., a limit of seconds (5s) or of moves (4e6)";

/// What ends a run.
enum Limit {
    Time(Duration),
    Moves(u64),
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [players, team_size, seeds, runs @ ..] = &arguments[..] else {
        return Err(USAGE.into());
    };
    let (players, rules) = (players.parse()?, Rules::new(team_size.parse()?));
    let (from, to) = seeds.split_once("..").ok_or(USAGE)?;
    let runs = runs.iter().map(|text| run(text)).collect::<Result<Vec<_>, _>>()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(|| {
        let mut behind = 0;
        for seed in from.parse()?..to.parse::<u64>()? {
            let round = Round::synthetic(players, seed, rules.team_size().min(3))?;
            let mut means = Vec::new();
            print!("{players} players, {team_size}v{team_size}, seed {seed:2}");
            for (engine, limit) in &runs {
                let (begun, processor) = (Instant::now(), ProcessTime::now());
                let search = LobbySearch::new(&round, &rules).engine(*engine);
                let lobby = match *limit {
                    Limit::Time(time) => search.time(time).run()?,
                    Limit::Moves(moves) => search.work(moves).run()?,
                };
                let share = processor.elapsed().as_secs_f64() / begun.elapsed().as_secs_f64();
                let rate = lobby.work as f64 / processor.elapsed().as_secs_f64() / 1e6;
                let (name, mean, moves) = (engine.name(), lobby.total.mean, lobby.work as f64);
                print!(" | {name} {mean:.5} by {moves:.2e} moves, {rate:.2}e6/s, share {share:.2}");
                means.push(lobby.total.mean);
            }
            let is_behind = means.iter().any(|&mean| mean > means[0]);
            behind += u32::from(is_behind);
            println!("{}", if is_behind { " | behind" } else { "" });
        }
        if behind > 0 {
            return Err(format!("behind in {behind} rounds").into());
        }
        Ok(())
    })
}

/// `ENGINE:LIMIT`.
fn run(text: &str) -> Result<(Engine, Limit), Box<dyn Error + Send + Sync>> {
    let (name, limit) = text.split_once(':').ok_or(USAGE)?;
    let engine = Engine::from_name(name).ok_or_else(|| format!("no engine {name}"))?;
    let limit = match limit.strip_suffix('s') {
        Some(seconds) => Limit::Time(Duration::try_from_secs_f64(seconds.parse()?)?),
        None => Limit::Moves(limit.parse::<f64>()? as u64),
    };
    Ok((engine, limit))
}
