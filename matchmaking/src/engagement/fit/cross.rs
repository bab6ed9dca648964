//! Cross-validation by players: which penalty predicts best for strangers, and how well.

use std::thread;

use super::assess::Prediction;
use super::error::Error;
use super::folds::FOLDS;
use super::logistic::{Design, Regression, Scale, Tolerance, loss};
use super::observe::Observation;
use super::report::Tried;
use crate::engagement::churn::logistic;

/// Strengths of the penalty that are tried, strongest first, so that each regression starts near its end.
const STRENGTHS: [f64; 6] = [1e4, 1e3, 1e2, 1e1, 1.0, 0.1];

/// The strength is chosen on players with some more observations than this: it matters where data are scarce.
const ENOUGH_TO_CHOOSE: usize = 50_000;

/// Predictions for players not seen are learnt from players with some more observations than this. What sixty
/// coefficients lack then of the best ones raises the mean log loss by about 60 / (2 · 160,000), two ten-thousandths.
const ENOUGH_TO_ASSESS: usize = 200_000;

/// Observations, and what is kept aside together.
#[derive(Clone, Copy)]
pub(super) struct Folded<'a> {
    pub(super) observations: &'a [Observation],
    /// Fold of each player.
    pub(super) folds: &'a [u8],
    pub(super) scale: &'a Scale,
    pub(super) threads: usize,
}

impl Folded<'_> {
    /// Mean loss for unseen players, by strength, on as many players as are enough for that.
    pub(super) fn try_strengths(&self) -> Result<Vec<Tried>, Error> {
        let some = self.some_players(ENOUGH_TO_CHOOSE);
        let by_fold = some.each_fold(|fold| some.losses(fold))?;
        let count = some.observations.len();
        let tried = |(at, strength): (usize, f64)| Tried {
            strength,
            log_loss: by_fold.iter().map(|losses| losses[at]).sum::<f64>() / count as f64,
            observations: count as u64,
        };
        Ok(STRENGTHS.into_iter().enumerate().map(tried).collect())
    }

    /// For each observation, the risk that the other folds predict, and what came of it.
    pub(super) fn out_of_fold(&self, strength: f64, whole: &Regression) -> Result<Vec<Prediction>, Error> {
        let some = self.some_players(ENOUGH_TO_ASSESS);
        let learn = |fold| {
            Ok(some
                .without(fold)
                .solve(strength, whole, Tolerance::OF_PREDICTIONS)?
                .regression)
        };
        let regressions = self.each_fold(learn)?;
        let predict = |o: &Observation| {
            let regression = &regressions[usize::from(self.fold(o))];
            Prediction {
                player: o.player,
                chance: logistic(regression.logit(self.scale, o)),
                happened: o.churned,
            }
        };
        Ok(self.observations.iter().map(predict).collect())
    }

    /// The first players of the log, until their observations are so many and the regressions that leave out a fold see
    /// some of either kind. Which players come first has nothing to do with their folds.
    fn some_players(&self, count: usize) -> Self {
        let mut enough = count;
        while let Some(last) = self.observations.get(enough) {
            let end = self.observations.partition_point(|o| o.player <= last.player);
            let some = Self {
                observations: &self.observations[..end],
                ..*self
            };
            if [true, false].into_iter().all(|churned| some.is_in_two_folds(churned)) {
                return some;
            }
            enough *= 2;
        }
        *self
    }

    /// Whether those who stopped, or those who stayed, are not all in one fold.
    fn is_in_two_folds(&self, churned: bool) -> bool {
        let own = self.observations.iter().filter(|o| o.churned == churned);
        let mut folds = own.map(|o| self.fold(o));
        folds.next().is_some_and(|first| folds.any(|fold| fold != first))
    }

    fn fold(&self, observation: &Observation) -> u8 {
        self.folds[observation.player as usize]
    }

    /// What the model that leaves out a fold learns from.
    fn without(&self, fold: u8) -> Design {
        Design::of(self.observations, self.scale, |o| self.fold(o) != fold)
    }

    /// Summed losses of one fold by what the others say, by strength.
    fn losses(&self, fold: u8) -> Result<[f64; STRENGTHS.len()], Error> {
        let others = self.without(fold);
        let mut found = others.start();
        let mut losses = [0.0; STRENGTHS.len()];
        for (sum, strength) in losses.iter_mut().zip(STRENGTHS) {
            found = others.solve(strength, &found, Tolerance::OF_PREDICTIONS)?.regression;
            let own = self.observations.iter().filter(|o| self.fold(o) == fold);
            *sum = own.map(|o| loss(found.logit(self.scale, o), o.churned)).sum();
        }
        Ok(losses)
    }

    /// One answer for each fold, in order. Threads take whole folds, so that their number does not show.
    fn each_fold<T: Send>(&self, answer: impl Fn(u8) -> Result<T, Error> + Sync) -> Result<Vec<T>, Error> {
        let workers = self.threads.clamp(1, FOLDS);
        let share = |worker: usize| {
            let own = (worker..FOLDS).step_by(workers);
            own.map(|fold| (fold, answer(fold as u8))).collect::<Vec<_>>()
        };
        let mut answers = thread::scope(|scope| {
            let share = &share;
            let others: Vec<_> = (1..workers).map(|worker| scope.spawn(move || share(worker))).collect();
            let mut answers = share(0);
            for other in others {
                answers.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            answers
        });
        answers.sort_by_key(|&(fold, _)| fold);
        answers.into_iter().map(|(_, answer)| answer).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Folded, Observation, Scale};
    use crate::engagement::fitted::feature::{MEMORY, SPANS, Snapshot};
    use crate::player::Outcome;

    #[test]
    fn players_are_enough_only_if_every_regression_sees_both_kinds() {
        // How many are taken of two observations of each of twenty players, where these two players stop.
        let taken = |stopped: [u32; 2], count: usize| {
            let observation = |position: u32| Observation {
                player: position / 2,
                snapshot: Snapshot {
                    past: [None; MEMORY],
                    hours: [f32::INFINITY; MEMORY],
                    games: [None; SPANS.len()],
                },
                upcoming: Outcome::Win,
                churned: stopped.contains(&(position / 2)),
            };
            let observations: Vec<_> = (0..40).map(observation).collect();
            let folds: Vec<u8> = (0..20).map(|player| player % 5).collect();
            let folded = Folded {
                observations: &observations,
                folds: &folds,
                scale: &Scale::of(&observations),
                threads: 1,
            };
            folded.some_players(count).observations.len()
        };
        assert_eq!(taken([0, 1], 7), 8);
        // Of the first four observations, those of one fold only have stopped.
        assert_eq!(taken([1, 2], 3), 8);
        assert_eq!(taken([0, 5], 3), 40);
        assert_eq!(taken([18, 19], 3), 40);
        assert_eq!(taken([0, 1], 40), 40);
    }
}
