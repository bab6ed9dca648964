//! Random small problems with every mixture of wishes and costs.

use matching_lp::{Error, Groups, Halves, Problem};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::oracle::{Plain, Ratings, Whole};

/// A plain problem with the costs that the crate's own problem refers to.
pub(crate) struct Built<'p> {
    plain: &'p Plain,
    halves: Option<Halves<i64>>,
    pub(crate) second: Option<Box<Built<'p>>>,
}

impl<'p> Built<'p> {
    pub(crate) fn new(plain: &'p Plain) -> Self {
        let halves = |halves: &Ratings| {
            let made = Halves::new(&halves.ratings).expect("small numbers");
            match halves.limit {
                Some(limit) => made.at_most(limit).expect("a number"),
                None => made,
            }
        };
        Self {
            plain,
            halves: plain.halves.as_ref().map(halves),
            second: plain.second.as_deref().map(|second| Box::new(Self::new(second))),
        }
    }

    pub(crate) fn problem(&self) -> Result<Problem<'_, i64>, Error> {
        let plain = self.plain;
        let groups = Groups::with_bounds(plain.bounds.iter().map(|&(least, most)| least..=most)).expect("not crossed");
        let groups = groups.with_bench(plain.bench);
        // A cost of pairs that are all free may as well be none.
        let is_by_group = plain.forbidden.is_empty() && plain.cost.iter().all(|&cost| cost == 0);
        let mut problem = match (&plain.whole, &self.halves) {
            (Some(whole), _) if is_by_group => Problem::by_group(whole, groups)?,
            (None, Some(halves)) if is_by_group => Problem::by_group(halves, groups)?,
            (Some(whole), _) => Problem::new(plain, groups)?.group_cost(whole)?,
            (None, Some(halves)) => Problem::new(plain, groups)?.group_cost(halves)?,
            (None, None) => Problem::new(plain, groups)?,
        };
        if let (Some(_), Some(halves)) = (&plain.whole, &self.halves) {
            problem = problem.group_cost(halves)?;
        }
        for party in &plain.parties {
            problem = problem.party(party)?;
        }
        for &(i, j) in &plain.apart {
            problem = problem.apart(i, j)?;
        }
        for (number, (least, most, players)) in plain.roles.iter().enumerate() {
            problem = problem.role(&format!("role{number}"), *least..=*most, players)?;
        }
        for &(player, group) in &plain.pins {
            problem = problem.pin(player, group)?;
        }
        for (player, &cost) in plain.waiting.iter().enumerate() {
            problem = problem.waiting_cost(player, cost)?;
        }
        Ok(problem)
    }
}

/// Costs of sets, where groups of one and two at least are allowed now and then.
fn whole(rng: &mut ChaCha8Rng, players: usize, low: i64, range: i64) -> Whole {
    let rate = [0.0, 0.0, 0.1, 0.4][rng.random_range(0..4)];
    let cost = |rng: &mut ChaCha8Rng| (!rng.random_bool(rate)).then(|| rng.random_range(low..=range));
    let costs = (0..1_usize << players).map(|_| cost(rng)).collect();
    let weak = if rng.random_bool(0.5) {
        rng.random_range(0..=range)
    } else {
        0
    };
    Whole::new(costs, rng.random_bool(0.7), weak)
}

fn halves(rng: &mut ChaCha8Rng, players: usize, range: i64) -> Ratings {
    Ratings {
        ratings: (0..players).map(|_| rng.random_range(-range..=range)).collect(),
        limit: rng.random_bool(0.3).then(|| rng.random_range(0..=2 * range)),
    }
}

