//! Writes a synthetic pool as CSV: `cargo run -p matchmaking --example make_pool -- 500 --seed 1 > pool.csv`

use std::error::Error;
use std::io;

use matchmaking::Pool;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (n, seed) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [n] => (n.parse()?, 0),
        [n, "--seed", seed] => (n.parse()?, seed.parse()?),
        _ => return Err("usage: make_pool PLAYERS [--seed N]".into()),
    };
    let pool = Pool::synthetic(n, seed);
    assert_eq!(pool.len(), n);
    pool.write_csv(io::stdout().lock())?;
    Ok(())
}
