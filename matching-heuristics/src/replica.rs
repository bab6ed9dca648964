//! What stands on a ladder of temperatures.

use rand_chacha::ChaCha8Rng;

use crate::best::Best;
use crate::control::{Control, Stage};
use crate::engines;
use crate::score::Score;
use crate::state::{Heat, Schedule, State};

/// A grouping that walks at one temperature and then at another.
pub(crate) trait Replica: Send {
    type State: State;

    /// Walks over a stage. Where `is_frozen`, the last part of it leads to a standstill if the state knows such an end,
    /// and the best grouping on the way goes to `best`; else that may be left out.
    fn walk(
        &mut self,
        is_frozen: bool,
        best: &mut Best<<Self::State as State>::Score>,
        control: &mut Control<'_>,
        stage: &Stage,
        heat: &mut Heat,
        rng: &mut ChaCha8Rng,
    );

    /// How much is forbidden in the grouping, and its total, in the numbers of temperatures.
    fn energy(&self) -> (u64, f64);

    /// The grouping changes places with another one.
    fn trade(&mut self, other: &mut Self);

    /// Goes to a random grouping.
    fn forget(
        &mut self,
        best: &mut Best<<Self::State as State>::Score>,
        control: &mut Control<'_>,
        rng: &mut ChaCha8Rng,
    );

    /// A state to climb with, wherever it stands.
    fn state(&mut self) -> &mut Self::State;
}

/// A ladder of temperatures, from the hottest to the coldest.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    /// Temperatures, and how much of the work each gets.
    pub(crate) rungs: Vec<(f64, f64)>,
    /// Evaluations between two exchanges where the share is 1, for each pair of units.
    pub(crate) round: f64,
}

/// Temperatures where nothing is known of the costs.
const RUNGS: usize = 4;

impl Ladder {
    /// From where everything moves to where hardly anything does, in equal ratios.
    pub(crate) fn even(schedule: &Schedule) -> Self {
        let temperature = |rung: usize| schedule.whole().at(rung as f64 / (RUNGS - 1) as f64);
        Self {
            rungs: (0..RUNGS).map(|rung| (temperature(rung), 1.0)).collect(),
            round: 1.0,
        }
    }

    /// The work of a round of all rungs, in shares.
    pub(crate) fn shares(&self) -> f64 {
        self.rungs.iter().map(|rung| rung.1).sum()
    }
}

/// A state that walks by its own annealing.
pub(crate) struct Plain<T>(pub(crate) T);

impl<T: State> Replica for Plain<T> {
    type State = T;

    fn walk(
        &mut self,
        _: bool,
        best: &mut Best<T::Score>,
        control: &mut Control<'_>,
        stage: &Stage,
        heat: &mut Heat,
        rng: &mut ChaCha8Rng,
    ) {
        self.0.anneal(best, control, stage, heat, rng);
    }

    fn energy(&self) -> (u64, f64) {
        (self.0.forbidden(), self.0.total().to_f64())
    }

    fn trade(&mut self, other: &mut Self) {
        core::mem::swap(&mut self.0, &mut other.0);
    }

    fn forget(&mut self, best: &mut Best<T::Score>, control: &mut Control<'_>, rng: &mut ChaCha8Rng) {
        engines::melt(&mut self.0, control, rng);
        best.offer(&self.0);
    }

    fn state(&mut self) -> &mut T {
        &mut self.0
    }
}
