//! A thousand certificates and answers, each with one change that makes it false: all are refused.
//!
//! Some changes are false at sight: a dual raised until a team of the answer pays too much, a cost lowered. Others are
//! so if what is left of the steps proves less than the answer says even when every dual in it is taken at its word,
//! which is counted here.

use std::sync::Arc;

use matching_core::Cost;
use matching_core::cost::CondensedMatrix;

use crate::certificate::Step;
use crate::grid::Grid;
use crate::model::{Kind, Model};
use crate::random::draw;
use crate::verify::trivial_bound;
use crate::{Groups, Halves, Problem, Solution, Solver};

/// What steps prove at most, whoever pays what.
fn at_most(model: &Model<'_>, steps: &[Step], upper: i64) -> i64 {
    let mut proven = upper;
    let mut open = vec![(model.clone(), trivial_bound(model))];
    // The model of a list, and what is known of its cases.
    let mut list: (Model<'_>, Vec<i64>) = (model.clone(), Vec::new());
    for step in steps {
        if let Some(bound) = list.1.pop() {
            match step {
                Step::Tighten(duals) => list.1.push(bound.max(duals.bound(&list.0))),
                Step::Split(..) | Step::Waits(_) => list.1.extend([bound, bound]),
                Step::List => return i64::MIN,
                Step::End => proven = proven.min(bound),
            }
            continue;
        }
        let Some((case, bound)) = open.pop() else {
            return i64::MIN;
        };
        match step {
            Step::Tighten(duals) => {
                let bound = bound.max(duals.bound(&case));
                open.push((case, bound));
            }
            Step::Split(a, b) if a < b && usize::from(*b) < case.len() => {
                open.push((case.apart(*a, *b), bound));
                open.push((case.together(*a, *b), bound));
            }
            Step::List => list = (case, vec![bound]),
            Step::Split(..) | Step::Waits(_) => return i64::MIN,
            Step::End => proven = proven.min(bound),
        }
    }
    let left = open.into_iter().map(|case| case.1).chain(list.1);
    left.fold(proven, i64::min)
}

/// Changes of one answer, and how many were refused.
struct Tamper<'t> {
    problem: &'t Problem<'t, i64>,
    model: Model<'t>,
    solution: Solution<i64>,
    upper: i64,
    refused: usize,
}

impl<'t> Tamper<'t> {
    fn new(problem: &'t Problem<'t, i64>) -> Self {
        let solution = Solver::new().solve(problem).expect("a grouping");
        solution.verify(problem).expect("sound");
        assert!(solution.is_optimal());
        let model = Model::new(problem, &Grid::new(problem).expect("integers")).expect("well formed");
        Self {
            upper: i64::try_from(solution.cost()).expect("small"),
            problem,
            model,
            solution,
            refused: 0,
        }
    }

    fn refuse(&mut self, what: &str, change: impl FnOnce(&mut Solution<i64>)) {
        let mut changed = self.solution.clone();
        change(&mut changed);
        assert!(changed.verify(self.problem).is_err(), "{what}: {:?}", self.problem);
        self.refused += 1;
    }

    /// Refused if the steps cannot prove enough.
    fn refuse_steps(&mut self, what: &str, change: impl FnOnce(&mut Vec<Step>)) {
        let mut steps = self.solution.certificate.steps.clone();
        change(&mut steps);
        if at_most(&self.model, &steps, self.upper) < self.upper {
            self.refuse(what, |changed| changed.certificate.steps = steps);
        }
    }

    fn answers(&mut self) {
        self.refuse("a lower cost", |changed| changed.cost -= 1);
        self.refuse("a lower cost and bound", |changed| {
            changed.cost -= 1;
            changed.bound -= 1;
        });
        self.refuse("a higher bound", |changed| changed.bound += 1);
        self.refuse("a group missing", |changed| {
            changed.groups.pop();
        });
        let groups = self.solution.groups.clone();
        for one in 0..groups.len() {
            self.refuse("somebody missing", |changed| {
                changed.groups[one].pop();
            });
            for other in (0..groups.len()).filter(|&other| other != one) {
                self.refuse("somebody twice", |changed| changed.groups[one][0] = groups[other][0]);
                let mut swapped = groups.clone();
                (swapped[one][0], swapped[other][1]) = (groups[other][1], groups[one][0]);
                let cost = self.problem.total(&swapped, &self.solution.bench).expect("small");
                if cost > self.solution.cost() {
                    self.refuse("a worse grouping", |changed| {
                        (changed.groups, changed.cost, changed.bound) = (swapped, cost, cost);
                    });
                }
            }
        }
    }

