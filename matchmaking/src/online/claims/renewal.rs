//! Costs of rules that hand players on with the age that they have: functions of the age, and what follows from them.
//!
//! `τ_max` is the unit of time, all games are pairs, and a process begins anew whenever nobody waits: a game costs what
//! is expected between two such moments, divided by the games expected there.

use super::integral::points;
use super::printed::poisson;

/// Functions of the age on [0, 1] are known at so many points. The steepest here falls by e^-100, of which polynomials
/// through 49 points miss about 1e-12.
const NODES: usize = 49;

/// Interpolation between Chebyshev's points (barycentric).
struct Ages(Vec<f64>);

impl Ages {
    fn new() -> Self {
        let node = |i: usize| (1.0 - (std::f64::consts::PI * i as f64 / (NODES - 1) as f64).cos()) / 2.0;
        Self((0..NODES).map(node).collect())
    }

    /// Adds to the weights what the values at the nodes count for in `factor` times the value at an age.
    fn add(&self, weights: &mut [f64], age: f64, factor: f64) {
        if let Some(hit) = self.0.iter().position(|node| (node - age).abs() < 1e-15) {
            weights[hit] += factor;
            return;
        }
        let mut shares = [0.0; NODES];
        for (i, (share, node)) in shares.iter_mut().zip(&self.0).enumerate() {
            let end = if i == 0 || i == NODES - 1 { 0.5 } else { 1.0 };
            let sign = if i.is_multiple_of(2) { end } else { -end };
            *share = sign / (age - node);
        }
        let scale = factor / shares.iter().sum::<f64>();
        weights
            .iter_mut()
            .zip(shares)
            .for_each(|(weight, share)| *weight += scale * share);
    }
}

/// Cost and games of one step, and with what weight each state's totals follow it.
struct Step {
    cost: f64,
    games: f64,
    next: Vec<f64>,
}

/// Cost per game from the first state on until nobody waits.
fn per_game(steps: &[Step]) -> f64 {
    let mut totals: Vec<(f64, f64)> = vec![(0.0, 0.0); steps.len()];
    loop {
        let after = |step: &Step| {
            let follow = step.next.iter().zip(&totals);
            follow.fold((step.cost, step.games), |(cost, games), (weight, total)| {
                (cost + weight * total.0, games + weight * total.1)
            })
        };
        let later: Vec<(f64, f64)> = steps.iter().map(after).collect();
        let changes = later.iter().zip(&totals).map(|(new, old)| (new.0 - old.0).abs());
        // A step leads on with a chance well below one, so that this comes soon; never if something is not a number.
        let is_settled = changes.fold(0.0, f64::max) < 1e-14 * later[0].0;
        totals = later;
        if is_settled || !totals[0].0.is_finite() {
            return totals[0].0 / totals[0].1;
        }
    }
}

/// Expected cost of a game of A_PM for pairs with `n` players per period, of whom `load` are expected per `τ_max`.
///
/// A period that ends at the limit with an odd number of players, three or more, leaves the last one over, who opens
/// the next with the age that he has. A state is the age of who opens a period.
pub(super) fn periodic(n: i64, load: f64) -> f64 {
    let ages = Ages::new();
    let steps: Vec<Step> = ages.0.iter().map(|&age| period(&ages, n, load, age)).collect();
    per_game(&steps)
}

/// One period of pairs whose first player has this age.
fn period(ages: &Ages, n: i64, load: f64, age: f64) -> Step {
    let left = 1.0 - age;
    let arrivals = load * left;
    let at_least = |count: i64| 1.0 - (0..count).map(|j| poisson(j, arrivals)).sum::<f64>();
    let players = n as f64;
    let full = at_least(n - 1);
    let waits = age * full + players / 2.0 * (players - 1.0) / load * at_least(n);
    let mut step = Step {
        cost: full * players / (players + 1.0) + waits,
        games: full * players / 2.0,
        next: vec![0.0; NODES],
    };
    for others in 0..n - 1 {
        let chance = poisson(others, arrivals);
        let (cost, games) = ended_by_the_limit(others, left);
        step.cost += chance * cost;
        step.games += chance * games;
    }
    for (of_last, weight) in points(left, load) {
        // An even number of others, the last of whom arrived so long ago.
        let before = |j: i64| poisson(j - 1, load * (left - of_last));
        let density = load * (-load * of_last).exp() * (2..n - 1).step_by(2).map(before).sum::<f64>();
        ages.add(&mut step.next, of_last, weight * density);
    }
    step
}

