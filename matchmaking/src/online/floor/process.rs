//! The decision "who plays now, who waits on" as a decision process on a grid.

use std::collections::HashMap;

use markov::Csr;
use markov::mdp::{Mdp, RelativeValueIteration};
use matching_core::StopReason;

use super::allowance::Allowance;
use super::waiting::{Player, Waiting};
use super::{FloorProblem, Grid, Model};
use crate::online::Error;

/// How close proven bounds of the least average cost per step are to each other.
pub(super) const TOLERANCE: f64 = 1e-7;

/// Arrivals and decisions by turns: every other step somebody decides, and every other step time goes by until somebody
/// arrives or the clock ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    /// Somebody has arrived, or the clock has ticked: who plays?
    Decide(Waiting),
    /// These wait.
    Wait(Waiting),
}

/// What a decision costs, and who waits afterwards.
type Choice = (f64, Vec<Player>);

/// The states found so far, and what can be done in those that were looked at.
struct Process<'m> {
    model: &'m Model,
    grid: Grid,
    states: Vec<State>,
    index: HashMap<State, usize>,
    /// First action of each state.
    starts: Vec<usize>,
    costs: Vec<f64>,
    rows: Vec<Vec<(usize, f64)>>,
}

/// A grid's process and what is best in it.
#[derive(Debug)]
pub(super) struct Solved {
    /// The least expected cost per two arrivals.
    pub(super) cost: f64,
    /// Proven: how far off that may be.
    pub(super) off: f64,
    /// What the future costs from each state, compared with others.
    bias: Vec<f64>,
    index: HashMap<State, usize>,
}

