//! The expected number of players that a game loses, as a cost of a pair.

use matching_core::Cost;

use super::churn::ChurnModel;
use super::outcome::{OutcomeModel, OutcomeProbabilities};
use super::rows::{Batch, Entry};
use crate::baseline::Pairing;
use crate::error::Error;
use crate::player::{Outcome, Player};
use crate::pool::{Pool, checked_rematch_cost};

/// Edge weight of the EOMM paper, `c(i, j) + c(j, i)` by its equation (7), in units of 10⁻⁶ players.
///
/// `sum over the results o of P(o) (churn of i after o + churn of j after the mirror of o)`: minimising its total over
/// a pairing keeps the most players. Churn risks are evaluated once per player and outcome; a pair is evaluated when it
/// is asked for, always from the lower index, so the cost is symmetric and takes O(n) memory. Players who avoid each
/// other are forbidden pairs.
///
/// # References
/// Chen et al., "EOMM: An Engagement Optimized Matchmaking Framework", WWW 2017, doi:10.1145/3038912.3052559.
#[derive(Clone, Debug)]
pub struct EngagementCost<'p> {
    pool: &'p Pool,
    outcomes: OutcomeModel,
    /// Churn risk of each player after each of [`Outcome::ALL`].
    churn: Vec<[f64; 3]>,
    /// Churn risk of each player without a game.
    idle: Vec<f64>,
    /// For many costs at once, where the draw rule allows it.
    batch: Option<Batch>,
    /// What a pair of recent opponents costs more.
    rematch: i64,
}

/// What the cost of one pair is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct PairTerms {
    /// Chances of the first player.
    pub outcomes: OutcomeProbabilities,
    /// Churn risk of the first player after a win, a draw and a loss of their own.
    pub first: [f64; 3],
    /// Churn risk of the second player after a win, a draw and a loss of their own.
    pub second: [f64; 3],
}

impl PairTerms {
    /// Expected churn of the first player: `c(i, j)`.
    pub fn first_churn(&self) -> f64 {
        expected(&self.outcomes, &self.first)
    }

    /// Expected churn of the second player: `c(j, i)`.
    pub fn second_churn(&self) -> f64 {
        expected(&self.outcomes.mirror(), &self.second)
    }

    /// Expected number of the two players who stop: `c(i, j) + c(j, i)`.
    pub fn expected_churn(&self) -> f64 {
        self.first_churn() + self.second_churn()
    }

    /// The same pair named the other way round.
    fn mirror(&self) -> Self {
        Self {
            outcomes: self.outcomes.mirror(),
            first: self.second,
            second: self.first,
        }
    }
}

impl<'p> EngagementCost<'p> {
    /// Costs are integers: expected players lost times this.
    pub const SCALE: i64 = 1_000_000;

    /// The cost of each pair of this pool.
    ///
    /// # Errors
    /// [`Error::NotAProbability`] where the churn model gives something else; [`Error::MissingColumn`] where the pool
    /// [has only ratings](Pool::has_only_ratings).
    pub fn new(pool: &'p Pool, outcomes: &OutcomeModel, model: &(impl ChurnModel + ?Sized)) -> Result<Self, Error> {
        pool.check_engagement()?;
        let mut churn = Vec::with_capacity(pool.len());
        let mut idle = Vec::with_capacity(pool.len());
        for player in pool.players() {
            let risks = Outcome::ALL.map(|outcome| model.after(player, outcome));
            let alone = model.idle(player);
            if let Some(&found) = risks.iter().chain([&alone]).find(|risk| !(0.0..=1.0).contains(*risk)) {
                return Err(Error::NotAProbability {
                    id: player.id.clone(),
                    found,
                });
            }
            churn.push(risks);
            idle.push(alone);
        }
        Ok(Self::from_risks(pool, outcomes, churn, idle))
    }

