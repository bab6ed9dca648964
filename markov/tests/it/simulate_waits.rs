//! Both moments of simulated waits against those of a tagged player.

use markov::passage::Passage;
use markov::simulate::{Order, Run, two_v_two, two_zones};
use markov::{Ctmc, Error, Limits, explore};

use crate::simulate::{erlang_mixture, moments_agree};

type Outcome = Result<(), Error>;

/// Mean and mean square of a time.
type Pair = (f64, f64);

/// An exponential time of this rate, and then one of some others, or nothing, by chance.
fn then(rate: f64, others: &[(f64, Pair)]) -> Pair {
    let mean: f64 = others.iter().map(|(chance, (mean, _))| chance * mean).sum();
    let square: f64 = others.iter().map(|(chance, (_, square))| chance * square).sum();
    let step = 1.0 / rate;
    (step + mean, 2.0 * step * step + 2.0 * step * mean + square)
}

/// Waits of singles and of teams. Whatever the order, 0, 1, 2 and 3 waiting players are equally likely, since each
/// number is reached by one single and by one team. A single that is left over when two teams play, or when a team
/// plays two other singles, waits on alone.
fn central_queue(singles: f64, teams: f64, order: Order) -> [Pair; 2] {
    let rate = singles + teams;
    let (single, team) = (singles / rate, teams / rate);
    let last = then(rate, &[]);
    let mut alone = last;
    let mut found = [last; 3];
    // Being alone leads back to being alone with a chance below one.
    for _ in 0..10_000 {
        // With a team, or as the one of three singles that a team has no use for.
        let may_stay = then(rate, &[(team, alone)]);
        let (first, second, third) = match order {
            Order::Lifo => (may_stay, last, last),
            _ => (last, last, may_stay),
        };
        let first_of_two = then(rate, &[(single, first)]);
        let second_of_two = then(rate, &[(single, second)]);
        alone = then(rate, &[(single, first_of_two), (team, may_stay)]);
        // What a single finds: one other, two singles, a team.
        found = [second_of_two, third, may_stay];
    }
    let quarter = |waits: &[(f64, Pair)]| {
        let sum = |of: fn(&Pair) -> f64| waits.iter().map(|(chance, wait)| 0.25 * chance * of(wait)).sum();
        (sum(|wait| wait.0), sum(|wait| wait.1))
    };
    let of_singles = quarter(&[(1.0, alone), (1.0, found[0]), (single, found[1]), (team, found[2])]);
    let of_teams = quarter(&[(1.0, then(rate, &[(single, last)])), (1.0, last)]);
    [of_singles, of_teams]
}

#[test]
fn orders_of_the_central_queue_differ_as_a_tagged_player_finds() -> Outcome {
    for (singles, teams) in [(0.2, 0.4), (0.5, 0.25), (0.8, 0.1)] {
        for order in [Order::Fifo, Order::Packing, Order::Lifo] {
            let report = two_v_two(singles, teams, order, Run::new(2_000_000, 77)?)?;
            let waits = central_queue(singles, teams, order);
            for (class, (mean, square)) in waits.into_iter().enumerate() {
                moments_agree(&format!("{order:?}, class {class}"), report.class(class), mean, square);
            }
            let share = singles / (singles + 2.0 * teams);
            let [single, team] = waits;
            let mix = |a: f64, b: f64| share * a + (1.0 - share) * b;
            let (mean, square) = (mix(single.0, team.0), mix(single.1, team.1));
            assert!((mean - 1.5 / (singles + 2.0 * teams)).abs() < 1e-12);
            moments_agree(&format!("{order:?}, all"), report.all(), mean, square);
        }
    }
    Ok(())
}

/// Who waits in the zones, in order of arrival, after one more arrival; a tagged player is a capital letter.
fn zones_after(waiting: &str, who: char) -> String {
    let shares = |other: char| {
        let (other, who) = (other.to_ascii_lowercase(), who.to_ascii_lowercase());
        other == who || other == 'c' || who == 'c'
    };
    let mut next = waiting.to_owned();
    match next.find(shares) {
        Some(at) => {
            next.remove(at);
        }
        None => next.push(who),
    }
    next
}

#[test]
fn two_zones_as_a_tagged_player_finds_them() -> Outcome {
    let (a, b, free) = (0.5, 0.2, 0.3);
    let streams = [('a', a), ('b', b), ('c', free)];
    let all = explore(
        String::new(),
        |waiting| streams.map(|(who, rate)| (zones_after(waiting, who), rate)),
        Limits::default(),
    )?;
    assert_eq!(all.states.len(), 6);
    let share = Ctmc::new(&all.steps)?.stationary()?;
    let report = two_zones(a, b, free, Run::new(2_000_000, 12)?)?;
    for (class, who) in ["A", "B", "C"].into_iter().enumerate() {
        let is_tagged = |waiting: &str| waiting.contains(who);
        // All that the tagged player may meet, from every state it may find; "gone" is where its wait ends.
        let tagged = explore(
            "gone".to_owned(),
            |waiting| -> Vec<(String, f64)> {
                if waiting == "gone" {
                    let found = all
                        .states
                        .names()
                        .iter()
                        .flat_map(|found| who.chars().map(|tag| zones_after(found, tag)));
                    return found
                        .filter(|state| is_tagged(state))
                        .map(|state| (state, 1.0))
                        .collect();
                }
                let steps = streams.map(|(other, rate)| (zones_after(waiting, other), rate));
                let end = |state: String| if is_tagged(&state) { state } else { "gone".to_owned() };
                steps.into_iter().map(|(state, rate)| (end(state), rate)).collect()
            },
            Limits::default(),
        )?;
        let moments = Passage::ctmc(&Ctmc::new(&tagged.steps)?, &[0])?.moments(2);
        let mut expected = [0.0; 2];
        for (found, share) in all.states.names().iter().zip(&share) {
            let joined = who
                .chars()
                .map(|tag| zones_after(found, tag))
                .find(|state| is_tagged(state));
            let Some(at) = joined.and_then(|state| tagged.states.find(&state)) else {
                continue;
            };
            for (sum, moment) in expected.iter_mut().zip(&moments) {
                *sum += share * moment[at];
            }
        }
        moments_agree(who, report.class(class), expected[0], expected[1]);
    }
    Ok(())
}

#[test]
fn zones_without_choice_are_two_queues() -> Outcome {
    let apart = two_zones(0.5, 1.5, 0.0, Run::new(1_000_000, 13)?)?;
    for (class, rate) in [0.5, 1.5].into_iter().enumerate() {
        let (mean, square) = erlang_mixture(2, rate);
        moments_agree("zone without choice", apart.class(class), mean, square);
    }
    Ok(())
}
