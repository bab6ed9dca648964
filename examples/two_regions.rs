//! Two regions whose players may meet across: when to let them, by a decision process that is explored by names.

use std::error::Error;

use markov::mdp::{Choice, CtMdp, PolicyIteration};
use markov::{Ctmc, Limits};

/// Room for so many players who wait in a region.
const ROOM: u32 = 6;

/// What may be done while so many wait in either region: keep the regions apart, or let players meet across, who then have
/// a game with a delay that costs 4. Players come once a minute and every other minute; waiting costs 1 a minute, and who
/// finds no room 5.
fn actions(&(one, two): &(u32, u32)) -> [Choice<(u32, u32), &'static str>; 2] {
    let after = |one: u32, two: u32| (one.min(ROOM), two.min(ROOM));
    let lost = |waiting: u32| if waiting == ROOM { 5.0 } else { 0.0 };
    // Any two players who may meet do so once in four minutes.
    let pairs = |waiting: u32| f64::from(waiting * waiting.saturating_sub(1) / 2) / 4.0;
    let mut moves = vec![
        (after(one + 1, two), 1.0, lost(one)),
        (after(one, two + 1), 0.5, lost(two)),
        ((one.saturating_sub(2), two), pairs(one), 0.0),
        ((one, two.saturating_sub(2)), pairs(two), 0.0),
    ];
    let waiting = f64::from(one + two);
    let apart = Choice::with_move_costs("apart", waiting, moves.clone());
    let both = (one.saturating_sub(1), two.saturating_sub(1));
    moves.push((both, f64::from(one * two) / 4.0, 4.0));
    [apart, Choice::with_move_costs("across", waiting, moves)]
}

fn main() -> Result<(), Box<dyn Error>> {
    let regions = CtMdp::explore((0, 0), actions, Limits::default())?;
    let best = regions.process.average(&PolicyIteration::new())?;
    let bounds = regions.process.verify(&best)?;
    println!("{} states, {:.6} a minute", regions.states.len(), best.gain());
    println!("across (x) or apart (.), from left to right by players of the first region:");
    for two in 0..=ROOM {
        let across = |one| regions.action(best.policy(), &(one, two)) == Some(&"across");
        let signs: String = (0..=ROOM).map(|one| if across(one) { " x" } else { " ." }).collect();
        println!("{two} of the second{signs}");
    }
    // Who is alone plays across with one of a few who wait elsewhere; nobody else does.
    assert_eq!(regions.action(best.policy(), &(2, 1)), Some(&"across"));
    assert_eq!(regions.action(best.policy(), &(2, 2)), Some(&"apart"));
    // Rules by hand are policies by names, too.
    for (rule, least) in [("always across", 0), ("never", u32::MAX), ("from five who wait", 5)] {
        let policy = regions.policy(|(one, two)| if one + two >= least { "across" } else { "apart" })?;
        let (chain, costs): (Ctmc, _) = regions.process.chain(&policy)?;
        let cost: f64 = chain
            .stationary()?
            .iter()
            .zip(costs)
            .map(|(share, cost)| share * cost)
            .sum();
        println!("{rule}: {cost:.6}");
        assert!(*bounds.lower() <= cost);
    }
    Ok(())
}