    /// The same, where a churn model has said already what the risks of each player are: after each of
    /// [`Outcome::ALL`], and without a game.
    pub(crate) fn from_risks(pool: &'p Pool, outcomes: &OutcomeModel, churn: Vec<[f64; 3]>, idle: Vec<f64>) -> Self {
        let scale = Self::SCALE as f64;
        let batch = outcomes.constant_draw().map(|draw| {
            let entry = |(player, &[win, even, loss]): (&Player, &[f64; 3])| Entry {
                rating: player.rating,
                spread: outcomes.spread(player.deviation),
                first: scale * (draw * even + (1.0 - draw) * loss),
                second: scale * (draw * even + (1.0 - draw) * win),
                slope: scale * (win - loss),
            };
            Batch::new(outcomes.wins(draw), pool.players().iter().zip(&churn).map(entry))
        });
        Self {
            pool,
            outcomes: *outcomes,
            churn,
            idle,
            batch,
            rematch: 0,
        }
    }

    /// The same, where a pair of recent opponents ([`Player::opponents`](crate::Player::opponents)) costs so much more, in
    /// units of 10⁻⁶ players; less than nothing brings rivals together again. [`Self::terms`] and
    /// [`Self::expected_retained`] stay as they are.
    ///
    /// # Errors
    /// [`Error::RematchCost`] for 2⁶⁰ or more in absolute value.
    pub fn with_rematch_cost(mut self, cost: i64) -> Result<Self, Error> {
        self.rematch = checked_rematch_cost(cost)?;
        Ok(self)
    }

    /// Churn risk of each player after each of [`Outcome::ALL`].
    pub(super) fn risks(&self) -> &[[f64; 3]] {
        &self.churn
    }

    /// How likely each result is.
    pub(super) fn outcome_model(&self) -> &OutcomeModel {
        &self.outcomes
    }

    /// Churn risks of each player after each of [`Outcome::ALL`], and without a game.
    #[cfg(feature = "eomm")]
    pub(crate) fn into_risks(self) -> (Vec<[f64; 3]>, Vec<f64>) {
        (self.churn, self.idle)
    }

    /// Writes the cost of player `i` with each player after it in the pool: what [`Cost::pair`] gives, many times as
    /// fast. Pairs that may not meet have a cost here as well.
    ///
    /// # Panics
    /// If `i` is not a player, or there is not one slot for each player after it.
    #[track_caller]
    pub fn fill_after(&self, i: usize, out: &mut [i64]) {
        assert_eq!(i + 1 + out.len(), self.len(), "one slot for each player after {i}");
        self.fill_from(i, i + 1, out);
    }

    /// The costs of player `i` with the players from `start` on, who are others.
    fn fill_from(&self, i: usize, start: usize, out: &mut [i64]) {
        match &self.batch {
            Some(batch) => batch.fill(i, start, out, |j| self.first_meeting(i, j)),
            None => out
                .iter_mut()
                .enumerate()
                .for_each(|(at, slot)| *slot = self.first_meeting(i, start + at)),
        }
        self.pool.add_rematches(i, start, self.rematch, out);
    }

    /// What two players cost who have not met of late.
    fn first_meeting(&self, i: usize, j: usize) -> i64 {
        on_grid(self.terms(i.min(j), i.max(j)).expected_churn())
    }

    /// What the cost of player `i` with player `j` is made of.
    ///
    /// # Panics
    /// If `i` or `j` is not a player.
    #[track_caller]
    pub fn terms(&self, i: usize, j: usize) -> PairTerms {
        if j < i {
            return self.terms(j, i).mirror();
        }
        let [a, b] = [i, j].map(|k| (self.pool.players()[k].rating, self.pool.players()[k].deviation));
        PairTerms {
            outcomes: self.outcomes.probabilities(a, b),
            first: self.churn[i],
            second: self.churn[j],
        }
    }

    /// The players.
    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// Churn risk of player `i` when no game is found.
    ///
    /// # Panics
    /// If `i` is not a player.
    #[track_caller]
    pub fn idle(&self, i: usize) -> f64 {
        self.idle[i]
    }

