//! How likely each result of a game is.

use std::f64::consts::{LN_10, PI};

use skillratings::elo::{self, EloRating};
use skillratings::glicko::{self, GlickoRating};

use crate::player::Outcome;

/// Probabilities of the three results, from the first player's point of view.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct OutcomeProbabilities {
    /// The first player wins.
    pub win: f64,
    /// Nobody wins.
    pub draw: f64,
    /// The first player loses.
    pub loss: f64,
}

impl OutcomeProbabilities {
    /// Probability of one result.
    pub fn of(&self, outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Win => self.win,
            Outcome::Draw => self.draw,
            Outcome::Loss => self.loss,
        }
    }

    /// The same game from the opponent's point of view.
    #[must_use]
    pub fn mirror(&self) -> Self {
        Self {
            win: self.loss,
            draw: self.draw,
            loss: self.win,
        }
    }

    /// Sum of the three: 1, up to rounding.
    pub fn total(&self) -> f64 {
        self.win + self.draw + self.loss
    }
}

/// Which rating system's expected score is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkillModel {
    /// Elo: ratings alone.
    Elo,
    /// Glicko, the EOMM paper's choice: rating deviations pull the expected score towards one half.
    #[default]
    Glicko,
}

impl SkillModel {
    /// Expected score of the first of two players, each given by rating and deviation.
    fn expected_score(self, (rating, deviation): (f64, f64), (other, other_deviation): (f64, f64)) -> f64 {
        match self {
            Self::Elo => elo::expected_score(&EloRating { rating }, &EloRating { rating: other }).0,
            Self::Glicko => {
                let opponent = GlickoRating {
                    rating: other,
                    deviation: other_deviation,
                };
                glicko::expected_score(&GlickoRating { rating, deviation }, &opponent).0
            }
        }
    }
}

/// How likely a draw is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum DrawRule {
    /// 20 % whatever the gap: equation (11) of the EOMM paper.
    #[default]
    Constant,
    /// `0.2 exp(-(d / 400)²)` for a rating difference of `d`: unequal players draw less often.
    GapDependent,
    /// Either form with other numbers, such as a log of games gives.
    Fitted(DrawShare),
}

/// How often games are drawn: `share exp(-(d / width)²)` at a rating difference of `d`, or `share` whatever the
/// difference.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct DrawShare {
    share: f64,
    width: Option<f64>,
}

impl DrawShare {
    /// The share among equals, from 0 to 1, and the difference of ratings at which it has fallen by a factor e, above
    /// 0; `None` for a share that does not fall. Nothing where a number is out of range.
    pub fn new(share: f64, width: Option<f64>) -> Option<Self> {
        let is_valid = (0.0..=1.0).contains(&share) && width.is_none_or(|width| width > 0.0 && width.is_finite());
        is_valid.then_some(Self { share, width })
    }

    /// The share among equals.
    pub fn share(&self) -> f64 {
        self.share
    }

    /// The difference at which it has fallen by a factor e, if it falls.
    pub fn width(&self) -> Option<f64> {
        self.width
    }

    /// The share at a difference of ratings.
    pub fn at(&self, difference: f64) -> f64 {
        let fallen = self.width.map_or(1.0, |width| (-(difference / width).powi(2)).exp());
        self.share * fallen
    }
}

impl DrawRule {
    /// Share among equals, unless it is fitted.
    const AMONG_EQUALS: f64 = 0.2;
    /// Rating difference at which the gap-dependent share has fallen by a factor e.
    const WIDTH: f64 = 400.0;

    /// The rule in numbers.
    pub fn share(self) -> DrawShare {
        let (share, width) = match self {
            Self::Constant => (Self::AMONG_EQUALS, None),
            Self::GapDependent => (Self::AMONG_EQUALS, Some(Self::WIDTH)),
            Self::Fitted(fitted) => return fitted,
        };
        DrawShare { share, width }
    }
}

/// Win, draw and loss probabilities of a pair: equations (11) to (13) of the EOMM paper, or what a log says.
///
/// Under the paper's draw rules, what the draw leaves is shared as the rating system's expected scores are: with the
/// score `e` and the chance of a draw `d`, the first player wins with `(1 - d) e`. The default is the paper's: Glicko
/// and a draw in 20 % of games.
///
/// Under [`DrawRule::Fitted`] the first player wins with `e - d / 2`, no less than 0 and no more than `1 - d`. Ratings
/// that come from games count a draw as half a point, so that `e` is the chance of a win and half that of a draw; the
/// paper's rule, whose expected score is `(1 - d) e + d / 2`, would have weak players win too often where draws are
/// frequent.
///
/// # Examples
/// ```
/// use matchmaking::{DrawRule, OutcomeModel, SkillModel};
///
/// let model = OutcomeModel::new(SkillModel::Elo, DrawRule::Constant);
/// let chances = model.probabilities((1600.0, 50.0), (1200.0, 50.0));
/// assert!((chances.win - 0.8 * 10.0 / 11.0).abs() < 1e-12);
/// assert!((chances.total() - 1.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutcomeModel {
    skill: SkillModel,
    draws: DrawRule,
}

impl OutcomeModel {
    /// A rating system and a draw rule.
    pub fn new(skill: SkillModel, draws: DrawRule) -> Self {
        Self { skill, draws }
    }

