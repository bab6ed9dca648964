//! A queue that starts a game whenever four players wait: where it is in the long run, where it is soon, how long a
//! player waits.

use markov::{Ctmc, Error, Limits, Stationary, Transient, explore, passage::Passage};

fn main() -> Result<(), Error> {
    // Singles arrive twice a minute, pairs once; whoever waits gives up after four minutes on average.
    let queue = explore(
        0_usize,
        |&waiting| {
            let after = |more: usize| {
                if waiting + more >= 4 {
                    waiting + more - 4
                } else {
                    waiting + more
                }
            };
            let mut moves = vec![(after(1), 2.0), (after(2), 1.0)];
            if waiting > 0 {
                moves.push((waiting - 1, 0.25 * waiting as f64));
            }
            moves
        },
        Limits::default(),
    )?;
    let chain = Ctmc::new(&queue.steps)?;
    let report = Stationary::new().solve(&chain)?;
    println!("waiting     long run   after 30 s");
    let start: Vec<f64> = queue
        .states
        .names()
        .iter()
        .map(|&waiting| f64::from(waiting == 0))
        .collect();
    let soon = Transient::new().solve(&chain, &start, 0.5)?;
    for (waiting, state) in (0..4).filter_map(|waiting| Some((waiting, queue.states.find(&waiting)?))) {
        println!(
            "{waiting:>7} {:>12.6} {:>12.6}",
            report.distribution()[state],
            soon.distribution()[state]
        );
    }
    println!("error at most {:.1e} ({:?})", report.error().value, report.error().kind);

    let full = queue.states.find(&3).into_iter().collect::<Vec<_>>();
    let moments = Passage::ctmc(&chain, &full)?.moments(2);
    let (mean, second) = (moments[0][0], moments[1][0]);
    println!(
        "from empty to three waiting: {mean:.4} minutes, deviation {:.4}",
        (second - mean * mean).sqrt()
    );

    let total: f64 = report.distribution().iter().sum();
    assert!((total - 1.0).abs() < 1e-12);
    Ok(())
}
