//! The best rule of a grid, at work.

use std::sync::Arc;

use super::process::Solved;
use super::waiting::{Player, Waiting};
use super::{Floor, FloorProblem, Grid};
use crate::online::policy::Policy;
use crate::online::{Arrival, Error, Games, Setting};

/// Somebody who waits.
#[derive(Clone, Copy, Debug)]
struct Guest {
    id: u32,
    time: f64,
    criterion: f64,
    cell: usize,
}

/// Does what costs least on a grid without deadlines, for the one rate that this was computed for. Whoever has waited
/// for `τ_max` plays with the nearest who waits, or with a bot.
///
/// What it costs in a simulation lies above the floor; at rates at which next to nobody waits for `τ_max`, hardly.
///
/// # Complexity
/// O(w²) per arrival with w who wait, of whom there are never more than the grid allows.
#[derive(Clone, Debug)]
pub struct GridPolicy {
    setting: Setting,
    floor: Floor,
    grid: Grid,
    solved: Arc<Solved>,
    /// In rising order of the criterion, at most one in each cell.
    guests: Vec<Guest>,
}

impl Floor {
    /// The best rule of a grid without ages, to be simulated or played.
    ///
    /// # Errors
    /// As [`Floor::on`]; and [`Error::Floor`] for a grid with ages, [`Error::BadWeight`] for a weight that no setting has.
    pub fn policy(&self, grid: Grid) -> Result<GridPolicy, Error> {
        if grid.ages != 0 {
            return Err(FloorProblem::Ages { grid }.into());
        }
        GridPolicy::new(*self, grid, self.solve(grid)?)
    }
}

impl GridPolicy {
    /// The rule that a grid without ages was solved for.
    pub(super) fn new(floor: Floor, grid: Grid, solved: Solved) -> Result<Self, Error> {
        Ok(Self {
            setting: Setting::with_weights(2, floor.model.tau_max, vec![floor.model.weight])?,
            floor,
            grid,
            solved: Arc::new(solved),
            guests: Vec::new(),
        })
    }

    /// What the future costs, compared with other sets, once these wait on.
    fn worth(&self, guests: impl Iterator<Item = Guest>) -> f64 {
        let players: Vec<Player> = guests
            .map(|guest| Player {
                cell: guest.cell,
                age: 0,
            })
            .collect();
        let waiting = Waiting::new(&players, self.grid.cells);
        self.solved.worth(waiting).unwrap_or(f64::INFINITY)
    }

    /// The first of two neighbours who play now, if anybody does.
    fn choice(&self) -> Option<usize> {
        let guests = &self.guests;
        let stay = (self.worth(guests.iter().copied()), None);
        let pairs = (1..guests.len()).map(|next| {
            let cells = guests[next].cell - guests[next - 1].cell;
            let apart = cells as f64 / self.grid.cells as f64;
            let rest = guests[..next - 1].iter().chain(&guests[next + 1..]).copied();
            (self.floor.model.weight * apart + self.worth(rest), Some(next - 1))
        });
        pairs
            .fold(stay, |best, pair| if pair.0 < best.0 { pair } else { best })
            .1
    }

    fn oldest(&self) -> Option<usize> {
        let places = 0..self.guests.len();
        places.min_by(|&a, &b| self.guests[a].time.total_cmp(&self.guests[b].time))
    }
}

impl Policy for GridPolicy {
    fn on_arrival(&mut self, arrival: Arrival<'_>, games: &mut Games) {
        let (id, time, criterion) = (arrival.id, arrival.time, arrival.criteria[0]);
        let cell = ((criterion * self.grid.cells as f64) as usize).min(self.grid.cells - 1);
        let place = self.guests.partition_point(|guest| guest.cell < cell);
        if self.guests.get(place).is_some_and(|guest| guest.cell == cell) {
            let guest = self.guests.remove(place);
            games.push(time, [guest.id, id]);
            return;
        }
        let newcomer = Guest {
            id,
            time,
            criterion,
            cell,
        };
        self.guests.insert(place, newcomer);
        if let Some(first) = self.choice() {
            games.push(time, self.guests.drain(first..first + 2).map(|guest| guest.id));
        }
    }

    fn on_leave(&mut self, id: u32) -> bool {
        let place = self.guests.iter().position(|guest| guest.id == id);
        place.map(|place| self.guests.remove(place)).is_some()
    }

    fn next_timer(&mut self) -> Option<f64> {
        let oldest = self.oldest()?;
        Some(self.guests[oldest].time + self.floor.model.tau_max)
    }

    fn on_timer(&mut self, now: f64, games: &mut Games) {
        let Some(oldest) = self.oldest() else { return };
        let due = self.guests.remove(oldest);
        let apart = |place: &usize| (self.guests[*place].criterion - due.criterion).abs();
        let nearest = (0..self.guests.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let partner = nearest.map(|place| self.guests.remove(place).id);
        games.push(now, partner.into_iter().chain([due.id]));
    }

    fn setting(&self) -> Option<&Setting> {
        Some(&self.setting)
    }
}
