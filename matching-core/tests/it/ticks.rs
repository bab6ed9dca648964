//! A pool that changes at random, beside a plain copy of its costs: after each tick the session must answer what a
//! solve from scratch of the copy answers.

use matching_core::cost::{self, Cost, DenseMatrix};
use matching_core::{Blossom, Error, Objective, Session, Solution, verify};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pools::{ALLOWED, COSTS};

/// How a tick ended, in the session and from scratch alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tick {
    Solved,
    Infeasible,
}

/// A session and what it should hold.
#[derive(Debug)]
pub(crate) struct Pool {
    rng: ChaCha8Rng,
    session: Session,
    costs: Vec<Vec<Option<i64>>>,
    /// A perfect matching, with byes or with penalties.
    objective: Objective<i64>,
    sizes: std::ops::RangeInclusive<usize>,
    /// Costs of newcomers and new costs: below this in size.
    scale: i64,
    /// What happened since the last solve, for the message of a failure.
    pub(crate) log: Vec<String>,
}

impl Pool {
    /// A pool of random players, whose size stays within `sizes` most of the time.
    pub(crate) fn new(seed: u64, sizes: std::ops::RangeInclusive<usize>) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = rng.random_range(sizes.clone());
        let drawn = COSTS[rng.random_range(0..COSTS.len())].1(&mut rng, n);
        let (session, costs) = if rng.random_bool(0.7) {
            let costs = (0..n)
                .map(|i| (0..n).map(|j| (i != j).then(|| drawn.at(i, j))).collect())
                .collect();
            let whole = cost::from_symmetric_fn(n, |i, j| drawn.at(i, j));
            (Session::new(&whole).expect("a right cost"), costs)
        } else {
            (Session::empty(), Vec::new())
        };
        let (kind, mut singles) = (rng.random_range(0..5), Vec::new());
        singles.extend((0..costs.len()).map(|_| rng.random_range(-50..5_000)));
        let session = session.threads(rng.random_range(0..=2));
        let (session, objective) = match kind {
            0 | 1 => (session, Objective::MinPerfect),
            2 => (
                session.byes(singles.clone()).expect("one each"),
                Objective::MinBye(singles),
            ),
            _ => (
                session.penalties(singles.clone()).expect("one each"),
                Objective::MinOptOut(singles),
            ),
        };
        let scale = 10i64.pow(rng.random_range(0..=6));
        Self {
            rng,
            session,
            costs,
            objective,
            sizes,
            scale,
            log: vec![format!("{n} players of seed {seed}")],
        }
    }

    /// A few changes, a solve, a check; what is wrong, if anything is.
    pub(crate) fn tick(&mut self) -> Result<Tick, String> {
        self.log.clear();
        for _ in 0..[0, 1, 1, 1, 2, 5][self.rng.random_range(0..6)] {
            self.change();
        }
        if self.rng.random_bool(0.03) {
            // Somebody goes on from a copy.
            self.session = self.session.clone();
        }
        if self.rng.random_bool(0.03) {
            self.ask_something_else();
        }
        self.check()
    }

    /// Byes in the place of penalties, or the other way round.
    fn ask_something_else(&mut self) {
        let singles: Vec<i64> = (0..self.costs.len()).map(|_| self.random_cost()).collect();
        let session = std::mem::take(&mut self.session);
        let (session, objective) = match self.objective {
            Objective::MinBye(_) => (
                session.penalties(singles.clone()).expect("one each"),
                Objective::MinOptOut(singles),
            ),
            Objective::MinOptOut(_) => (
                session.byes(singles.clone()).expect("one each"),
                Objective::MinBye(singles),
            ),
            // There is no way back to a pool where all must be paired.
            _ => (session, Objective::MinPerfect),
        };
        self.log.push(format!("{objective:?}"));
        (self.session, self.objective) = (session, objective);
    }

    fn random_cost(&mut self) -> i64 {
        self.rng.random_range(-self.scale..=self.scale)
    }

    fn player(&mut self) -> Option<usize> {
        (!self.costs.is_empty()).then(|| self.rng.random_range(0..self.costs.len()))
    }

    fn change(&mut self) {
        let n = self.costs.len();
        let kind = match n {
            _ if n < *self.sizes.start() => 1,
            _ if n > *self.sizes.end() => 2,
            _ => self.rng.random_range(0..20),
        };
        let before = self.log.len();
        match kind {
            0 | 1 => {
                for _ in 0..self.rng.random_range(1..=3) {
                    self.add_one();
                }
            }
            2 | 3 => {
                for _ in 0..self.rng.random_range(1..=3) {
                    self.remove_one();
                }
            }
            // Some leave, as many join.
            4 => {
                for _ in 0..self.rng.random_range(1..=n / 10 + 1) {
                    self.remove_one();
                    self.add_one();
                }
            }
            5..=9 => self.change_pairs(kind),
            10..=12 => self.change_row(kind),
            13 => {
                if let (Some(player), cost) = (self.player(), self.random_cost()) {
                    self.set_single(player, |_| cost);
                }
            }
            14 => self.scale = 10i64.pow(self.rng.random_range(0..=9)),
            15 => self.change_scale(),
            16 => self.replace_all(),
            17 => self.shift_row(),
            // Whoever waits finds it dearer, or cheaper.
            18 => {
                let by = self.random_cost() / 4;
                let step = self.rng.random_range(1..=3);
                for player in (0..n).step_by(step) {
                    self.set_single(player, |before| before.saturating_add(by));
                }
            }
            _ => {
                if self.rng.random_bool(0.3) {
                    self.empty_and_refill();
                }
            }
        }
        if self.log.len() == before {
            self.log.push(format!("change of kind {kind}"));
        }
    }

    fn add_one(&mut self) {
        let n = self.costs.len();
        let percent = if self.rng.random_bool(0.9) {
            0
        } else {
            self.rng.random_range(0..=100)
        };
        let copied = self.player().filter(|_| self.rng.random_bool(0.3));
        let row: Vec<Option<i64>> = (0..n)
            .map(|other| match copied {
                Some(twin) if other != twin => self.costs[twin][other],
                _ => Some(self.random_cost()),
            })
            .collect();
        let row: Vec<Option<i64>> = row
            .into_iter()
            .map(|cost| cost.filter(|_| self.rng.random_range(0..100) >= percent))
            .collect();
        self.log.push(format!("add {row:?}"));
        let single = self.random_cost();
        let position = match &mut self.objective {
            Objective::MinBye(byes) => {
                byes.push(single);
                self.session.add_with_bye(single, |other| row[other])
            }
            Objective::MinOptOut(penalties) => {
                penalties.push(single);
                self.session.add_with_penalty(single, |other| row[other])
            }
            _ => self.session.add(|other| row[other]),
        };
        assert_eq!(position, n, "the new player comes last");
        for (other, &cost) in row.iter().enumerate() {
            self.costs[other].push(cost);
        }
        self.costs.push(row);
        self.costs[n].push(None);
    }

    fn remove_one(&mut self) {
        let Some(player) = self.player() else { return };
        self.log.push(format!("remove {player} of {}", self.costs.len()));
        self.session.remove(player);
        self.costs.swap_remove(player);
        for row in &mut self.costs {
            row.swap_remove(player);
        }
        if let Objective::MinBye(singles) | Objective::MinOptOut(singles) = &mut self.objective {
            singles.swap_remove(player);
        }
    }

    /// Sets the bye or the penalty of a player, if it has one.
    fn set_single(&mut self, player: usize, cost: impl Fn(i64) -> i64) {
        match &mut self.objective {
            Objective::MinBye(byes) => {
                byes[player] = cost(byes[player]);
                self.session.set_bye(player, byes[player]);
            }
            Objective::MinOptOut(penalties) => {
                penalties[player] = cost(penalties[player]);
                self.session.set_penalty(player, penalties[player]);
            }
            _ => return,
        }
        self.log.push(format!("alone {player}"));
    }

    fn set(&mut self, i: usize, j: usize, cost: Option<i64>) {
        self.log.push(format!("set {i} {j} {cost:?}"));
        self.session.set_pair(i, j, cost);
        self.costs[i][j] = cost;
        self.costs[j][i] = cost;
    }

    fn change_pairs(&mut self, kind: u32) {
        let n = self.costs.len();
        if n < 2 {
            return;
        }
        for _ in 0..self.rng.random_range(1..=n) {
            let i = self.rng.random_range(0..n);
            let j = (i + self.rng.random_range(1..n)) % n;
            let cost = match kind {
                5 => Some(self.random_cost()),
                6 => None,
                // One unit more or less.
                7 => self.costs[i][j].map(|cost| cost.saturating_add(self.rng.random_range(-1..=1))),
                8 => self.costs[i][j].or(Some(0)),
                _ => Some(
                    *[i64::from(i32::MAX), 1 << 27, -1, 0]
                        .get(self.rng.random_range(0..4))
                        .unwrap_or(&0),
                ),
            };
            self.set(i, j, cost);
        }
    }

    fn change_row(&mut self, kind: u32) {
        let Some(player) = self.player() else { return };
        let n = self.costs.len();
        let only = self.rng.random_range(0..n);
        let mut row = vec![None; n];
        for other in (0..n).filter(|&other| other != player) {
            row[other] = match kind {
                // Only one partner is left, or none.
                10 if self.rng.random_bool(0.2) => self.costs[player][other].filter(|_| other == only),
                10 | 11 => Some(self.random_cost()),
                _ => self.costs[player][other].or(Some(self.scale)),
            };
        }
        self.set_row(player, &row);
    }

    fn set_row(&mut self, player: usize, row: &[Option<i64>]) {
        self.log.push(format!("row {player}: {row:?}"));
        self.session.set_row(player, |other| {
            assert_ne!(other, player, "nobody plays alone");
            row[other]
        });
        for (other, &cost) in row.iter().enumerate().filter(|&(other, _)| other != player) {
            self.costs[player][other] = cost;
            self.costs[other][player] = cost;
        }
    }

    /// All costs of a player rise or fall alike: the best pairing stays.
    fn shift_row(&mut self) {
        let Some(player) = self.player() else { return };
        let by = self.random_cost().saturating_mul(100);
        let shifted = |cost: &Option<i64>| cost.map(|cost| cost.saturating_add(by));
        let row: Vec<Option<i64>> = self.costs[player].iter().map(shifted).collect();
        self.set_row(player, &row);
    }

    /// Far beyond all costs so far, and back again.
    fn change_scale(&mut self) {
        let n = self.costs.len();
        if n < 2 {
            return;
        }
        if self.rng.random_bool(0.5) {
            for i in 0..n {
                for j in i + 1..n {
                    if let Some(cost) = self.costs[i][j].filter(|cost| cost.unsigned_abs() > 1 << 27) {
                        self.set(i, j, Some(cost % 1_000));
                    }
                }
            }
            return;
        }
        let bits = if self.rng.random_bool(0.8) {
            self.rng.random_range(28..=52)
        } else {
            self.rng.random_range(53..=62)
        };
        let far = 1i64 << bits;
        for _ in 0..self.rng.random_range(1..=3) {
            let i = self.rng.random_range(0..n);
            let j = (i + self.rng.random_range(1..n)) % n;
            let cost = self.rng.random_range(-far..=far);
            self.set(i, j, Some(cost));
        }
        if bits == 62 && self.rng.random_bool(0.3) {
            let end = [i64::MIN, i64::MAX][self.rng.random_range(0..2)];
            self.set(0, 1, Some(end));
        }
    }

    /// New costs for all, of one family, perhaps with many forbidden pairs.
    fn replace_all(&mut self) {
        let n = self.costs.len();
        let (costs, allowed) = (
            self.rng.random_range(0..COSTS.len()),
            self.rng.random_range(0..3 * ALLOWED.len()),
        );
        let drawn = COSTS[costs].1(&mut self.rng, n);
        let mask = ALLOWED.get(allowed).unwrap_or(&ALLOWED[0]).1(&mut self.rng, n);
        for i in 0..n {
            let row: Vec<Option<i64>> = (0..n).map(|j| mask.at(i, j).then(|| drawn.at(i, j))).collect();
            self.set_row(i, &row);
        }
    }

    fn empty_and_refill(&mut self) {
        let n = self.costs.len();
        let left = self.rng.random_range(0..=2);
        while self.costs.len() > left {
            self.remove_one();
        }
        for _ in 0..self.rng.random_range(0..=n) {
            self.add_one();
        }
    }

    /// Solves both ways and compares.
    fn check(&mut self) -> Result<Tick, String> {
        let n = self.costs.len();
        if self.session.len() != n || Cost::len(&self.session) != n || self.session.is_empty() != (n == 0) {
            return Err(format!("{} players, not {n}", self.session.len()));
        }
        let flat: Vec<Option<i64>> = self.costs.iter().flatten().copied().collect();
        for (at, &cost) in flat.iter().enumerate().filter(|(at, _)| at / n != at % n) {
            let (i, j) = (at / n, at % n);
            let held = self.session.is_allowed(i, j).then(|| self.session.pair(i, j));
            if held != cost {
                return Err(format!("({i}, {j}) costs {held:?}, not {cost:?}"));
            }
        }
        let copy = DenseMatrix::from_options(n, n, &flat).expect("a square");
        let objective = self.objective.clone();
        let cold = Blossom::new().objective(objective.clone()).solve(&copy);
        let warm = self.session.solve();
        if let Ok(solution) = &warm
            && *solution.objective() != objective
        {
            return Err(format!("another objective: {:?}", solution.objective()));
        }
        match (warm, cold) {
            (Ok(warm), Ok(cold)) => self.compare(&warm, &cold, &copy),
            (Err(Error::NoPerfectMatching(witness)), Err(Error::NoPerfectMatching(_))) => {
                verify::infeasibility(&copy, &objective, &witness).map_err(|error| format!("{error}: {witness:?}"))?;
                Ok(Tick::Infeasible)
            }
            (warm, cold) => Err(format!("warm {warm:?}\ncold {cold:?}")),
        }
    }

    fn compare(&self, warm: &Solution<i64>, cold: &Solution<i64>, copy: &DenseMatrix<i64>) -> Result<Tick, String> {
        warm.verify(copy)
            .map_err(|error| format!("refused: {error}; {warm:?}"))?;
        warm.verify(&self.session)
            .map_err(|error| format!("refused by itself: {error}; {warm:?}"))?;
        let same = (warm.cost(), warm.bound(), warm.status()) == (cold.cost(), cold.bound(), cold.status());
        if !same {
            return Err(format!("warm {warm:?}\ncold {cold:?}"));
        }
        let again = Blossom::new().objective(warm.objective().clone()).solve(&self.session);
        match again {
            Ok(again) if again.cost() == warm.cost() => Ok(Tick::Solved),
            again => Err(format!("a solve of the session itself: {again:?}")),
        }
    }
}