    /// In the first step no team of the answer may pay more than it costs.
    fn first_duals(&mut self) {
        let Some(Step::Tighten(duals)) = self.solution.certificate.steps.first().cloned() else {
            return;
        };
        let raise = |row: usize, by: i64| {
            let mut duals = duals.clone();
            duals.rows[row] += by;
            move |changed: &mut Solution<i64>| changed.certificate.steps[0] = Step::Tighten(duals)
        };
        for (group, members) in self.solution.groups.clone().iter().enumerate() {
            let in_group = |unit: &u16| members.contains(&self.model.units[usize::from(*unit)][0]);
            let units: Vec<u16> = (0..self.model.len() as u16).filter(in_group).collect();
            let class = self.model.class_of(group) as u16;
            let cost = self.model.team_cost(&units);
            let reduced = duals.reduced(&self.model, Kind::Team(class), &units, cost);
            for &unit in &units {
                self.refuse("a unit pays too much", raise(usize::from(unit), reduced + 1));
            }
            let row = self.model.class_row(class);
            self.refuse("a class pays too much", raise(row, reduced + 1));
        }
        let bench = self.model.bench_row();
        self.refuse("the bench pays", raise(bench, 1 - duals.rows[bench]));
    }

    fn steps(&mut self) {
        let count = self.solution.certificate.steps.len();
        for at in 0..count {
            self.refuse_steps("cut short", |steps| steps.truncate(at));
            self.refuse_steps("a step missing", |steps| drop(steps.remove(at)));
            self.refuse_steps("a case given up", |steps| steps[at] = Step::End);
            self.refuse_steps("a step twice", |steps| steps.insert(at, steps[at].clone()));
            let Step::Tighten(duals) = self.solution.certificate.steps[at].clone() else {
                continue;
            };
            let with = |change: &dyn Fn(&mut crate::duals::Duals)| {
                let mut duals = duals.clone();
                change(&mut duals);
                move |steps: &mut Vec<Step>| steps[at] = Step::Tighten(duals)
            };
            self.refuse_steps("a dual lowered", with(&|duals| duals.rows[0] -= 1 << 40));
            for cut in 0..duals.cuts.len().min(6) {
                self.refuse_steps("a cut that costs more", with(&|duals| duals.cuts[cut].1 -= 1 << 40));
                let pays = with(&|duals| duals.cuts[cut].1 = 1);
                self.refuse("a cut that pays", |changed| pays(&mut changed.certificate.steps));
                let crossed = with(&|duals| Arc::make_mut(&mut duals.cuts[cut].0).units.reverse());
                self.refuse("units in no order", |changed| crossed(&mut changed.certificate.steps));
            }
            let shorter = with(&|duals| duals.rows.truncate(1));
            self.refuse("a row missing", |changed| shorter(&mut changed.certificate.steps));
        }
    }
}

#[test]
fn a_thousand_false_certificates_are_refused() {
    let (mut refused, mut splits, mut cuts) = (0, 0, 0);
    for seed in 0..10 {
        let mut state = seed;
        let n = 24;
        let costs = (0..n * (n - 1) / 2).map(|_| draw(&mut state, 1000) as i64).collect();
        let costs = CondensedMatrix::new(n, costs).expect("as many as there are pairs");
        let ratings: Vec<i64> = (0..n).map(|_| draw(&mut state, 300) as i64).collect();
        let halves = Halves::new(&ratings).expect("numbers");
        let some: Vec<usize> = (0..n).filter(|_| draw(&mut state, 2) == 0).collect();
        let cheap = costs.clone().restricted(|i, j| (i + j) % 7 != 0);
        let size = if seed % 5 == 2 { 4 } else { 3 };
        let groups = Groups::of_size(n, size).expect("many groups");
        let problem = match seed % 5 {
            0 => Problem::new(&costs, groups),
            1 => Problem::new(&costs, groups).and_then(|problem| problem.role("some", ..=2, &some)),
            2 => Problem::new(&costs, groups).and_then(|problem| problem.group_cost(&halves)),
            3 => Problem::new(&cheap, groups).and_then(|problem| problem.pin(3, 5)?.party(&[4, 9])),
            _ => Problem::new(&costs, groups.with_bench(2)).and_then(|problem| problem.waiting_cost(1, 50)),
        };
        let problem = problem.expect("well formed");
        if seed % 5 == 4 {
            // Somebody too many for the groups, so that two wait.
            let groups = Groups::of_size(22, 3).expect("seven groups").with_bench(3);
            let problem = Problem::new(&costs, groups).expect("well formed");
            check(&problem, &mut refused, &mut splits, &mut cuts);
        }
        check(&problem, &mut refused, &mut splits, &mut cuts);
    }
    assert!(refused >= 1000 && splits > 0 && cuts > 0, "{refused} {splits} {cuts}");
}

fn check(problem: &Problem<'_, i64>, refused: &mut usize, splits: &mut usize, cuts: &mut usize) {
    let mut tamper = Tamper::new(problem);
    *splits += tamper.solution.certificate.splits();
    let steps = tamper.solution.certificate.steps.iter();
    *cuts += steps
        .filter(|step| matches!(step, Step::Tighten(duals) if !duals.cuts.is_empty()))
        .count();
    tamper.answers();
    tamper.first_duals();
    tamper.steps();
    *refused += tamper.refused;
}
