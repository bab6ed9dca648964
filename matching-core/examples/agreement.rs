//! Optima of seeded random graphs of 20 to 500 vertices against the independent solvers `mwmatching` and
//! `integer-blossom`, on all cores: `cargo run --release -p matching-core --example agreement -- 10000`.

#[path = "../tests/it/peers.rs"]
mod peers;
#[path = "../tests/it/support.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod support;

use std::sync::atomic::{AtomicU64, Ordering};

fn main() -> Result<(), &'static str> {
    let arguments: Option<Vec<u64>> = std::env::args().skip(1).map(|text| text.parse().ok()).collect();
    let count = match arguments.as_deref() {
        Some([]) => 200,
        Some(&[count]) => count,
        _ => return Err("usage: agreement [GRAPHS]"),
    };
    let next = AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= count {
                        return;
                    }
                    peers::compare_one(1_000_000 + seed, 500);
                }
            });
        }
    });
    println!("{count} graphs of 20 to 500 vertices: all optima agree, all answers verified");
    Ok(())
}