    /// The share of draws, where it is the same for all pairs.
    pub(super) fn constant_draw(&self) -> Option<f64> {
        let draws = self.draws.share();
        draws.width.is_none().then_some(draws.share)
    }

    /// The greatest share of draws.
    pub(super) fn draw_share(&self) -> f64 {
        self.draws.share().share
    }

    /// How the chance of a win follows from the expected score at this chance of a draw.
    pub(super) fn wins(&self, draw: f64) -> Wins {
        let most = 1.0 - draw;
        match self.draws {
            DrawRule::Fitted(_) => Wins {
                factor: 1.0,
                less: draw / 2.0,
                most,
            },
            DrawRule::Constant | DrawRule::GapDependent => Wins {
                factor: most,
                less: 0.0,
                most,
            },
        }
    }

    /// What a player of this deviation adds to the square of the factor by which uncertain ratings flatten the expected
    /// score: 1 for two players without any.
    pub(super) fn spread(&self, deviation: f64) -> f64 {
        match self.skill {
            SkillModel::Elo => 0.5,
            SkillModel::Glicko => {
                let q = LN_10 / 400.0;
                0.5 + 3.0 * (q * deviation / PI).powi(2)
            }
        }
    }

    /// Chances of a player against another, each given by rating and deviation.
    pub fn probabilities(&self, player: (f64, f64), opponent: (f64, f64)) -> OutcomeProbabilities {
        let score = self.skill.expected_score(player, opponent);
        let draw = self.draws.share().at(player.0 - opponent.0);
        let wins = self.wins(draw);
        OutcomeProbabilities {
            win: wins.at(score),
            draw,
            loss: wins.at(1.0 - score),
        }
    }
}

/// The chance of a win at an expected score: `factor` times the score, less `less`, from 0 to `most`. Whatever the
/// rule, the chances at a score and at 1 less that score add up to `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Wins {
    pub(super) factor: f64,
    pub(super) less: f64,
    /// What the draw leaves.
    pub(super) most: f64,
}

impl Wins {
    #[inline(always)]
    pub(super) fn at(self, score: f64) -> f64 {
        let chance = self.factor * score - self.less;
        // Comparisons instead of `clamp`, which asserts: this runs in vector code.
        let chance = if chance > 0.0 { chance } else { 0.0 };
        if chance < self.most { chance } else { self.most }
    }
}

#[cfg(test)]
mod tests {
    use super::{DrawRule, DrawShare, OutcomeModel, SkillModel};

    fn fitted(share: f64, width: Option<f64>) -> DrawRule {
        DrawRule::Fitted(DrawShare::new(share, width).expect("a share"))
    }

    #[test]
    fn probabilities_sum_to_one_and_mirror() {
        let paper = [DrawRule::Constant, DrawRule::GapDependent];
        let fitted = [0.0, 0.33, 1.0].map(|share| [fitted(share, None), fitted(share, Some(250.0))]);
        for skill in [SkillModel::Elo, SkillModel::Glicko] {
            for draws in paper.into_iter().chain(fitted.into_iter().flatten()) {
                let model = OutcomeModel::new(skill, draws);
                for gap in [-1e9, -5000.0, -300.0, 0.0, 1.0, 300.0, 5000.0, 1e9] {
                    let here = model.probabilities((1500.0 + gap, 40.0), (1500.0, 200.0));
                    let there = model.probabilities((1500.0, 200.0), (1500.0 + gap, 40.0)).mirror();
                    assert!((here.total() - 1.0).abs() < 1e-12);
                    for (a, b) in [(here.win, there.win), (here.draw, there.draw), (here.loss, there.loss)] {
                        assert!((0.0..=1.0).contains(&a) && (a - b).abs() < 1e-12, "{here:?} {there:?}");
                    }
                }
            }
        }
    }

    /// Ratings count a draw as half a point, and so must what is foretold from them.
    #[test]
    fn fitted_chances_have_the_expected_score() {
        let model = OutcomeModel::new(SkillModel::Elo, fitted(0.33, None));
        for gap in [-150.0, 0.0, 150.0] {
            let chances = model.probabilities((1500.0 + gap, 0.0), (1500.0, 0.0));
            let score = 1.0 / (1.0 + 10.0f64.powf(-gap / 400.0));
            assert!((chances.win + chances.draw / 2.0 - score).abs() < 1e-12, "{chances:?}");
        }
        let hopeless = model.probabilities((1000.0, 0.0), (1500.0, 0.0));
        assert!(
            hopeless.win == 0.0 && (hopeless.loss - 0.67).abs() < 1e-12,
            "{hopeless:?}"
        );
    }

    #[test]
    fn published_values() {
        let elo = OutcomeModel::new(SkillModel::Elo, DrawRule::GapDependent);
        let chances = elo.probabilities((1900.0, 0.0), (1500.0, 0.0));
        assert!((chances.draw - 0.2 * (-1.0f64).exp()).abs() < 1e-12);
        assert!((chances.win / (chances.win + chances.loss) - 10.0 / 11.0).abs() < 1e-12);
        // Glickman's example: 1400/80 against 1500/150 has the expected score 0.376.
        let glicko = OutcomeModel::default().probabilities((1400.0, 80.0), (1500.0, 150.0));
        assert!((glicko.win / 0.8 - 0.376).abs() < 5e-4, "{glicko:?}");
    }
}
