//! When pairing equal skills is best, and when it is worst: what draws have to do with it.
//!
//! If a player's risk depends on the result alone, a pair whose draw has probability `d` is expected to lose `(1 - d)
//! (c(Win) + c(Lose)) + 2 d c(Draw)` players, and everything depends on how `d` falls with the gap in skill. Of four
//! players in order of skill, with gaps `x`, `y`, `z`, neighbours have `d(x) + d(z)` draws, the pairing of the outer
//! and the inner two `d(y) + d(x + y + z)`, and the third pairing never more than neighbours as long as draws never become likelier
//! with the gap, as is taken for granted from here on. So neighbours have the most draws in all pools of four exactly if
//! `d(x) + d(z) >= d(y) + d(x + y + z)` for all gaps, which is so exactly if what is lost, `d(0) - d`, is superadditive. Then they do in pools of any size, since any pairing becomes that of
//! neighbours by steps that each look at four players.

use markov::Rational;
use markov::claims::{Claim, Remedy};

use super::pairings::{greatest, least, totals};
use super::{At, Tested, judged};
use crate::fractions::{int, ratio, truth};

/// Gaps in rating points: each of three takes all these values.
const GAPS: [i64; 3] = [50, 150, 300];

/// How likely two players draw whose ratings differ by so much.
type Draws = fn(i64) -> Rational;

/// (11): a fifth, whatever the gap.
fn constant(_: i64) -> Rational {
    ratio(1, 5)
}

/// Falls along a line.
fn linear(gap: i64) -> Rational {
    ratio(1, 5) * (int(1) - ratio(gap, 2000))
}

/// Falls faster the greater the gap is: what is lost is convex.
fn parabola(gap: i64) -> Rational {
    ratio(1, 5) * (int(1) - ratio(gap * gap, 1_000_000))
}

/// Falls as a bell does, with a tail.
fn bell(gap: i64) -> Rational {
    ratio(1, 5) / (int(1) + ratio(gap * gap, 40_000))
}

/// Halves with each 50 points.
fn halving(gap: i64) -> Rational {
    (0..gap / 50).fold(ratio(1, 5), |draws, _| draws / int(2))
}

const RULES: [Draws; 5] = [constant, linear, parabola, bell, halving];

/// Four players under a rule of draws.
#[derive(Clone, Copy)]
struct Four {
    gaps: [i64; 3],
    draws: Draws,
}

impl Four {
    /// All of them, those nearest to each other first.
    fn all() -> Vec<Self> {
        let triples = GAPS.map(|x| GAPS.map(|y| GAPS.map(|z| [x, y, z])));
        let mut triples = triples.concat().concat();
        triples.sort_by_key(|gaps| gaps.iter().sum::<i64>());
        let of = |gaps| RULES.map(|draws| Self { gaps, draws });
        triples.into_iter().flat_map(of).collect()
    }

    fn at(&self) -> At {
        let [x, y, z] = self.gaps;
        vec![
            ("x", int(x)),
            ("y", int(y)),
            ("z", int(z)),
            ("d(x)", (self.draws)(x)),
            ("d(y)", (self.draws)(y)),
            ("d(z)", (self.draws)(z)),
            ("d(x+y+z)", (self.draws)(x + y + z)),
        ]
    }

    /// Draws of two of them.
    fn draws(&self, i: usize, j: usize) -> Rational {
        (self.draws)(self.gaps[i.min(j)..i.max(j)].iter().sum())
    }

    /// What each pairing is expected to lose, neighbours first, with these risks after a win, a draw and a loss.
    fn lost(&self, [win, draw, loss]: [Rational; 3]) -> Vec<Rational> {
        totals(4, |i, j| {
            let drawn = self.draws(i, j);
            (int(1) - &drawn) * (&win + &loss) + int(2) * drawn * &draw
        })
    }

    /// The condition for neighbours to have the most draws.
    fn prefers_neighbours(&self) -> bool {
        let [x, y, z] = self.gaps;
        let d = self.draws;
        d(x) + d(z) >= d(y) + d(x + y + z)
    }
}

/// Risks with c(Win) + c(Lose) > 2 c(Draw), and with <.
fn risks(draw: i64) -> [Rational; 3] {
    [ratio(3, 10), ratio(draw, 10), ratio(5, 10)]
}

pub(super) fn claims() -> Vec<Claim> {
    let points = |test: &dyn Fn(&Four) -> (bool, bool)| -> Vec<Tested> {
        let point = |four: &Four| {
            let (is_so, should_be) = test(four);
            Tested::truth(four.at(), is_so).or_rather(truth(should_be))
        };
        Four::all().iter().map(point).collect()
    };
    let best = |four: &Four| {
        let lost = four.lost(risks(2));
        (lost[0] == least(&lost), four.prefers_neighbours())
    };
    let worst = |four: &Four| {
        let lost = four.lost(risks(6));
        (lost[0] == greatest(&lost), four.prefers_neighbours())
    };
    let decides = |four: &Four| {
        let draws = totals(4, |i, j| four.draws(i, j));
        let [x, y, z] = four.gaps;
        let is_constant = (four.draws)(x.min(y).min(z)) == (four.draws)(x + y + z);
        (least(&draws) != greatest(&draws), !is_constant)
    };
    vec![
        judged(
            "c(Win) + c(Lose) > 2 c(Draw): equivalent",
            "If risks depend on the result alone, and a tied game's sum is lower, equal-skill matchmaking is equivalent to EOMM. \
             Four players with gaps x, y, z in rating and draw probabilities d that never rise with the gap: 1 if no pairing is expected to lose fewer than neighbours.",
            Remedy::Correction(
                "so exactly if d(x) + d(z) >= d(y) + d(x+y+z); for draws that never become likelier with the gap, in all pools exactly \
                 if d(0) - d is superadditive, as convex functions are; under the paper's own (11) all pairings lose equally many, and equal-skill is as good as WorstMM",
            ),
            points(&best),
        ),
        judged(
            "both strive to form matches with Draw outcomes as many as possible",
            "The pairing decides how many draws are expected. Four players as above: 1 if so.",
            Remedy::Correction(
                "so if draws depend on the gap; under the paper's own (11) every pairing of P players expects P/10 draws",
            ),
            points(&decides),
        ),
        judged(
            "c(Win) + c(Lose) < 2 c(Draw): worst",
            "If risks depend on the result alone, and a tied game's sum is higher, equal-skill matchmaking is the worst of all. \
             Four players as above: 1 if no pairing is expected to lose more than neighbours.",
            Remedy::Correction(
                "so exactly if d(x) + d(z) >= d(y) + d(x+y+z); under the paper's own (11) all pairings lose equally many, and equal-skill \
                 is as good as EOMM",
            ),
            points(&worst),
        ),
        judged(
            "equal-skill based method can perform the worst under certain conditions",
            "Four players with draws that fall as a parabola, c(Win) + c(Lose) < 2 c(Draw): 1 if every other pairing is expected to lose fewer than \
             neighbours.",
            Remedy::None,
            Four::all()
                .iter()
                .filter(|four| (four.draws)(100) == parabola(100))
                .map(|four| {
                    let lost = four.lost(risks(6));
                    Tested::truth(four.at(), lost[1..].iter().all(|other| *other < lost[0]))
                })
                .collect(),
        ),
    ]
}
