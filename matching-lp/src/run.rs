//! One solve: the steps of the method, and what is known after each.

use std::time::Instant;

use matching_core::CostValue;

use crate::approach::{Approach, MOST_ROUNDS};
use crate::branching::Branching;
use crate::certificate::{Certificate, Step};
use crate::classes::assigned;
use crate::duals::Duals;
use crate::error::Error;
use crate::generate::Generation;
use crate::grid::Grid;
use crate::half_sums::half_sums;
use crate::improve::{Improvement, is_near};
use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model, SCALE};
use crate::pairs;
use crate::primal;
use crate::problem::Problem;
use crate::solution::{Solution, Status, StopReason};
use crate::solver::Progress;
use crate::terms::grid_of;
use crate::tree::Chosen;
use crate::verify::with_groups_of;
use crate::warm::Warm;

/// What the solver was told.
#[derive(Clone, Copy)]
pub(crate) struct Settings<'r> {
    pub(crate) limits: &'r Limits,
    pub(crate) seed: u64,
    pub(crate) pool: usize,
    pub(crate) observer: Option<&'r (dyn Fn(&Progress) + Sync + 'r)>,
}

/// How the proof ended.
pub(crate) struct Outcome {
    certificate: Certificate,
    pool: usize,
    /// Why it is not complete.
    stop: Option<StopReason>,
}

/// With more units than this, what linear programs add to the ascent is not worth their time.
const FEW_UNITS: usize = 200;
/// Rounds of the ascent in a row that may prove no more before linear programs go on. Where it stands far from any duals
/// that prove more than those expected in the beginning, all of its rounds are such, and take longer than the programs.
const ASCENT_PATIENCE: u32 = 5;
/// Rounds of cuts in a row that may bring little.
const PATIENCE: u32 = 3;
/// Cuts before there is a pool may take so many times the work done before.
const CUTS_WORK: u64 = 4;
/// How far the best duals are from those of the ascent, in parts of how far they are from those that the first grouping
/// suggests.
const NEAR: f64 = 0.03;

/// A unit that pays so many times what is usual is in a team that is dear whoever is in it.
const DEAR: f64 = 4.0;

/// One solve.
pub(crate) struct Run<'r, V: CostValue> {
    pub(crate) settings: Settings<'r>,
    pub(crate) problem: &'r Problem<'r, V>,
    pub(crate) grid: &'r Grid,
    pub(crate) model: &'r Model<'r>,
    pub(crate) start: Instant,
    pub(crate) best: Option<(i64, Chosen)>,
    pub(crate) bound: Option<i64>,
    /// The cost and the bound that whoever watches was told last.
    pub(crate) told: (Option<i64>, Option<i64>),
}

