//! Duals for the whole problem: column generation, which is the cutting-plane method seen from the other side.
//!
//! The linear program over the teams known so far gives duals; an exact search finds teams that pay too much by them,
//! until there are none. Two things keep duals from swinging: rows are elastic at first, so that no dual is far from
//! what the best grouping known suggests, and teams are looked for at duals between those of the program and the best
//! ones so far (P. Wentges, "Weighted Dantzig-Wolfe decomposition for linear mixed-integer programming", International
//! Transactions in Operational Research 4 (1997), 151-162, doi:10.1111/j.1475-3995.1997.tb00071.x). Any duals prove a
//! bound, so nothing depends on that.

use crate::duals::Duals;
use crate::limits::{Clock, Ran};
use crate::master::Master;
use crate::model::{Model, SCALE};
use crate::pool::Pool;
use crate::pricing::{Next, Prices, Pricing};

/// Weight of the best duals so far in those that are priced.
const SMOOTHING: f64 = 0.7;
/// How far below the optimum of the program a bound may stay, in steps of costs.
const NEAR: f64 = 0.02;
/// New teams with the same first member in one round.
const PER_FIRST: usize = 12;

/// Column generation.
pub(crate) struct Generation<'m> {
    model: &'m Model<'m>,
    pool: Pool,
    master: Master,
    best: Option<(i64, Duals)>,
    /// No more is asked of the bound.
    enough: i64,
}

impl<'m> Generation<'m> {
    /// Begins with these teams. A bound of `enough` is enough.
    pub(crate) fn new(model: &'m Model<'m>, teams: &[Vec<u16>], center: Vec<f64>, width: f64, enough: i64) -> Self {
        let mut pool = Pool::new(model);
        for team in teams {
            pool.add_team(model, team.clone());
        }
        let mut master = Master::new(model, center, width, width);
        for column in 0..pool.len() as u32 {
            master.add(model, &pool, column);
        }
        Self {
            model,
            pool,
            master,
            best: None,
            enough,
        }
    }

    /// The best duals before the clock was over, made true by an exact search: every one of them proves what it says.
    pub(crate) fn run(mut self, clock: &mut Clock<'_>) -> Option<Duals> {
        let mut smoothing = SMOOTHING;
        let mut rounds = 0_u32;
        while !clock.is_over() {
            rounds += 1;
            if !self.master.solve(clock) {
                break;
            }
            let value = self.master.program.objective();
            let priced = self.priced_duals(smoothing);
            let before = self.pool.len();
            let Some(worst) = self.price(&priced, clock) else {
                break;
            };
            let is_better = self.offer(priced, worst);
            let added = self.pool.len() - before;
            let bound = self.best.as_ref().map_or(f64::MIN, |best| best.0 as f64 / SCALE as f64);
            if bound > (self.enough - 1) as f64 {
                break;
            }
            if value - bound <= NEAR || (added == 0 && smoothing == 0.0) {
                if self.master.stretched() <= 1e-3 || rounds > 500 {
                    break;
                }
                self.master.widen(self.model, 3.0);
                smoothing = SMOOTHING;
                continue;
            }
            // No new team and no better bound: these duals were too near to the best ones.
            smoothing = match (added, is_better) {
                (0, false) => 0.0,
                _ => SMOOTHING,
            };
        }
        self.best.map(|best| best.1)
    }

    fn priced_duals(&self, smoothing: f64) -> Duals {
        let mut duals = self.master.duals();
        if let Some((_, best)) = &self.best {
            for (dual, &before) in duals.iter_mut().zip(&best.rows) {
                *dual += smoothing * (before as f64 / SCALE as f64 - *dual);
            }
        }
        Duals::from_floats(self.model, &self.model.other_columns(), &duals, Vec::new())
    }

    /// Takes in teams that pay too much, several for each first member; how much the worst of all pays too much. `None`
    /// if the clock is over.
    fn price(&mut self, duals: &Duals, clock: &mut Clock<'_>) -> Option<i64> {
        let prices = Prices::new(self.model, duals);
        let mut worst = 0;
        let mut found: Vec<Vec<u16>> = Vec::new();
        let mut first = None;
        let mut count = 0;
        let threshold = -(SCALE / 1024).max(1);
        let ran = Pricing::new(self.model, &prices).run(threshold, clock, &mut |units, reduced| {
            if first != Some(units[0]) {
                first = Some(units[0]);
                count = 0;
            }
            count += 1;
            found.push(units.to_vec());
            worst = worst.min(reduced);
            Next::UpToForFirst(if count < PER_FIRST {
                threshold
            } else {
                reduced.min(threshold) - 1
            })
        });
        for units in found {
            for column in self.pool.add_team(self.model, units) {
                self.master.add(self.model, &self.pool, column);
            }
        }
        (ran == Ran::All).then_some(-worst.min(threshold))
    }

    /// Keeps duals if they prove more than the best so far, once teams pay `excess` less.
    fn offer(&mut self, mut duals: Duals, excess: i64) -> bool {
        duals.lower(self.model, excess);
        let total = duals.total(self.model);
        let is_better = self.best.as_ref().is_none_or(|best| total > best.0);
        if is_better {
            self.best = Some((total, duals));
        }
        is_better
    }
}
