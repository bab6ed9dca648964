//! What an engine knows of a grouping: what each move would change.

use rand_chacha::ChaCha8Rng;

use crate::best::Best;
use crate::change::{Change, Toll};
use crate::control::{Control, Stage};
use crate::engines;
use crate::neighbourhood::Step;
use crate::partition::{Exchange, Partition};
use crate::replica::{Ladder, Replica};
use crate::score::Score;

/// Temperatures of an annealing, in the numbers of the state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    /// Where everything moves: what is forbidden, groups that draw members. Not below `hot`.
    pub(crate) reach: f64,
    /// Where order begins.
    pub(crate) hot: f64,
    /// Where one begins that is good already: most of it survives.
    pub(crate) warm: f64,
    /// Where hardly anything moves.
    pub(crate) cold: f64,
    /// Where a good grouping melts in part, and where it is frozen again, if that leads to better ones.
    pub(crate) reheat: Option<(f64, f64)>,
    /// Whether the range is so wide that its logarithm is to fall evenly, whatever is limited.
    pub(crate) is_wide: bool,
}

impl Schedule {
    /// From where everything moves to the coldest.
    pub(crate) fn whole(&self) -> Heat {
        Heat {
            melt: self.reach,
            ..self.cooling(self.hot)
        }
    }

    /// From a temperature to the coldest.
    pub(crate) fn cooling(&self, from: f64) -> Heat {
        Heat {
            melt: from,
            from,
            to: self.cold,
            is_wide: self.is_wide,
            toll: self.toll(),
        }
    }

    /// From where the best grouping begins to melt to where it is frozen, if that leads to better ones.
    pub(crate) fn reheated(&self) -> Option<Heat> {
        self.reheat.map(|(from, to)| Heat {
            to,
            ..self.cooling(from)
        })
    }

    /// A temperature that stays.
    pub(crate) fn steady(&self, temperature: f64) -> Heat {
        Heat {
            melt: temperature,
            from: temperature,
            to: temperature,
            is_wide: self.is_wide,
            toll: self.toll(),
        }
    }

    /// What a forbidden group counts at first.
    pub(crate) fn toll(&self) -> Toll {
        Toll::new(TOLL * self.hot)
    }
}

/// The first price of a forbidden group, in temperatures of a random grouping: one move in twenty passes there.
const TOLL: f64 = 3.0;

/// Share of a stage that leads from where everything moves to where order begins, if they are not the same.
const MELTING: f64 = 0.2;

/// The temperatures of a stage, and what a forbidden group counts at present.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heat {
    melt: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
    is_wide: bool,
    pub(crate) toll: Toll,
}

impl Heat {
    /// The temperature once a part of the stage is over.
    pub(crate) fn at(&self, done: f64) -> f64 {
        let between = |from: f64, to: f64, done: f64| from * (to / from).powf(done);
        if self.melt <= self.from {
            between(self.from, self.to, done)
        } else if done < MELTING {
            between(self.melt, self.from, done / MELTING)
        } else {
            between(self.from, self.to, (done - MELTING) / (1.0 - MELTING))
        }
    }

    /// The temperature once a part of the time is over, so that the time spent about a temperature goes with that power
    /// of it: the power falls evenly. For a power of 0, or where something is to melt first, it is what
    /// [`at`](Self::at) says.
    pub(crate) fn in_time(&self, done: f64, power: i32) -> f64 {
        if power == 0 || self.is_wide || self.melt > self.from {
            return self.at(done);
        }
        // Of the hottest, as a power of large numbers may be beyond a float.
        let end = (self.to / self.from).powi(power);
        self.from * (1.0 - (1.0 - end) * done).powf(1.0 / f64::from(power))
    }
}

/// A grouping that answers quickly what a move costs.
pub(crate) trait State: Clone + Send + Sync {
    /// The number type of totals.
    type Score: Score;

    /// What stands for it on a ladder of temperatures.
    type Replica: Replica<State = Self>;

    /// The grouping.
    fn partition(&self) -> &Partition;

    /// Cost of all groups together; forbidden ones count nothing here.
    fn total(&self) -> Self::Score;

