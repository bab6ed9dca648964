//! Large pools whose players come and go by the dozen: after each tick the session must answer what a solve from
//! scratch answers. Players are drawn from a world of a few more than play at a time, so that costs stay of one kind.

use matching_core::cost::DenseMatrix;
use matching_core::{Blossom, Error, Objective, Session, verify};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pools::{ALLOWED, COSTS, Draw, Square};
use crate::ticks::Tick;

/// The cost of a pair that must not be.
const BARRED: i64 = i64::MAX;

/// Families of costs that only show their nature in large pools.
const LARGE: [(&str, Draw<i64>); 2] = [
    ("engagement", |rng, n| {
        let players: Vec<(f64, f64)> = (0..n)
            .map(|_| (rng.random_range(800.0..2_400.0), rng.random_range(-1.0..1.0)))
            .collect();
        Square::of(n, 0, |u, v| {
            let ((a, c), (b, d)) = (players[u], players[v]);
            let wins = 1.0 / (1.0 + f64::exp((b - a) / 174.0));
            (1e6 * (0.5 + 0.8 * (wins - 0.5) * (c - d))).round() as i64
        })
    }),
    ("points in the plane", |rng, n| {
        let mut place = || rng.random_range(0.0..1e6);
        let places: Vec<(f64, f64)> = (0..n).map(|_| (place(), place())).collect();
        Square::of(n, 0, |u, v| {
            let ((a, b), (c, d)) = (places[u], places[v]);
            f64::hypot(a - c, b - d).round() as i64
        })
    }),
];

/// A session, and the world its players come from.
#[derive(Debug)]
pub(crate) struct Crowd {
    rng: ChaCha8Rng,
    session: Session,
    /// What pairs cost, all over the world.
    world: Square<i64>,
    /// Who sits where in the session, and who is not there.
    seated: Vec<usize>,
    away: Vec<usize>,
    /// A perfect matching, with byes or with penalties.
    objective: Objective<i64>,
    /// The partners of the last answer, by position.
    mates: Vec<Option<usize>>,
    /// What happened since the last solve, and before all, for the message of a failure.
    pub(crate) log: Vec<String>,
    name: String,
}