    /// Cost of leaving player `i` without a game, in the units of [`Cost::pair`].
    ///
    /// # Panics
    /// If `i` is not a player.
    #[track_caller]
    pub fn bye(&self, i: usize) -> i64 {
        on_grid(self.idle[i])
    }

    /// That a pairing has nobody who is not a player.
    #[track_caller]
    pub(crate) fn check_players(&self, pairing: &Pairing) {
        let everybody = pairing.pairs().iter().flat_map(|&(i, j)| [i, j]);
        for player in everybody.chain(pairing.unmatched().iter().copied()) {
            let len = self.pool.len();
            assert!(player < len, "player {player} of a pairing where the pool has {len}");
        }
    }

    /// Expected number of players who stay after these games; whoever has none counts with the idle risk. The pairing must
    /// have every player once: whoever it has twice is lost twice, and whoever it leaves out stays.
    ///
    /// # Panics
    /// If it has somebody who is not a player.
    #[track_caller]
    pub fn expected_retained(&self, pairing: &Pairing) -> f64 {
        self.check_players(pairing);
        // Always from the lower index, so that the same pairs give the same bits whoever is named first.
        let lost = |&(i, j): &(usize, usize)| self.terms(i.min(j), i.max(j)).expected_churn();
        let by_games: f64 = pairing.pairs().iter().map(lost).sum();
        let by_waiting: f64 = pairing.unmatched().iter().map(|&i| self.idle[i]).sum();
        self.pool.len() as f64 - by_games - by_waiting
    }
}

/// Expected churn of a player with these chances, in the order of their own results: the same bits from either side.
pub(super) fn expected(outcomes: &OutcomeProbabilities, churn: &[f64; 3]) -> f64 {
    Outcome::ALL
        .into_iter()
        .map(|o| outcomes.of(o) * churn[o.index()])
        .sum()
}

pub(super) fn on_grid(churn: f64) -> i64 {
    (churn * EngagementCost::SCALE as f64).round() as i64
}

impl Cost for EngagementCost<'_> {
    type Value = i64;

    fn len(&self) -> usize {
        self.pool.len()
    }

    fn pair(&self, i: usize, j: usize) -> i64 {
        self.first_meeting(i, j) + self.pool.rematch_cost(i, j, self.rematch)
    }

    fn is_allowed(&self, i: usize, j: usize) -> bool {
        self.pool.may_meet(i, j)
    }

    fn has_forbidden(&self) -> bool {
        self.pool.has_avoided()
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    fn fill_row(&self, i: usize, out: &mut [i64]) {
        assert_eq!(out.len(), self.len(), "one slot per player");
        let (before, rest) = out.split_at_mut(i);
        self.fill_from(i, 0, before);
        self.fill_from(i, i + 1, &mut rest[1..]);
    }

    fn allowed_row(&self, i: usize, out: &mut [u64]) {
        self.pool.allowed_row(i, out);
    }
}

#[cfg(test)]
mod tests {
    use matching_core::Cost;

    use super::EngagementCost;
    use crate::baseline::Pairing;
    use crate::engagement::{ChurnModel, DrawRule, DrawShare, Horizon, OutcomeModel, SkillModel, SyntheticChurn};
    use crate::error::Error;
    use crate::player::{Outcome, Player};
    use crate::pool::Pool;

    /// Churn that depends on the upcoming result alone.
    struct ByResult([f64; 3]);

    impl ChurnModel for ByResult {
        fn after(&self, _: &Player, upcoming: Outcome) -> f64 {
            self.0[upcoming.index()]
        }

        fn idle(&self, _: &Player) -> f64 {
            self.0[1]
        }
    }