impl Solved {
    /// Solves a grid's process, until bounds of the cost per step are so close to each other; `None` where it has more states
    /// than `limit`, or takes more than the allowance, which then says so.
    ///
    /// # Errors
    /// [`Error::Floor`] where the solver fails.
    pub(super) fn new(
        model: &Model,
        grid: Grid,
        tolerance: f64,
        limit: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<Option<Self>, Error> {
        let mut process = Process::new(model, grid);
        if !process.explore(limit, allowance) {
            return Ok(None);
        }
        let Process {
            index,
            starts,
            costs,
            rows,
            ..
        } = process;
        let failed = |source| Error::Floor(FloorProblem::Chain { source });
        let touched = rows.iter().map(Vec::len).sum::<usize>() + costs.len();
        let mdp = Mdp::from_parts(starts, Csr::from_rows(index.len(), rows), costs).map_err(failed)?;
        let mut solver = RelativeValueIteration::new().tolerance(tolerance);
        if let Some(rest) = allowance.rest() {
            solver = solver.budget(rest);
        }
        let found = match solver.solve(&mdp) {
            Err(markov::Error::Stopped(stopped)) => {
                allowance.end(match stopped.reason {
                    markov::StopReason::TimeLimit => StopReason::TimeLimit,
                    markov::StopReason::Cancelled => StopReason::Cancelled,
                    _ => StopReason::WorkLimit,
                });
                return Ok(None);
            }
            found => found.map_err(failed)?,
        };
        // A sweep touches each entry and each action once.
        allowance.charge(touched as u64 * found.solution().iterations() as u64);
        let waits = waits(model, grid);
        Ok(Some(Self {
            cost: 2.0 * waits * found.solution().gain(),
            // The cost is in the middle of the bounds.
            off: waits * found.bounds().gap(),
            bias: found.solution().bias().to_vec(),
            index,
        }))
    }

    /// Number of states.
    pub(super) fn states(&self) -> usize {
        self.bias.len()
    }

    /// What the future costs once these wait on; `None` if there are more of them than may.
    pub(super) fn worth(&self, waiting: Waiting) -> Option<f64> {
        self.index.get(&State::Wait(waiting)).map(|&state| self.bias[state])
    }
}

/// Waits in two arrivals on average. Two steps take one wait, and two arrivals 2 / rate.
pub(super) fn waits(model: &Model, grid: Grid) -> f64 {
    2.0 * (model.rate + ticks(model, grid)) / model.rate
}

/// Ticks of the clock per unit of time.
fn ticks(model: &Model, grid: Grid) -> f64 {
    grid.ages as f64 / model.tau_max
}

impl<'m> Process<'m> {
    fn new(model: &'m Model, grid: Grid) -> Self {
        let nobody = State::Wait(Waiting::new(&[], grid.cells));
        Self {
            model,
            grid,
            states: vec![nobody],
            index: HashMap::from([(nobody, 0)]),
            starts: vec![0],
            costs: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// Finds every state that can be reached from nobody waiting, and its actions; false where there are too many, or the
    /// allowance is over.
    fn explore(&mut self, limit: usize, allowance: &mut Allowance<'_>) -> bool {
        let (mut at, mut rows) = (0, 0);
        while at < self.states.len() {
            let entries: usize = self.rows[rows..].iter().map(Vec::len).sum();
            rows = self.rows.len();
            if self.states.len() > limit || !allowance.spend(entries as u64, at) {
                return false;
            }
            match self.states[at] {
                State::Wait(waiting) => self.wait(&waiting.players()),
                State::Decide(waiting) => self.decide(&waiting.players()),
            }
            self.starts.push(self.costs.len());
            at += 1;
        }
        true
    }

    fn number(&mut self, state: State) -> usize {
        *self.index.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }

    fn after(&mut self, players: &[Player]) -> usize {
        self.number(State::Decide(Waiting::new(players, self.grid.cells)))
    }

    /// Time goes by until the next arrival or tick. Who arrives where somebody waits plays with them at once: by the
    /// triangle inequality, whatever else the two would do costs as much. Two players anywhere in one cell are a third
    /// of its width apart on average.
    fn wait(&mut self, players: &[Player]) {
        let Grid { cells, ages, .. } = self.grid;
        let (arrivals, ticks) = (self.model.rate, ticks(self.model, self.grid));
        let events = arrivals + ticks;
        let probability = arrivals / events / cells as f64;
        let together = self.model.weight / (3 * cells) as f64;
        let count = players.len() as f64;
        self.costs
            .push(count / (self.model.tau_max * events) + count * probability * together);
        let mut row: Vec<(usize, f64)> = Vec::with_capacity(cells + 1);
        for cell in 0..cells {
            let mut next = players.to_vec();
            match players.binary_search_by_key(&cell, |player| player.cell) {
                Ok(place) => drop(next.remove(place)),
                Err(place) => next.insert(place, Player { cell, age: 0 }),
            }
            row.push((self.after(&next), probability));
        }
        if ages > 0 {
            let older = |&Player { cell, age }: &Player| Player { cell, age: age + 1 };
            let next: Vec<Player> = players.iter().map(older).collect();
            row.push((self.after(&next), ticks / events));
        }
        self.rows.push(merged(row));
    }

    /// Who is due plays with somebody else, or with a bot; where nobody is, one pair may play, or nobody.
    fn decide(&mut self, players: &[Player]) {
        let mut choices = Vec::new();
        if self.grid.ages > 0 && players.iter().any(|player| player.age >= self.grid.ages) {
            self.serve_due(0.0, players, &mut choices);
        } else {
            if players.len() <= self.grid.waiting {
                choices.push((0.0, players.to_vec()));
            }
            self.add_pairs(players, &mut choices);
            if self.grid.ages == 0 {
                // Without deadlines a bot may come at any time: so the bound holds where waiting for one is all there
                // is.
                choices.extend((0..players.len()).map(|i| (self.bot(), without(players, &[i]))));
            }
        }
        for (cost, rest) in choices {
            let next = self.number(State::Wait(Waiting::new(&rest, self.grid.cells)));
            self.costs.push(cost);
            self.rows.push(vec![(next, 1.0)]);
        }
    }

    /// Every way to serve all who are due, the first of them first.
    fn serve_due(&self, cost: f64, players: &[Player], choices: &mut Vec<Choice>) {
        let Some(due) = players.iter().position(|player| player.age >= self.grid.ages) else {
            choices.push((cost, players.to_vec()));
            return;
        };
        self.serve_due(cost + self.bot(), &without(players, &[due]), choices);
        for other in (0..players.len()).filter(|&other| other != due) {
            let rest = without(players, &[due, other]);
            self.serve_due(cost + self.pair(players[due], players[other]), &rest, choices);
        }
    }

    /// Every pair that may play now. Without ages only neighbours: instead of two with others between them, one of
    /// these plays with a neighbour, which costs as much in all by the triangle inequality.
    fn add_pairs(&self, players: &[Player], choices: &mut Vec<Choice>) {
        for i in 0..players.len() {
            let last = if self.grid.ages == 0 { i + 2 } else { players.len() };
            for j in i + 1..last.min(players.len()) {
                choices.push((self.pair(players[i], players[j]), without(players, &[i, j])));
            }
        }
    }

    /// Expected cost of the criterion.
    fn pair(&self, a: Player, b: Player) -> f64 {
        self.model.weight * a.cell.abs_diff(b.cell) as f64 / self.grid.cells as f64
    }

    /// A bot differs by 1 from everybody, and counts as having waited as long as anybody may.
    fn bot(&self) -> f64 {
        self.model.weight + 1.0
    }
}

fn without(players: &[Player], gone: &[usize]) -> Vec<Player> {
    let stay = players.iter().enumerate().filter(|(place, _)| !gone.contains(place));
    stay.map(|(_, &player)| player).collect()
}

/// Each state once.
fn merged(mut row: Vec<(usize, f64)>) -> Vec<(usize, f64)> {
    row.sort_unstable_by_key(|&(state, _)| state);
    row.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    row
}