/// Cost and games of a period that the limit ends with so many others, who arrived in the time that was left.
fn ended_by_the_limit(others: i64, left: f64) -> (f64, f64) {
    if others == 0 {
        // Criterion 2, and waits of 1 for the player and for the bot.
        return (4.0, 1.0);
    }
    let leaves_one = others % 2 == 0;
    let served = (others + 1 - i64::from(leaves_one)) as f64;
    let everybody = 1.0 + others as f64 * left / 2.0;
    // Who stays has waited for the shortest time.
    let of_last = if leaves_one { left / (others + 1) as f64 } else { 0.0 };
    (served / (served + 1.0) + everybody - of_last, served / 2.0)
}

/// Expected cost of a game of A_MQ for pairs with two queues, `load` players in all being expected per `τ_max`.
///
/// States are the age of a player who waits alone, and that of a player in whose foreign queue somebody has just
/// arrived.
pub(super) fn two_queues(load: f64) -> f64 {
    let ages = Ages::new();
    let alone = ages.0.iter().map(|&age| waiting_alone(&ages, load / 2.0, age));
    let both = ages.0.iter().map(|&age| waiting_both(&ages, load / 2.0, age));
    per_game(&alone.chain(both).collect::<Vec<Step>>())
}

/// The chance that somebody comes to one queue before the other and before the time is over, and the time until then
/// where that is so, both arriving at this rate.
fn next_to_come(rate: f64, left: f64) -> (f64, f64) {
    let nobody = (-2.0 * rate * left).exp();
    let mean = (1.0 - nobody * (1.0 + 2.0 * rate * left)) / (4.0 * rate);
    ((1.0 - nobody) / 2.0, mean)
}

/// Criterion cost of two from one of two queues: a third of half the range, twice.
const SAME_QUEUE: f64 = 1.0 / 3.0;
/// Of two from different queues, which are half the range apart on average.
const FOREIGN_QUEUE: f64 = 1.0;

/// Someone of this age waits in one queue, nobody in the other.
fn waiting_alone(ages: &Ages, rate: f64, age: f64) -> Step {
    let left = 1.0 - age;
    let (chance, time) = next_to_come(rate, left);
    let nobody = 1.0 - 2.0 * chance;
    let mut next = vec![0.0; 2 * NODES];
    for (time, weight) in points(left, 2.0 * rate) {
        let density = rate * (-2.0 * rate * time).exp();
        ages.add(&mut next[NODES..], age + time, weight * density);
    }
    Step {
        cost: chance * (SAME_QUEUE + age) + time + nobody * 4.0,
        games: chance + nobody,
        next,
    }
}

/// Someone of this age waits in one queue, a newcomer in the other. Whose queue somebody comes to plays, and the other
/// one waits alone; if nobody comes, the two play when the older one is due.
fn waiting_both(ages: &Ages, rate: f64, age: f64) -> Step {
    let left = 1.0 - age;
    let (chance, time) = next_to_come(rate, left);
    let nobody = 1.0 - 2.0 * chance;
    let mut next = vec![0.0; 2 * NODES];
    for (time, weight) in points(left, 2.0 * rate) {
        let density = rate * (-2.0 * rate * time).exp();
        ages.add(&mut next[..NODES], time, weight * density);
        ages.add(&mut next[..NODES], age + time, weight * density);
    }
    Step {
        cost: chance * (2.0 * SAME_QUEUE + age) + 2.0 * time + nobody * (FOREIGN_QUEUE + 1.0 + left),
        games: 2.0 * chance + nobody,
        next,
    }
}

#[cfg(test)]
mod tests {
    use super::super::process::greedy;
    use super::{periodic, two_queues};

    #[test]
    fn periods_of_one_game_are_greedy() {
        for load in [0.5, 5.0, 50.0] {
            let [one, other] = [greedy(2, load), periodic(2, load)];
            assert!((one - other).abs() < 1e-12 * other, "{one} {other}");
        }
    }

    /// Four players, of whom next to none comes: one alone costs 4, and one more in time the criterion's 2/3 and waits
    /// of 1 and half of that.
    #[test]
    fn few_players_play_with_bots() {
        let load = 1e-5;
        let expected = 4.0 + load * (2.0 / 3.0 + 1.5 - 4.0);
        assert!((periodic(4, load) - expected).abs() < 1e-8);
        // Half of the others come to the own queue, and play half of the limit later; the others at the limit.
        let expected = 4.0 + load / 2.0 * (1.0 / 3.0 + 0.5 - 4.0) + load / 2.0 * (1.0 + 1.5 - 4.0);
        assert!((two_queues(load) - expected).abs() < 1e-8);
    }

    /// Where the limit is hardly ever reached.
    #[test]
    fn many_players_do_not_reach_the_limit() {
        let load = 100.0;
        assert!((periodic(8, load) - (2.0 / 9.0 + 7.0 / load)).abs() < 1e-10);
        let queues = 1.0 / 3.0 + 2.0 / load;
        assert!((two_queues(load) - queues).abs() < 1e-10);
    }
}