    /// How much is forbidden in it: comes before the total when two groupings are compared.
    fn forbidden(&self) -> u64 {
        0
    }

    /// What an exchange would change. `None` where sizes or pins speak against it.
    fn change(&mut self, exchange: &Exchange) -> Option<Change<Self::Score>>;

    /// What a move of a climb would change if that is less than `most`, `None` if it is not. Climbs come back to the
    /// same moves, and a state may keep what it finds out about them.
    fn look(&mut self, step: &Step<'_>, most: Option<&Change<Self::Score>>) -> Option<Change<Self::Score>> {
        let exchange = step.exchange(self.partition());
        let change = self.change(&exchange)?;
        most.is_none_or(|most| change < *most).then_some(change)
    }

    /// Carries an exchange out.
    fn apply(&mut self, exchange: &Exchange);

    /// Goes to another grouping, given by the group of every unit.
    fn reset(&mut self, group_of: &[u32]);

    /// A total in the cost's own numbers.
    fn in_costs(&self, total: Self::Score) -> f64;

    /// By how much such a number may be wrong, at most.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// Whether nothing is forbidden in a grouping, where [`forbidden`](Self::forbidden) does not say.
    fn is_allowed(&self, _: &Partition) -> bool {
        true
    }

    /// Whether all groupings cost the same, as can be seen without a search.
    fn is_flat(&self) -> bool {
        false
    }

    /// The cost of one group; `None` if it is forbidden.
    fn group_cost(&self, group: u32) -> Option<Self::Score>;

    /// Evaluations that one cooling is worth, for each pair of units.
    fn cooling(&self) -> f64;

    /// Temperatures that suit this problem.
    fn schedule(&mut self, control: &mut Control<'_>, rng: &mut ChaCha8Rng) -> Schedule;

    /// Becomes what stands on a ladder of temperatures.
    fn replica(self, rng: &mut ChaCha8Rng) -> Self::Replica;

    /// The ladder that suits this problem.
    fn ladder(&self, schedule: &Schedule) -> Ladder {
        Ladder::even(schedule)
    }

    /// Whether such a ladder finds better groupings than walks where the work is enough for so many coolings.
    fn is_tempered(&self, _coolings: f64) -> bool {
        false
    }

    /// Cools from one temperature to another over the stage. Ends at the end of the stage, or when `control` says so,
    /// with the best grouping on the way in `best`.
    fn anneal(
        &mut self,
        best: &mut Best<Self::Score>,
        control: &mut Control<'_>,
        stage: &Stage,
        heat: &mut Heat,
        rng: &mut ChaCha8Rng,
    ) {
        engines::anneal(self, best, control, stage, heat, rng);
    }

    /// Makes moves that improve until there is none. `false` if it was stopped on the way.
    fn descend(&mut self, control: &mut Control<'_>) -> bool {
        engines::descend(self, control)
    }

    /// Whether a grouping with this much forbidden and that total is better.
    fn is_better_than(&self, other: &(u64, Self::Score)) -> bool {
        (self.forbidden(), self.total()) < *other
    }

    /// What makes two groupings comparable.
    fn rank(&self) -> (u64, Self::Score) {
        (self.forbidden(), self.total())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_about_a_temperature_goes_with_its_power() {
        let heat = Heat {
            melt: 2.8e6,
            from: 2.8e6,
            to: 1.7e6,
            is_wide: false,
            toll: Toll::new(1.0),
        };
        for power in [0, 1, 5] {
            let at = |done: f64| heat.in_time(done, power);
            assert!((at(0.0) / heat.from - 1.0).abs() < 1e-9 && (at(1.0) / heat.to - 1.0).abs() < 1e-9);
            // For the same part of the temperature.
            let time = |done: f64| 1e-4 / (at(done) / at(done + 1e-4)).ln();
            for done in [0.0, 0.3, 0.8] {
                let expected = (at(done) / heat.from).powi(power);
                assert!((time(done) / time(0.0) / expected - 1.0).abs() < 1e-2);
            }
        }
        let molten = Heat { melt: 5.6e6, ..heat };
        assert_eq!(molten.in_time(0.1, 5), molten.at(0.1));
    }
}
