//! Random trees of cases, against a list of columns that is kept by definition: duals that suit all columns of a case are
//! taken at their word, and those by which one of them pays one step too much are refused.

use std::rc::Rc;
use std::sync::Arc;

use matching_core::cost::CondensedMatrix;

use super::VerifyError;
use super::walk::proven;
use crate::certificate::Step;
use crate::cut::Cut;
use crate::duals::Duals;
use crate::grid::Grid;
use crate::model::{Model, SCALE};
use crate::random::draw;
use crate::{Groups, Problem};

const PLAYERS: usize = 7;
/// Teams of three, and one who waits.
const TEAMS: usize = 2;

/// A team of three, or one who waits.
#[derive(Clone, Debug)]
struct Column {
    units: Vec<u16>,
    cost: i64,
}

impl Column {
    fn has(&self, unit: u16) -> bool {
        self.units.contains(&unit)
    }

    fn waits(&self) -> bool {
        self.units.len() == 1
    }

    /// What it costs less what it pays: for its units, its class or the bench, and its cuts.
    fn reduced(&self, duals: &Duals) -> i64 {
        let units: i64 = self.units.iter().map(|&unit| duals.rows[usize::from(unit)]).sum();
        let kind = duals.rows[PLAYERS + usize::from(self.waits())];
        let times = |cut: &Cut| {
            let weights = cut.units.iter().filter(|(unit, _)| self.has(*unit));
            weights.map(|&(_, weight)| i64::from(weight)).sum::<i64>() / i64::from(cut.divisor)
        };
        let cuts: i64 = duals.cuts.iter().map(|(cut, dual)| dual * times(cut)).sum();
        self.cost * SCALE - units - kind - cuts
    }
}

/// Two teams, one who waits, and no cut more often than the weights of all allow.
fn total(duals: &Duals) -> i64 {
    let rows = &duals.rows;
    let most = |cut: &Cut| cut.units.iter().map(|&(_, weight)| i64::from(weight)).sum::<i64>() / i64::from(cut.divisor);
    let cuts: i64 = duals.cuts.iter().map(|(cut, dual)| dual * most(cut)).sum();
    rows[..PLAYERS].iter().sum::<i64>() + TEAMS as i64 * rows[PLAYERS] + rows[PLAYERS + 1] + cuts
}

/// Costs are whole.
fn bound(duals: &Duals) -> i64 {
    (total(duals) as f64 / SCALE as f64).ceil() as i64
}

/// Duals by which none of these columns pays more than it costs, and some pay all.
fn suitable(columns: &[Column], state: &mut u64) -> Duals {
    let mut duals = Duals {
        rows: (0..PLAYERS).map(|_| draw(state, 12) as i64 * SCALE - 3).collect(),
        cuts: Vec::new(),
    };
    duals.rows.push((draw(state, 5) as i64 - 2) * SCALE);
    duals.rows.push(-(draw(state, 3) as i64) * SCALE);
    for _ in 0..draw(state, 3) {
        let units = (0..PLAYERS as u16)
            .filter(|_| draw(state, 2) == 0)
            .collect::<Vec<u16>>();
        let weighed = units
            .into_iter()
            .map(|unit| (unit, 1 + draw(state, 2) as u32))
            .collect();
        let (units, divisor) = (weighed, 1 + draw(state, 3) as u32);
        let dual = -(draw(state, 3) as i64) * SCALE;
        duals.cuts.push((Arc::new(Cut { units, divisor }), dual));
    }
    for column in columns {
        duals.rows[usize::from(column.units[0])] += column.reduced(&duals).min(0);
    }
    duals
}

/// A proof while it is written, and what it proves.
struct Writer {
    state: u64,
    upper: i64,
    steps: Vec<Step>,
    proven: i64,
    /// Steps by which some column pays too much, in place of those at the same position.
    faults: Vec<(usize, Step)>,
}

impl Writer {
    /// Duals for these columns; those of them that a better grouping may have.
    fn tighten(&mut self, columns: &[Column], known: &mut i64) -> Vec<Column> {
        let duals = suitable(columns, &mut self.state);
        if !columns.is_empty() {
            let column = &columns[draw(&mut self.state, columns.len())];
            let mut wrong = duals.clone();
            wrong.rows[usize::from(column.units[0])] += column.reduced(&duals) + 1;
            self.faults.push((self.steps.len(), Step::Tighten(wrong)));
        }
        *known = bound(&duals).max(*known);
        let room = (self.upper - 1) * SCALE - total(&duals);
        let left = columns.iter().filter(|column| column.reduced(&duals) <= room);
        let left = left.cloned().collect();
        self.steps.push(Step::Tighten(duals));
        left
    }