impl<V: CostValue> Run<'_, V> {
    /// Groups of two by the exact pairing; `None` if groups are others, or it found none.
    pub(crate) fn pairing(&mut self, clock: &Clock<'_>) -> Option<Outcome> {
        if !pairs::is_pairing(self.model) {
            return None;
        }
        let pairing = pairs::solve(self.model, self.settings.limits, clock)?;
        self.keep(pairs::teams(&pairing));
        let cost = self.best.as_ref().map(|best| best.0)?;
        let bound = pairs::bound(&pairing)?.min(cost);
        let stop = pairs::stop(&pairing).filter(|_| bound < cost);
        self.bound = Some(bound);
        self.tell();
        Some(Outcome {
            certificate: Certificate {
                pairing: Some(pairing.certificate().clone()),
                ..self.certificate()
            },
            pool: 0,
            stop,
        })
    }

    /// Groupings by search; the best is kept, the teams of all are returned.
    pub(crate) fn first_groupings(&mut self, warm: Option<&Warm>, clock: &Clock<'_>) -> Vec<Vec<u16>> {
        let limits = self.settings.limits;
        let found = primal::groupings(self.model, self.problem, warm, limits, self.settings.seed, clock);
        for teams in &found {
            let mut is_waiting = vec![true; self.model.len()];
            teams
                .iter()
                .flatten()
                .for_each(|&unit| is_waiting[usize::from(unit)] = false);
            let waiting = (0..self.model.len() as u16).filter(|&unit| is_waiting[usize::from(unit)]);
            let chosen = teams
                .iter()
                .map(|units| (Kind::Team(0), units.clone()))
                .chain(waiting.map(|unit| (Kind::Bench, vec![unit])))
                .collect();
            if let Some(chosen) = assigned(self.model, chosen) {
                self.keep(chosen);
            }
        }
        found.into_iter().flatten().collect()
    }

    /// Keeps a grouping if it is the best so far.
    pub(crate) fn keep(&mut self, chosen: Chosen) {
        let cost = chosen
            .iter()
            .map(|(kind, units)| self.model.column_cost(*kind, units))
            .sum();
        if self.best.as_ref().is_none_or(|best| cost < best.0) {
            self.best = Some((cost, chosen));
            self.tell();
        }
    }

    /// Tells whoever watches, if there is news.
    fn tell(&mut self) {
        let news = (self.best.as_ref().map(|best| best.0), self.bound);
        if core::mem::replace(&mut self.told, news) == news {
            return;
        }
        if let Some(observer) = self.settings.observer {
            let float = |units: i64, terms: usize| self.grid.lower_bound::<V>(units, terms).to_f64();
            // The grid may be coarse.
            let counted = |(units, chosen): &(i64, Chosen)| {
                let (groups, bench) = self.players(chosen);
                let total = self.problem.total(&groups, &bench);
                total.map_or_else(|_| float(*units, 0), CostValue::to_f64)
            };
            observer(&Progress {
                cost: self.best.as_ref().map(counted),
                bound: self.bound.map(|bound| float(bound, self.problem.pairs_at_most())),
                elapsed: self.start.elapsed(),
            });
        }
    }

    /// A proof of nothing so far.
    fn certificate(&self) -> Certificate {
        Certificate {
            doublings: self.grid.doublings,
            ..Certificate::default()
        }
    }

    /// Duals, pool, branch and cut.
    pub(crate) fn prove(&mut self, teams: &[Vec<u16>], clock: &mut Clock<'_>) -> Outcome {
        let mut steps = Vec::new();
        let (pool, stop) = self.prove_by_steps(teams, clock, &mut steps);
        Outcome {
            certificate: Certificate {
                steps,
                ..self.certificate()
            },
            pool,
            stop,
        }
    }

    /// The size of the pool, and why the proof is not complete.
    fn prove_by_steps(
        &mut self,
        teams: &[Vec<u16>],
        clock: &mut Clock<'_>,
        steps: &mut Vec<Step>,
    ) -> (usize, Option<StopReason>) {
        let upper = self.best.as_ref().map_or(i64::MAX / SCALE / 4, |best| best.0);
        let first = half_sums(self.model, clock);
        if let Some(first) = &first {
            self.has_proven(first, steps);
            if first.bound(self.model) >= upper {
                return (0, None);
            }
        }
        let (center, width) = self.expected_duals();
        let mut approach = Approach::new(self.model, teams, center.clone(), upper);
        let Some(mut duals) = self.duals(&mut approach, (center, width), upper, clock) else {
            return (0, clock.over().or(Some(StopReason::Numerics)));
        };
        if let Some(first) = first.filter(|first| first.total(self.model) > duals.total(self.model)) {
            duals = first;
        }
        self.has_proven(&duals, steps);
        if self.best.is_some() && !is_near(self.model, &duals, upper, self.settings.pool, clock) {
            approach.resume(duals.clone());
            let most = clock.work().saturating_mul(CUTS_WORK);
            if let Some(stronger) = clock.within(most, |clock| approach.strengthen(PATIENCE, clock)) {
                duals = stronger;
                self.has_proven(&duals, steps);
            }
            self.improve(&duals, clock);
        }
        let Some(upper) = self.best.as_ref().map(|best| best.0) else {
            return (0, clock.over().or(Some(StopReason::Numerics)));
        };
        if duals.bound(self.model) >= upper {
            return (0, None);
        }
        self.search(&duals, upper, clock, steps)
    }

    /// These duals are the proof so far.
    fn has_proven(&mut self, duals: &Duals, steps: &mut Vec<Step>) {
        self.bound = Some(duals.bound(self.model));
        self.tell();
        *steps = vec![Step::Tighten(duals.clone())];
    }

    /// Duals of the whole problem: by ascent, and, where there are not too many units for linear programs, on to the
    /// best there are.
    fn duals(
        &self,
        approach: &mut Approach<'_>,
        (center, width): (Vec<f64>, f64),
        upper: i64,
        clock: &mut Clock<'_>,
    ) -> Option<Duals> {
        let is_few = self.model.len() <= FEW_UNITS;
        let Some(near) = approach.run(if is_few { ASCENT_PATIENCE } else { MOST_ROUNDS }, clock) else {
            return Generation::new(self.model, &approach.teams(), center, width, upper).run(clock);
        };
        if !is_few || near.bound(self.model) >= upper {
            return Some(near);
        }
        // Duals that prove next to nothing are no place to begin at.
        let expected: f64 = center.iter().map(|dual| dual.abs()).sum();
        let is_far = (upper - near.bound(self.model)) as f64 > expected / 2.0;
        let (center, width) = if is_far {
            (center, width)
        } else {
            let center = near.rows.iter().map(|&dual| dual as f64 / SCALE as f64);
            (center.collect(), NEAR * width)
        };
        let best = Generation::new(self.model, &approach.teams(), center, width, upper).run(clock);
        let bound = |duals: &Duals| duals.total(self.model);
        best.filter(|best| bound(best) > bound(&near)).or(Some(near))
    }

    /// Looks for better groupings among the teams of least reduced cost, where there are too many teams for all of them
    /// to be looked at.
    fn improve(&mut self, duals: &Duals, clock: &mut Clock<'_>) {
        let Some((cost, chosen)) = &self.best else {
            return;
        };
        let Settings { pool, seed, .. } = self.settings;
        let found = Improvement::new(self.model, duals, (*cost, chosen.clone()), pool, seed).run(clock);
        self.keep(found);
    }

    /// Cases, pools, branch and cut; the size of pools, and why it is not complete.
    fn search(
        &mut self,
        duals: &Duals,
        upper: i64,
        clock: &mut Clock<'_>,
        steps: &mut Vec<Step>,
    ) -> (usize, Option<StopReason>) {
        let mut told = Vec::new();
        let mut keep = |cost: i64, chosen: &Chosen| told.push((cost, chosen.clone()));
        let found = Branching::new(self.model, upper, self.settings.pool, clock, &mut keep).run(duals);
        for (_, chosen) in told {
            self.keep(chosen);
        }
        *steps = found.steps;
        self.bound = Some(found.bound);
        self.tell();
        let cost = self.best.as_ref().map_or(i64::MAX, |best| best.0);
        let stop = (found.bound < cost).then(|| clock.over().unwrap_or(StopReason::Numerics));
        (found.pool, stop)
    }

    /// Where duals are expected to be: what each unit has to do with the cost of its team.
    fn expected_duals(&self) -> (Vec<f64>, f64) {
        let mut center = vec![0.0; self.model.rows()];
        let Some((_, chosen)) = &self.best else {
            return (center, 1.0);
        };
        for (kind, units) in chosen {
            let whole = match kind {
                Kind::Team(_) => self.model.whole_cost(units).unwrap_or(0) as f64,
                _ => 0.0,
            };
            for &unit in units {
                let a = usize::from(unit);
                let pairs: i64 = units.iter().map(|&other| self.model.pair(a, usize::from(other))).sum();
                center[a] = match kind {
                    Kind::Bench => self.model.waiting[a] as f64,
                    _ => self.model.inside[a] as f64 + pairs as f64 / 2.0 + whole / units.len() as f64,
                };
            }
        }
        self.charge_classes(chosen, &mut center);
        let sum: f64 = center.iter().map(|dual| dual.abs()).sum();
        (center, sum / self.model.len() as f64 + 1.0)
    }

    /// What members of a team would pay beyond what is usual is paid by its class, where its groups must be filled: a group that is
    /// smaller or dearer than others costs so much whoever is in it.
    fn charge_classes(&self, chosen: &Chosen, duals: &mut [f64]) {
        let model = self.model;
        let mut sorted: Vec<f64> = duals[..model.len()].to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let usual = DEAR * sorted[sorted.len() / 2].max(0.0);
        for (kind, units) in chosen {
            let Kind::Team(class) = *kind else { continue };
            if !model.must_be_filled(class) {
                continue;
            }
            for &unit in units {
                let dual = &mut duals[usize::from(unit)];
                let more = (*dual - usual).max(0.0);
                *dual -= more;
                duals[model.class_row(class)] += more / f64::from(model.classes[usize::from(class)].count);
            }
        }
    }

    pub(crate) fn solution(self, outcome: Outcome, clock: &Clock<'_>) -> Result<Solution<V>, Error> {
        let Outcome {
            certificate,
            pool,
            stop,
        } = outcome;
        let (groups, bench) = match &self.best {
            Some((_, chosen)) => self.players(chosen),
            None => (Vec::new(), Vec::new()),
        };
        let cost = self.problem.total(&groups, &bench)?;
        let bound_units = match (&self.best, self.bound) {
            (Some((cost, _)), Some(bound)) => bound.min(*cost),
            (None, Some(bound)) => bound,
            (_, None) => with_groups_of(self.problem, self.model.below_zero, self.model.terms.as_deref()),
        };
        let grid = grid_of(self.model.terms.as_deref(), *self.grid, &groups);
        let bound = grid.lower_bound::<V>(bound_units, self.problem.pairs_at_most());
        // However little was looked at, there is no less than the bound.
        let is_met = |cost: i64| bound_units >= cost;
        let status = match (&self.best, stop) {
            (None, reason) => Status::Unknown(reason.unwrap_or(StopReason::Numerics)),
            (Some((cost, _)), Some(reason)) if !is_met(*cost) => Status::Feasible(reason),
            (Some(_), _) if !grid.is_exact => Status::Feasible(StopReason::Rounding),
            (Some(_), _) => Status::Optimal,
        };
        Ok(Solution {
            groups,
            bench,
            cost,
            bound,
            status,
            certificate,
            pool,
            work: clock.work(),
            elapsed: self.start.elapsed(),
            seed: self.settings.seed,
        })
    }

    /// A grouping of units as one of players, groups in the order of their bounds.
    fn players(&self, chosen: &Chosen) -> (Vec<Vec<usize>>, Vec<usize>) {
        let expand = |units: &[u16]| {
            let mut players: Vec<usize> = units
                .iter()
                .flat_map(|&unit| self.model.units[usize::from(unit)].iter().copied())
                .collect();
            players.sort_unstable();
            players
        };
        let mut by_class: Vec<Vec<Vec<usize>>> = vec![Vec::new(); self.model.classes.len()];
        let mut bench = Vec::new();
        for (kind, units) in chosen {
            match kind {
                Kind::Team(class) | Kind::Unfilled(class) => by_class[usize::from(*class)].push(expand(units)),
                Kind::Bench | Kind::Nowhere => bench.extend(expand(units)),
            }
        }
        bench.sort_unstable();
        for teams in &mut by_class {
            teams.sort_unstable_by(|a, b| b.cmp(a));
        }
        let groups = self.problem.groups();
        let ordered = (0..groups.len()).map(|group| {
            let class = self.model.class_of(group);
            by_class[class].pop().unwrap_or_default()
        });
        (ordered.collect(), bench)
    }
}