    #[test]
    fn equation_7_by_hand() -> Result<(), Error> {
        let pool = Pool::new(vec![Player::new("Ann", 1600.0, 0.0), Player::new("Ben", 1200.0, 0.0)])?;
        let model = OutcomeModel::new(SkillModel::Elo, DrawRule::Constant);
        let cost = EngagementCost::new(&pool, &model, &ByResult([0.1, 0.2, 0.5]))?;
        // Every result costs 0.1 + 0.5 (one wins, one loses) or 0.2 + 0.2.
        assert_eq!(cost.pair(0, 1), 800_000 * 6 / 10 + 200_000 * 4 / 10);
        let terms = cost.terms(0, 1);
        let win = 0.8 * 10.0 / 11.0;
        assert!((terms.first_churn() - (win * 0.1 + 0.2 * 0.2 + (0.8 - win) * 0.5)).abs() < 1e-12);
        assert!((terms.second_churn() - ((0.8 - win) * 0.1 + 0.2 * 0.2 + win * 0.5)).abs() < 1e-12);
        assert_eq!(cost.bye(0), 200_000);
        Ok(())
    }

    #[test]
    fn symmetric_to_the_last_bit() -> Result<(), Error> {
        let pool = Pool::synthetic(60, 1);
        let churn = SyntheticChurn::new(Horizon::EightHours, 0);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &churn)?;
        for (i, j) in (0..60).flat_map(|i| (0..i).map(move |j| (i, j))) {
            assert_eq!(cost.pair(i, j), cost.pair(j, i));
            assert!((0..=2 * EngagementCost::SCALE).contains(&cost.pair(i, j)));
            assert_eq!(cost.terms(i, j).first_churn(), cost.terms(j, i).second_churn());
        }
        Ok(())
    }

    #[test]
    fn rows_are_what_pairs_are_to_the_last_unit() -> Result<(), Error> {
        let mut players = Pool::synthetic(400, 2).players().to_vec();
        // Ratings and deviations at their limits, equal players, nobody uncertain.
        for (i, rating) in [-1e9, 1e9, 1e9, 0.0, 1e-9, 5e4, 1500.0, 1500.0].into_iter().enumerate() {
            players[i].rating = rating;
            players[i].deviation = [0.0, 1e9, 0.0, 1e-9, 350.0, 1e9, 50.0, 50.0][i];
        }
        let pool = Pool::new(players)?;
        let churn = SyntheticChurn::new(Horizon::EightHours, 0);
        for skill in [SkillModel::Elo, SkillModel::Glicko] {
            let fitted = [0.0, 0.33, 1.0].map(|share| DrawShare::new(share, None).map(DrawRule::Fitted));
            let fitted = fitted.into_iter().flatten();
            for draws in [DrawRule::Constant, DrawRule::GapDependent].into_iter().chain(fitted) {
                let model = OutcomeModel::new(skill, draws);
                check_rows(&EngagementCost::new(&pool, &model, &churn)?);
                // Risks of 0 and 1 alone: the greatest slopes.
                check_rows(&EngagementCost::new(&pool, &model, &ByResult([0.0, 0.0, 1.0]))?);
                check_rows(&EngagementCost::new(&pool, &model, &ByResult([1.0, 1.0, 0.0]))?);
                check_rows(&EngagementCost::new(&pool, &model, &ByResult([0.25, 0.5, 0.25]))?);
            }
        }
        Ok(())
    }

    fn check_rows(cost: &EngagementCost<'_>) {
        let n = cost.len();
        let (mut row, mut after) = (vec![0; n], Vec::new());
        for i in 0..n {
            cost.fill_row(i, &mut row);
            after.resize(n - i - 1, 0);
            cost.fill_after(i, &mut after);
            assert_eq!(row[i + 1..], after);
            for (j, &found) in row.iter().enumerate().filter(|&(j, _)| j != i) {
                assert_eq!(found, cost.pair(i, j), "{i} {j}");
            }
        }
    }

    #[test]
    fn units_that_are_nearly_half_are_decided_by_the_exact_evaluation() -> Result<(), Error> {
        // Two players whose cost is half a unit above a whole one, up to the last bits.
        let pool = Pool::new(vec![Player::new("Ann", 1500.0, 50.0), Player::new("Ben", 1500.0, 50.0)])?;
        for step in -40..=40_i32 {
            let risk = 0.123_456_25 + f64::from(step) * f64::EPSILON / 16.0;
            let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &ByResult([risk, risk, risk]))?;
            check_rows(&cost);
        }
        Ok(())
    }

    #[test]
    fn recent_opponents_cost_more() -> Result<(), Error> {
        let mut players = Pool::synthetic(90, 3).players().to_vec();
        for i in 3..90 {
            players[i].opponents = vec![players[i * 7 % i].id.clone(), players[i / 2].id.clone()];
        }
        let pool = Pool::new(players)?;
        let churn = SyntheticChurn::new(Horizon::EightHours, 0);
        for draws in [DrawRule::Constant, DrawRule::GapDependent] {
            let plain = EngagementCost::new(&pool, &OutcomeModel::new(SkillModel::Glicko, draws), &churn)?;
            let cost = plain.clone().with_rematch_cost(50_000)?;
            check_rows(&cost);
            for (i, j) in (0..90).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let names = |i: usize, j: usize| pool.players()[i].opponents.contains(&pool.players()[j].id);
                let more = if names(i, j) || names(j, i) { 50_000 } else { 0 };
                assert_eq!(cost.pair(i, j), plain.pair(i, j) + more);
                assert_eq!(cost.terms(i, j), plain.terms(i, j));
            }
        }
        Ok(())
    }

    /// It did not compile: a model had to be known when the program was built.
    #[test]
    fn a_model_may_be_chosen_at_run_time() -> Result<(), Error> {
        let (pool, outcomes) = (Pool::synthetic(6, 1), OutcomeModel::default());
        let synthetic = SyntheticChurn::new(Horizon::EightHours, 0);
        let models: [Box<dyn ChurnModel>; 2] = [Box::new(synthetic), Box::new(ByResult([0.1, 0.2, 0.3]))];
        let pairs = |cost: &EngagementCost<'_>| (1..6).map(|j| cost.pair(0, j)).collect::<Vec<i64>>();
        let expected = pairs(&EngagementCost::new(&pool, &outcomes, &synthetic)?);
        for (model, is_same) in models.into_iter().zip([true, false]) {
            let shared: std::sync::Arc<dyn ChurnModel> = std::sync::Arc::from(model);
            for cost in [
                EngagementCost::new(&pool, &outcomes, &*shared)?,
                EngagementCost::new(&pool, &outcomes, &&*shared)?,
                EngagementCost::new(&pool, &outcomes, &shared)?,
            ] {
                assert_eq!(pairs(&cost) == expected, is_same);
            }
        }
        Ok(())
    }

    #[test]
    fn retained_players_count_everybody_once() -> Result<(), Error> {
        let pool = Pool::synthetic(3, 1);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &ByResult([0.25, 0.25, 0.25]))?;
        let pairing = Pairing::new(vec![(2, 0)], vec![1]);
        assert!((cost.expected_retained(&pairing) - 2.25).abs() < 1e-12);
        Ok(())
    }

    #[test]
    #[should_panic(expected = "player 99 of a pairing where the pool has 3")]
    fn pairings_of_other_pools_are_not_counted() {
        let pool = Pool::synthetic(3, 1);
        let cost = EngagementCost::new(&pool, &OutcomeModel::default(), &ByResult([0.25, 0.25, 0.25]));
        cost.expect("probabilities")
            .expected_retained(&Pairing::new(vec![(0, 99)], vec![]));
    }

    #[test]
    fn a_model_that_gives_no_probability_is_refused() {
        let pool = Pool::synthetic(1, 1);
        let bad = EngagementCost::new(&pool, &OutcomeModel::default(), &ByResult([0.1, f64::NAN, 0.2]));
        assert!(matches!(bad, Err(Error::NotAProbability { .. })));
    }
}
