//! Branching before the pool: cases where two units are together or apart, as long as too many teams could be in a
//! better grouping.
//!
//! A case is a problem of its own. It gets duals by ascent; it is closed by their bound, or listed, which is to say
//! that its pool fits and a tree takes over, or split. The case of least bound is next, so that what is proven of the
//! whole grows all the time. Without limits that ends: once nothing can be split, columns are no more than a few for
//! each unit.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;
use std::sync::Arc;

use crate::approach::{Approach, MOST_ROUNDS};
use crate::certificate::Step;
use crate::cut::Cut;
use crate::cuts::Together;
use crate::decisions::{Concrete, Decision};
use crate::duals::Duals;
use crate::limits::Clock;
use crate::model::{Model, SCALE};
use crate::pool::Pool;
use crate::tree::{Chosen, Tree};

/// A pool that did not fit is tried again once the room is so much smaller, in tenths,
const SMALLER: i64 = 8;
/// or so many splits later.
const LATER: usize = 8;
/// Rounds of cuts in a case that may bring little.
const CUTS_IN_CASES: u32 = 1;

/// A case that was not looked at.
struct Case {
    decisions: Vec<Decision>,
    bound: i64,
    /// Duals to begin with, of units of the whole problem and then of its other rows.
    rows: Rc<Vec<f64>>,
    /// Cuts of the whole problem, and their duals.
    cuts: Rc<Vec<(Arc<Cut>, i64)>>,
    /// Teams to begin with, in units of the whole problem.
    teams: Rc<Vec<Vec<u16>>>,
    /// The room that a pool did not fit, and how many decisions there were.
    too_large: Option<(i64, usize)>,
    place: usize,
}

/// What the proof says of one case.
#[derive(Default)]
struct Place {
    /// Duals of the case, and the bound that they prove.
    duals: Option<(Duals, i64)>,
    after: After,
}

/// What became of a case after its duals.
#[derive(Default)]
enum After {
    #[default]
    Nothing,
    /// The steps of a tree over its pool.
    List(Vec<Step>),
    /// The units together, which is one case, and apart, which is the other.
    Split((u16, u16), [usize; 2]),
}

/// What branching came to.
pub(crate) struct Branched {
    /// No grouping costs less, on the grid.
    pub(crate) bound: i64,
    pub(crate) steps: Vec<Step>,
    /// Columns of all pools.
    pub(crate) pool: usize,
}

/// The search through cases.
pub(crate) struct Branching<'b, 'l> {
    whole: &'b Model<'b>,
    most_columns: usize,
    /// Everything that costs this or more is of no use.
    upper: i64,
    open: BinaryHeap<(Reverse<i64>, usize, usize)>,
    cases: Vec<Option<Case>>,
    places: Vec<Place>,
    proven: i64,
    listed: usize,
    clock: &'b mut Clock<'l>,
    told: &'b mut dyn FnMut(i64, &Chosen),
}

impl<'b, 'l> Branching<'b, 'l> {
    /// For groupings cheaper than `upper`, with pools of `most_columns` at most.
    pub(crate) fn new(
        whole: &'b Model<'b>,
        upper: i64,
        most_columns: usize,
        clock: &'b mut Clock<'l>,
        told: &'b mut dyn FnMut(i64, &Chosen),
    ) -> Self {
        Self {
            whole,
            most_columns,
            upper,
            open: BinaryHeap::new(),
            cases: Vec::new(),
            places: Vec::new(),
            proven: i64::MAX,
            listed: 0,
            clock,
            told,
        }
    }

    /// The whole problem has these duals.
    pub(crate) fn run(mut self, duals: &Duals) -> Branched {
        let rows: Vec<f64> = duals.rows.iter().map(|&dual| dual as f64 / SCALE as f64).collect();
        self.push(
            Vec::new(),
            duals.bound(self.whole),
            Rc::new(rows),
            Rc::new(duals.cuts.clone()),
            Rc::new(Vec::new()),
            None,
        );
        self.places[0].duals = Some((duals.clone(), duals.bound(self.whole)));
        let mut is_whole = true;
        while let Some((_, _, number)) = self.open.pop() {
            let Some(case) = self.cases[number].take() else {
                continue;
            };
            if self.clock.is_over() || case.bound >= self.upper {
                self.end(case.bound);
            } else {
                self.look_at(case, is_whole.then_some(duals));
            }
            is_whole = false;
        }
        let bound = self.proven.min(self.upper);
        Branched {
            bound,
            steps: in_order(self.places, bound),
            pool: self.listed,
        }
    }

    fn push(
        &mut self,
        decisions: Vec<Decision>,
        bound: i64,
        rows: Rc<Vec<f64>>,
        cuts: Rc<Vec<(Arc<Cut>, i64)>>,
        teams: Rc<Vec<Vec<u16>>>,
        too_large: Option<(i64, usize)>,
    ) -> usize {
        let (place, number) = (self.places.len(), self.cases.len());
        self.places.push(Place::default());
        self.open.push((Reverse(bound), decisions.len(), number));
        self.cases.push(Some(Case {
            decisions,
            bound,
            rows,
            cuts,
            teams,
            too_large,
            place,
        }));
        place
    }

    /// No more is said of a case.
    fn end(&mut self, bound: i64) {
        self.proven = self.proven.min(bound);
    }