fn roles(rng: &mut ChaCha8Rng, players: usize, bounds: &[(usize, usize)]) -> Vec<(usize, usize, Vec<usize>)> {
    let count = rng.random_range(1..=4);
    let usual = bounds.iter().map(|bound| bound.1).max().unwrap_or(1).max(1);
    let rate = [0.3, 0.6, 0.9][rng.random_range(0..3)];
    let role = |rng: &mut ChaCha8Rng| {
        let least = rng.random_range(0..=usual.div_ceil(count).min(2));
        let most = (least + rng.random_range(0..=2)).max(1);
        let can = (0..players).filter(|_| rng.random_bool(rate)).collect();
        (least, most, can)
    };
    (0..count).map(|_| role(rng)).collect()
}

/// A random problem; `most` players, and four in ten with costs or wishes beyond pairs.
pub(crate) fn random(rng: &mut ChaCha8Rng, most: usize) -> Plain {
    let players = rng.random_range(1..=most);
    let range = [1, 3, 10, 1000][rng.random_range(0..4)];
    let low = if rng.random_bool(0.3) { -range } else { 0 };
    let is_free = rng.random_bool(0.2);
    let pair = |rng: &mut ChaCha8Rng| if is_free { 0 } else { rng.random_range(low..=range) };
    let cost = (0..players * players).map(|_| pair(rng)).collect();
    let has_halves = rng.random_bool(0.2);
    let count = rng.random_range(1..=players.min(5));
    let bench = if rng.random_bool(0.4) {
        rng.random_range(0..=players / 2)
    } else {
        0
    };
    // Sizes that add up, then looser.
    let playing = players - rng.random_range(0..=bench.min(players - count));
    let mut bounds: Vec<(usize, usize)> = (0..count)
        .map(|group| playing / count + usize::from(group < playing % count))
        .map(|size| (size, size))
        .collect();
    if rng.random_bool(if has_halves { 0.9 } else { 0.5 }) {
        for bound in &mut bounds {
            bound.0 -= rng.random_range(0..=bound.0.min(2));
            bound.1 += rng.random_range(0..=2);
        }
    }
    let mut pairs = |rate: f64| -> Vec<(usize, usize)> {
        let all = (0..players).flat_map(|i| (i + 1..players).map(move |j| (i, j)));
        all.filter(|_| rng.random_bool(rate)).collect()
    };
    let few = 1.0 / players as f64;
    let apart = pairs([0.0, few, 0.3][players % 3]);
    let forbidden = pairs([0.0, 0.0, few, 0.4][players % 4]);
    let parties = pairs([0.0, 0.3 * few, few][(players + 1) % 3]);
    let mut plain = Plain {
        players,
        cost,
        bench,
        waiting: (0..players).map(|_| rng.random_range(low..=range)).collect(),
        parties: parties.into_iter().map(|(i, j)| vec![i, j]).collect(),
        apart,
        forbidden,
        ..Plain::default()
    };
    if rng.random_bool(0.4) {
        plain.roles = roles(rng, players, &bounds);
    }
    if rng.random_bool(0.25) {
        let pinned = (0..players).filter(|_| rng.random_bool(0.2));
        let pinned: Vec<usize> = pinned.collect();
        plain.pins = pinned
            .into_iter()
            .map(|player| (player, rng.random_range(0..count)))
            .collect();
    }
    plain.bounds = bounds;
    plain.whole = rng.random_bool(0.3).then(|| whole(rng, players, low, range));
    plain.halves = has_halves.then(|| halves(rng, players, range));
    plain
}

/// The same wishes with other costs, to count where the first are equal.
pub(crate) fn second(rng: &mut ChaCha8Rng, first: &Plain) -> Plain {
    let range = [1, 20, 500][rng.random_range(0..3)];
    let low = if rng.random_bool(0.3) { -range } else { 0 };
    let n = first.players;
    Plain {
        players: n,
        cost: (0..n * n).map(|_| rng.random_range(low..=range)).collect(),
        bounds: first.bounds.clone(),
        bench: first.bench,
        waiting: (0..n).map(|_| rng.random_range(low..=range)).collect(),
        whole: rng.random_bool(0.2).then(|| whole(rng, n, low, range)),
        halves: rng.random_bool(0.1).then(|| halves(rng, n, range)),
        ..Plain::default()
    }
}
