//! A pool between two ticks: players leave, players join, and the best pairing is found again from where the last solve
//! ended.

use matching_core::{Blossom, Cost, Error, Session, cost};

/// A stream of ratings that is the same every time.
fn ratings() -> impl Iterator<Item = i64> {
    (0_i64..).map(|k| 1500 + (k * 7919 + k * k * 31) % 800 - 400)
}

fn main() -> Result<(), Error> {
    let mut arrivals = ratings();
    let mut pool: Vec<i64> = arrivals.by_ref().take(300).collect();
    // Close ratings make good games; those 500 or more apart are not paired at all.
    let price = |a: i64, b: i64| Some((a - b).pow(2)).filter(|&cost| cost < 250_000);

    let start = cost::from_fn(pool.len(), |i, j| (pool[i] - pool[j]).pow(2))
        .restricted(|i, j| price(pool[i], pool[j]).is_some());
    let mut session = Session::new(&start)?;
    for tick in 0..5 {
        let pairing = session.solve()?;
        pairing.verify(&session).expect("every answer carries its proof");
        println!(
            "tick {tick}: {} pairs, total cost {}",
            pairing.pairs().len(),
            pairing.cost()
        );

        // The best ten games start; their players leave, the last of the pool first, because positions move.
        let mut games: Vec<_> = pairing.pairs().collect();
        games.sort_by_key(|&(_, _, cost)| cost);
        let mut leaving: Vec<usize> = games[..10].iter().flat_map(|&(i, j, _)| [i, j]).collect();
        leaving.sort_unstable_by(|a, b| b.cmp(a));
        for player in leaving {
            session.remove(player);
            pool.swap_remove(player);
        }
        for rating in arrivals.by_ref().take(20) {
            session.add(|other| price(rating, pool[other]));
            pool.push(rating);
        }
    }

    let warm = session.solve()?;
    let cold = Blossom::new().solve(&session)?;
    assert_eq!(warm.cost(), cold.cost(), "the same as from scratch");
    Ok(())
}