    /// Bound, then pool and tree, or a split. The whole problem has its duals.
    fn look_at(&mut self, mut case: Case, known: Option<&Duals>) {
        let concrete = Concrete::new(self.whole, &case.decisions);
        let model = &concrete.model;
        let teams = concrete.teams(self.whole, &case.teams);
        let mut approach = Approach::new(model, &teams, concrete.rows(self.whole, &case.rows), self.upper);
        for (cut, dual) in concrete.cuts(self.whole, &case.cuts) {
            approach.take_in(cut, dual as f64 / SCALE as f64);
        }
        let run = |approach: &mut Approach<'_>, clock: &mut Clock<'_>| {
            approach.run(MOST_ROUNDS, clock)?;
            approach.strengthen(CUTS_IN_CASES, clock)
        };
        let Some(duals) = known.cloned().or_else(|| run(&mut approach, self.clock)) else {
            return self.end(case.bound);
        };
        if known.is_none() {
            self.places[case.place].duals = Some((duals.clone(), duals.bound(model)));
        }
        case.bound = case.bound.max(duals.bound(model));
        let room = (self.upper - 1) * SCALE - duals.total(model);
        if room < 0 || self.clock.is_over() {
            return self.end(case.bound);
        }
        if self.is_worth_listing(&case, room) {
            if let Ok(pool) = Pool::enumerate(model, &duals, room, self.most_columns, self.clock) {
                return self.list(&case, &concrete, pool, &duals);
            }
            case.too_large = Some((room, case.decisions.len()));
        }
        if known.is_some() && approach.run(MOST_ROUNDS, self.clock).is_none() {
            return self.end(case.bound);
        }
        if let Some(pair) = splitting(model, &approach) {
            self.split(&case, pair, &concrete, &approach, &duals);
        } else if let Ok(pool) = Pool::enumerate(model, &duals, room, usize::MAX, self.clock) {
            self.list(&case, &concrete, pool, &duals);
        } else {
            self.end(case.bound);
        }
    }

    fn is_worth_listing(&self, case: &Case, room: i64) -> bool {
        case.too_large.is_none_or(|(too_large, decisions)| {
            room <= too_large / 10 * SMALLER || case.decisions.len() >= decisions + LATER
        })
    }

    /// Branch and cut over the pool of a case.
    fn list(&mut self, case: &Case, concrete: &Concrete, pool: Pool, duals: &Duals) {
        self.listed += pool.len();
        let mut better = None;
        let told = &mut self.told;
        let mut keep = |cost: i64, chosen: &Chosen| {
            better = Some(cost);
            told(cost, &concrete.in_whole(chosen));
        };
        let model = &concrete.model;
        let found = Tree::new(model, pool, duals, self.upper, self.clock, &mut keep).run(case.bound);
        self.upper = better.unwrap_or(self.upper);
        self.proven = self.proven.min(found.bound);
        self.places[case.place].after = After::List(found.steps);
    }

    fn split(&mut self, case: &Case, (a, b): (u16, u16), concrete: &Concrete, approach: &Approach<'_>, duals: &Duals) {
        let rows = Rc::new(concrete.rows_in_whole(self.whole, duals));
        let cuts = duals.cuts.iter();
        let cuts = cuts.map(|(cut, dual)| (Arc::new(concrete.cut_in_whole(cut)), *dual));
        let cuts: Rc<Vec<_>> = Rc::new(cuts.collect());
        let in_whole = |units: &Vec<u16>| concrete.units_in_whole(units);
        let teams: Rc<Vec<Vec<u16>>> = Rc::new(approach.teams().iter().map(in_whole).collect());
        let parts = [Decision::Together(a, b), Decision::Apart(a, b)].map(|decision| {
            let mut decisions = case.decisions.clone();
            decisions.push(decision);
            self.push(
                decisions,
                case.bound,
                rows.clone(),
                cuts.clone(),
                teams.clone(),
                case.too_large,
            )
        });
        self.places[case.place].after = After::Split((a, b), parts);
    }
}

/// Two units to be put together and apart: those nearest to being together in one half of a solution; any that may meet
/// if there are none.
fn splitting(model: &Model<'_>, approach: &Approach<'_>) -> Option<(u16, u16)> {
    let together = Together::new(model, &approach.pool, approach.solution());
    let may_meet = |&(a, b, _): &(usize, usize, f64)| model.is_allowed(a, b);
    let nearest = together
        .split_pairs()
        .filter(may_meet)
        .min_by(|a, b| (a.2 - 0.5).abs().total_cmp(&(b.2 - 0.5).abs()))
        .map(|(a, b, _)| (a, b));
    let all = || (0..model.len()).flat_map(|a| (a + 1..model.len()).map(move |b| (a, b)));
    let may_play = |a: usize, b: usize| model.may_play[a] && model.may_play[b];
    nearest
        .or_else(|| all().find(|&(a, b)| model.is_allowed(a, b) && may_play(a, b)))
        .map(|(a, b)| (a as u16, b as u16))
}

/// The steps that prove a bound: after those of a case come those of its parts. Duals that prove as much are all there
/// is to say of a case, and those that prove less are left out, unless they say what is in a list.
fn in_order(mut places: Vec<Place>, bound: i64) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut waiting = vec![0];
    while let Some(number) = waiting.pop() {
        let Place { duals, after } = core::mem::take(&mut places[number]);
        let suffices = duals.as_ref().is_some_and(|(_, proven)| *proven >= bound);
        let tighten = duals.map(|(duals, _)| Step::Tighten(duals));
        match after {
            After::List(tree) if !suffices => {
                steps.extend(tighten);
                steps.push(Step::List);
                steps.extend(tree);
            }
            After::Split((a, b), [together, apart]) if !suffices => {
                steps.push(Step::Split(a, b));
                waiting.extend([apart, together]);
            }
            _ => {
                steps.extend(tighten);
                steps.push(Step::End);
            }
        }
    }
    steps
}