    fn case(&mut self, mut columns: Vec<Column>, mut known: i64, depth: usize) {
        if draw(&mut self.state, 3) > 0 {
            columns = self.tighten(&columns, &mut known);
        }
        if depth == 0 {
            self.steps.push(Step::End);
            self.proven = self.proven.min(known);
            return;
        }
        let (one, other) = (
            draw(&mut self.state, PLAYERS) as u16,
            draw(&mut self.state, PLAYERS) as u16,
        );
        let is_first: Box<dyn Fn(&Column) -> bool>;
        let is_second: Box<dyn Fn(&Column) -> bool>;
        if one == other {
            self.steps.push(Step::Waits(one));
            is_first = Box::new(move |column| !column.has(one) || column.waits());
            is_second = Box::new(move |column| !column.has(one) || !column.waits());
        } else {
            self.steps.push(Step::Split(one, other));
            is_first = Box::new(move |column| column.has(one) == column.has(other));
            is_second = Box::new(move |column| !column.has(one) || !column.has(other));
        }
        for is_in in [is_first, is_second] {
            let part = columns.iter().filter(|column| is_in(column)).cloned().collect();
            self.case(part, known, depth - 1);
        }
    }
}

/// The least cost of two teams and one who waits, of all seventy ways.
fn best(columns: &[Column]) -> i64 {
    let mut best = i64::MAX;
    for (at, one) in columns.iter().enumerate() {
        for (next, two) in columns.iter().enumerate().skip(at + 1) {
            for three in &columns[next + 1..] {
                let all = [one, two, three];
                let is_whole =
                    (0..PLAYERS as u16).all(|unit| all.iter().filter(|column| column.has(unit)).count() == 1);
                if is_whole {
                    best = best.min(all.iter().map(|column| column.cost).sum());
                }
            }
        }
    }
    best
}

#[test]
fn trees_of_cases_prove_what_their_duals_say_and_no_more() {
    let (mut refused, mut tight) = (0, 0);
    for seed in 0..600 {
        let mut state = seed;
        let costs: Vec<i64> = (0..PLAYERS * (PLAYERS - 1) / 2)
            .map(|_| draw(&mut state, 12) as i64 - 2)
            .collect();
        let waiting: Vec<i64> = (0..PLAYERS).map(|_| draw(&mut state, 9) as i64 - 3).collect();
        let below_zero: i64 = costs.iter().chain(&waiting).map(|&cost| cost.min(0)).sum();
        let table = CondensedMatrix::new(PLAYERS, costs).expect("as many as there are pairs");
        let groups = Groups::of_size(3 * TEAMS, 3).expect("two groups").with_bench(1);
        let mut problem = Problem::new(&table, groups).expect("well formed");
        for (player, &cost) in waiting.iter().enumerate() {
            problem = problem.waiting_cost(player, cost).expect("a player");
        }
        let model = Model::new(&problem, &Grid::new(&problem).expect("integers")).expect("well formed");
        let pair = |i: u16, j: u16| matching_core::Cost::pair(&table, usize::from(i), usize::from(j));
        let mut columns: Vec<Column> = Vec::new();
        for i in 0..PLAYERS as u16 {
            let (units, cost) = (vec![i], waiting[usize::from(i)]);
            columns.push(Column { units, cost });
            for j in i + 1..PLAYERS as u16 {
                for k in j + 1..PLAYERS as u16 {
                    let (units, cost) = (vec![i, j, k], pair(i, j) + pair(i, k) + pair(j, k));
                    columns.push(Column { units, cost });
                }
            }
        }
        let best = best(&columns);
        let upper = best + draw(&mut state, 4) as i64;
        let mut known = below_zero;
        let mut writer = Writer {
            state,
            upper,
            steps: Vec::new(),
            proven: upper,
            faults: Vec::new(),
        };
        let left = writer.tighten(&columns, &mut known);
        writer.steps.push(Step::List);
        writer.case(left, known, 2);
        let model = Rc::new(model);
        assert_eq!(
            proven(&model, &writer.steps, Some(upper)),
            Ok(writer.proven),
            "seed {seed}"
        );
        assert!(writer.proven <= best, "seed {seed}");
        tight += usize::from(writer.proven > below_zero);
        for (step, wrong) in writer.faults {
            let mut steps = writer.steps.clone();
            steps[step] = wrong;
            let refusal = proven(&model, &steps, Some(upper));
            assert!(
                matches!(refusal, Err(VerifyError::PaysTooMuch { step: at, .. }) if at == step),
                "seed {seed}, step {step}: {refusal:?}"
            );
            refused += 1;
        }
    }
    assert!(refused > 1_000 && tight > 50, "{refused} {tight}");
}