impl Crowd {
    pub(crate) fn new(seed: u64, sizes: std::ops::RangeInclusive<usize>) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = rng.random_range(sizes);
        let people = n + n / 4;
        let kind = rng.random_range(0..COSTS.len() + 4 * LARGE.len());
        let (costs, draw) = *COSTS.get(kind).unwrap_or(&LARGE[kind % LARGE.len()]);
        let mut world = draw(&mut rng, people);
        let (allowed, draw) = ALLOWED[if rng.random_bool(0.6) {
            0
        } else {
            rng.random_range(0..ALLOWED.len())
        }];
        let mask = draw(&mut rng, people);
        for (cost, &is_allowed) in world.data.iter_mut().zip(&mask.data) {
            *cost = if is_allowed { *cost } else { BARRED };
        }
        let objective = match rng.random_range(0..3) {
            0 => Objective::MinPerfect,
            1 => Objective::MinBye(Vec::new()),
            _ => Objective::MinOptOut(Vec::new()),
        };
        let session = Session::empty().threads(rng.random_range(0..=2));
        let session = match objective {
            Objective::MinBye(_) => session.byes(Vec::new()).expect("one each"),
            Objective::MinOptOut(_) => session.penalties(Vec::new()).expect("one each"),
            _ => session,
        };
        let mut crowd = Self {
            rng,
            session,
            world,
            seated: Vec::new(),
            away: (0..people).collect(),
            objective,
            mates: Vec::new(),
            log: Vec::new(),
            name: format!("{n} players of {people}, {costs}, allowed: {allowed}"),
        };
        for _ in 0..n {
            crowd.join();
        }
        crowd
    }

    /// A few changes, a solve, a check; what is wrong, if anything is.
    pub(crate) fn tick(&mut self) -> Result<Tick, String> {
        self.log = vec![self.name.clone()];
        for _ in 0..self.rng.random_range(1..=3) {
            self.change();
        }
        self.check()
    }

    fn change(&mut self) {
        let n = self.seated.len();
        let count = [1, 3, 8, n / 50, n / 20, n / 8][self.rng.random_range(0..6)].max(1);
        let kind = self.rng.random_range(0..9);
        self.log.push(format!("change {kind} of {count}"));
        for _ in 0..count {
            match kind {
                0 | 1 => {
                    self.leave();
                    self.join();
                }
                2 | 3 => self.replace(),
                4 => self.reprice(),
                5 => self.bar_the_last_partner(),
                6 => self.nudge_the_last_pair(),
                7 => self.wait(),
                _ if self.rng.random_bool(0.5) => self.leave(),
                _ => self.join(),
            }
        }
    }

    /// A random one of the list, taken out.
    fn draw_from(rng: &mut ChaCha8Rng, list: &mut Vec<usize>) -> Option<usize> {
        (!list.is_empty()).then(|| list.swap_remove(rng.random_range(0..list.len())))
    }

    fn allowed(cost: i64) -> Option<i64> {
        (cost != BARRED).then_some(cost)
    }

    fn join(&mut self) {
        let Some(who) = Self::draw_from(&mut self.rng, &mut self.away) else {
            return;
        };
        let penalty = self.penalty();
        let (world, seated) = (&self.world, &self.seated);
        let cost = |other: usize| Self::allowed(world.at(who, seated[other]));
        match &mut self.objective {
            Objective::MinOptOut(penalties) => {
                penalties.push(penalty);
                self.session.add_with_penalty(penalty, cost);
            }
            Objective::MinBye(byes) => {
                byes.push(0);
                self.session.add(cost);
            }
            _ => {
                self.session.add(cost);
            }
        }
        self.seated.push(who);
        self.mates.push(None);
    }

    /// About half of what some pair costs.
    fn penalty(&mut self) -> i64 {
        let people = self.world.n;
        let (u, v) = (self.rng.random_range(0..people), self.rng.random_range(0..people));
        let cost = if u == v { BARRED } else { self.world.at(u, v) };
        Self::allowed(cost).map_or(1, |cost| cost / 2 + 1)
    }

    /// Whoever stayed alone finds it dearer next time, and somebody else may find it cheaper.
    fn wait(&mut self) {
        let penalty = self.penalty();
        let Some(at) = self.seat() else { return };
        let Objective::MinOptOut(penalties) = &mut self.objective else {
            return;
        };
        let alone = (0..penalties.len()).find(|v| self.mates[(at + v) % penalties.len()].is_none());
        let alone = alone.map_or(at, |v| (at + v) % penalties.len());
        penalties[alone] = penalties[alone].saturating_add(penalty / 4 + 1);
        self.session.set_penalty(alone, penalties[alone]);
        penalties[at] = penalty;
        self.session.set_penalty(at, penalty);
    }

    fn leave(&mut self) {
        if self.seated.is_empty() {
            return;
        }
        let at = self.rng.random_range(0..self.seated.len());
        self.session.remove(at);
        if let Objective::MinBye(singles) | Objective::MinOptOut(singles) = &mut self.objective {
            singles.swap_remove(at);
        }
        self.away.push(self.seated.swap_remove(at));
        // Whom those who moved were paired with no longer counts.
        self.mates = vec![None; self.seated.len()];
    }

    /// Somebody else takes a seat.
    fn replace(&mut self) {
        let Some(who) = Self::draw_from(&mut self.rng, &mut self.away) else {
            return;
        };
        let Some(at) = self.seat() else { return };
        self.away.push(std::mem::replace(&mut self.seated[at], who));
        let (world, seated) = (&self.world, &self.seated);
        self.session
            .set_row(at, |other| Self::allowed(world.at(who, seated[other])));
    }

    fn seat(&mut self) -> Option<usize> {
        (self.seated.len() > 1).then(|| self.rng.random_range(0..self.seated.len()))
    }

    fn set(&mut self, i: usize, j: usize, cost: i64) {
        let (u, v) = (self.seated[i], self.seated[j]);
        let n = self.world.n;
        self.world.data[u * n + v] = cost;
        self.world.data[v * n + u] = cost;
        self.session.set_pair(i, j, Self::allowed(cost));
    }

    /// A pair costs what some other one does.
    fn reprice(&mut self) {
        let Some(i) = self.seat() else { return };
        let n = self.seated.len();
        let j = (i + self.rng.random_range(1..n)) % n;
        let (u, v) = (self.seated[i], self.seated[self.rng.random_range(0..n)]);
        if u != v {
            self.set(i, j, self.world.at(u, v));
        }
    }

    /// Nobody plays the same partner again.
    fn bar_the_last_partner(&mut self) {
        let Some(i) = self.seat() else { return };
        if let Some(j) = self.mates[i] {
            self.set(i, j, BARRED);
        }
    }

    /// A pair that was paired costs a little more, or less.
    fn nudge_the_last_pair(&mut self) {
        let Some(i) = self.seat() else { return };
        if let Some(j) = self.mates[i]
            && let Some(cost) = Self::allowed(self.world.at(self.seated[i], self.seated[j]))
        {
            let by = self.rng.random_range(-2..=2);
            self.set(i, j, cost.saturating_add(by).min(BARRED - 1));
        }
    }

    /// Solves both ways and compares.
    fn check(&mut self) -> Result<Tick, String> {
        let n = self.seated.len();
        let flat: Vec<Option<i64>> = self
            .seated
            .iter()
            .flat_map(|&u| self.seated.iter().map(move |&v| (u, v)))
            .map(|(u, v)| Self::allowed(self.world.at(u, v)).filter(|_| u != v))
            .collect();
        let copy = DenseMatrix::from_options(n, n, &flat).expect("a square");
        let objective = self.objective.clone();
        let cold = Blossom::new().objective(objective.clone()).solve(&copy);
        match (self.session.solve(), cold) {
            (Ok(warm), Ok(cold)) => {
                warm.verify(&copy).map_err(|error| format!("refused: {error}"))?;
                let (warm_ends, cold_ends) = [&warm, &cold].map(|end| (end.cost(), end.bound())).into();
                if warm_ends != cold_ends {
                    return Err(format!("warm {warm_ends:?}, cold {cold_ends:?}"));
                }
                self.mates = (0..n).map(|v| warm.mate(v)).collect();
                Ok(Tick::Solved)
            }
            (Err(Error::NoPerfectMatching(witness)), Err(Error::NoPerfectMatching(_))) => {
                verify::infeasibility(&copy, &objective, &witness).map_err(|error| error.to_string())?;
                Ok(Tick::Infeasible)
            }
            (warm, cold) => Err(format!("warm {:?}, cold {:?}", warm.err(), cold.err())),
        }
    }
}
