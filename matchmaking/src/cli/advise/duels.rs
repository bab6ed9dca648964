//! Duels of players who prefer something, and players who do not: choosing sides, and two zones.

use markov::claims::{Paper, Value};
use markov::models::xu::{Moments, Recurrence, Sides, Together, Zones};
use markov::{Error, Rational, Scalar};

use super::args::AdviseArgs;
use super::report::{Figure, Formula, Recommendation, Verdicts, figure};
use super::xu::{int, is_some, lobby, wait_together};

const MINUTES: &str = "minutes";
const RATE: &str = "per minute";

const STABLE: Formula = (
    "(12)",
    "(12): queues stay finite if and only if lambda_C > |lambda_A - lambda_B|",
);
const PLAIN: Formula = ("(1)", "(1): E[T] = (k-1)/(2 lambda) in a k-player game, here k = 2");
const SIDE_A: Formula = ("(13)", "(13): E[T_A] = (B+C) pi_0 / (B+C-A)^2");
const SIDE_B: Formula = ("(14)", "(14): E[T_B] = (A+C) pi_0 / (A+C-B)^2");
const EITHER: Formula = ("(15)", "(15): E[T_C] = pi_0 / total");
const SIDES: Formula = ("(16)", "(16): E[T] where players choose sides");
const SIDES_FACTOR: Formula = ("(17)", "(17): q = E[T_C]/E[T_B] = (total - 2B)^2 / (total (total - B))");
const ZONE_A: Formula = ("(19)", "(19): E[T_A] with two zones");
const ZONE_B: Formula = ("(20)", "(20): E[T_B] with two zones");
const BOTH: Formula = ("(21)", "(21): E[T_C] = pi_0 / total");
const ZONES: Formula = ("(22)", "(22): E[T] = (A E[T_A] + B E[T_B] + C E[T_C]) / total");
const FACTOR: Formula = ("(23)", "(23): q = E[T_C]/E[T_B] = (A+C)(B+C) / (2A^2+2AB+4AC+BC+C^2)");
const FACTOR_FIRST: Formula = ("(25)", "(25): q = (1-A)/2 for C = 0 and total = 1");
const NO_INCENTIVE: Formula = (
    "no incentive",
    "no incentive: with a crowded zone A there is no incentive to play in both",
);
const MOST: Formula = ("90 % is the maximum", "90 % is the maximum: no mix saves more");

/// Zones, one bit each.
const ZONE_BITS: [u8; 3] = [1, 2, 3];

/// Who comes, per minute: for A, for B, and for either.
#[derive(Clone, Debug)]
struct Rates {
    a: Rational,
    b: Rational,
    c: Rational,
}

impl Rates {
    fn total(&self) -> Rational {
        self.a.clone() + &self.b + &self.c
    }

    fn list(&self) -> [Rational; 3] {
        [self.a.clone(), self.b.clone(), self.c.clone()]
    }

    /// The wait where everybody plays everybody.
    fn plain_wait(&self) -> Result<Rational, Error> {
        Ok(wait_together(Together(2), &self.total())?.mean)
    }
}

/// Everything that the options ask of duels.
pub(super) fn recommend(args: &AdviseArgs, verdicts: &Verdicts) -> Result<Vec<Recommendation>, Error> {
    let (Some(a), Some(b), Some(c)) = (args.prefer_a.clone(), args.prefer_b.clone(), args.free.clone()) else {
        return Ok(Vec::new());
    };
    let rates = Rates { a, b, c };
    Ok(vec![sides(&rates, verdicts)?, zones(&rates, verdicts)?])
}

fn plain(name: &'static str, wait: &Rational, rates: &Rates, verdicts: &Verdicts) -> Figure {
    let printed = int(1) / (int(2) * rates.total());
    figure(name, MINUTES, wait.clone()).beside(Some(printed.into()), verdicts.basis(Paper::Xu, PLAIN))
}

/// Whether to let players choose sides.
fn sides(rates: &Rates, verdicts: &Verdicts) -> Result<Recommendation, Error> {
    let basis = |formula| verdicts.basis(Paper::Xu, formula);
    let [a, b, c] = rates.list();
    let sides = Sides::new(a, b, c)?;
    let without = rates.plain_wait()?;
    let difference = if rates.a > rates.b {
        &rates.a - &rates.b
    } else {
        &rates.b - &rates.a
    };
    let mut figures = vec![
        figure("free", RATE, rates.c.clone()),
        figure("free_must_exceed", RATE, difference.clone()).beside(Some(difference.into()), basis(STABLE)),
        plain("wait_without_choosing", &without, rates, verdicts),
    ];
    let value = match sides.recurrence() {
        Recurrence::Transient if rates.a > rates.b => "no: the line for side A would grow without end",
        Recurrence::Transient => "no: the line for side B would grow without end",
        Recurrence::Null => "no: the mean wait would be infinite",
        Recurrence::Positive => {
            let all = sides.wait()?.mean;
            let longer = all.clone() / &without;
            figures.extend([
                figure("wait_all", MINUTES, all).beside(Some(printed::sixteen(rates).into()), basis(SIDES)),
                figure("wait_a", MINUTES, sides.wait_a()?.mean)
                    .beside(Some(printed::side_a(rates).into()), basis(SIDE_A)),
                figure("wait_b", MINUTES, sides.wait_b()?.mean)
                    .beside(Some(printed::side_b(rates).into()), basis(SIDE_B)),
                figure("wait_free", MINUTES, sides.wait_either()?.mean)
                    .beside(Some(printed::either(rates).into()), basis(EITHER)),
                figure(
                    "free_against_b",
                    "of the wait for B",
                    sides.wait_either()?.mean / sides.wait_b()?.mean,
                )
                .beside(Some(printed::seventeen(rates).into()), basis(SIDES_FACTOR)),
                figure("times_as_long", "the wait without choosing", longer.clone()),
            ]);
            if longer > int(1) {
                "they can: no line grows without end, but waits are longer than without choosing"
            } else {
                "it makes no difference: waits are as long as without choosing"
            }
        }
    };
    Ok(Recommendation {
        rule: "choosing-sides",
        value,
        basis: basis(STABLE),
        band: None,
        figures,
    })
}

/// The mean wait of a kind; none if it is infinite, for want of anybody to play with.
fn zone_waits(rates: &Rates) -> Result<[Option<Moments<Rational>>; 3], Error> {
    let list = rates.list();
    let kinds: Vec<(u8, Rational)> = ZONE_BITS.into_iter().zip(list).collect();
    let lobby = lobby(Zones, &kinds)?;
    let mut waits = [None, None, None];
    for (zones, wait) in ZONE_BITS.into_iter().zip(&mut waits) {
        if kinds.iter().any(|(other, rate)| zones & other != 0 && is_some(rate)) {
            *wait = Some(lobby.wait(zones)?);
        }
    }
    Ok(waits)
}

/// Whether to play in one zone of two, or in both.
fn zones(rates: &Rates, verdicts: &Verdicts) -> Result<Recommendation, Error> {
    let basis = |formula| verdicts.basis(Paper::Xu, formula);
    let waits = zone_waits(rates)?;
    let all = rates.list().into_iter().zip(&waits);
    let all = Moments::mixed(all.filter_map(|(rate, wait)| Some((rate, wait.as_ref()?))))?.mean;
    let [a, b, both] = waits.map(|wait| wait.map(|wait| wait.mean));
    // Somebody comes, and everybody plays who plays in both zones.
    let both = both.unwrap_or_else(|| int(0));
    let share = |wait: &Option<Rational>| wait.as_ref().map_or_else(|| int(0), |wait| both.clone() / wait);
    let (against_a, against_b) = (share(&a), share(&b));
    let is_less = [&against_a, &against_b].map(|share| *share < int(1));
    let value = if is_some(&rates.a) && is_less[0] || is_some(&rates.b) && is_less[1] {
        "invite players to play in both zones: who does waits less"
    } else if is_less.contains(&true) {
        "there is nobody to invite to both zones: only in a zone that nobody plays in alone would anybody wait longer"
    } else {
        "it makes no difference how many zones a player takes"
    };
    let printed = printed::zones(rates);
    let printed_wait = |which: usize| printed.as_ref().map(|waits| waits[which].clone().into());
    let mean = |wait: Option<Rational>| wait.map_or_else(|| f64::INFINITY.into(), Value::from);
    let (factor, factor_formula) = match printed::twenty_five(rates) {
        Some(factor) => (Some(factor), FACTOR_FIRST),
        None => (printed::twenty_three(rates), FACTOR),
    };
    let saved = int(1) - &against_b;
    let mut saving = figure("both_saves", "of the wait in B alone", saved.clone());
    if saved > Rational::ratio(9, 10) {
        saving = saving.beside(None, basis(MOST));
    } else if !is_some(&rates.c) && rates.a > rates.b {
        saving = saving.beside(None, basis(NO_INCENTIVE));
    }
    let figures = vec![
        figure("wait_a_only", MINUTES, mean(a)).beside(printed_wait(0), basis(ZONE_A)),
        figure("wait_b_only", MINUTES, mean(b)).beside(printed_wait(1), basis(ZONE_B)),
        figure("wait_both", MINUTES, both.clone()).beside(printed_wait(2), basis(BOTH)),
        figure("wait_all", MINUTES, all).beside(printed_wait(3), basis(ZONES)),
        plain("wait_one_zone", &rates.plain_wait()?, rates, verdicts),
        figure("both_against_b", "of the wait in B alone", against_b)
            .beside(factor.map(Value::from), basis(factor_formula)),
        figure("both_against_a", "of the wait in A alone", against_a),
        saving,
    ];
    Ok(Recommendation {
        rule: "two-zones",
        value,
        basis: basis(FACTOR),
        band: None,
        figures,
    })
}

/// The paper's formulas. Those of sides are for stable queues.
mod printed {
    use super::super::xu::over;
    use super::{Rates, Rational, Scalar, int, is_some};

    /// The share of time in which nobody waits, where players choose sides.
    fn empty(x: &Rates) -> Rational {
        let [a, b, c] = &x.list();
        int(1) / (a / (b + c - a) + b / (a + c - b) + c / x.total() + int(1))
    }

    pub(super) fn side_a(x: &Rates) -> Rational {
        let down = &x.b + &x.c;
        empty(x) * &down / (down - &x.a).pow(2)
    }

    pub(super) fn side_b(x: &Rates) -> Rational {
        let down = &x.a + &x.c;
        empty(x) * &down / (down - &x.b).pow(2)
    }

    pub(super) fn either(x: &Rates) -> Rational {
        empty(x) / x.total()
    }

    pub(super) fn sixteen(x: &Rates) -> Rational {
        let [a, b, c] = &x.list();
        let half = Rational::ratio(1, 2);
        let last = int(2) * (int(2) * a * b + a * c + b * c + c * c);
        &half / (a + c - b) + &half / (b + c - a) + int(1) / x.total() - half / c - (a + b + int(2) * c) / last
    }

    pub(super) fn seventeen(x: &Rates) -> Rational {
        let total = x.total();
        (&total - int(2) * &x.b).pow(2) / (&total * (&total - &x.b))
    }

    /// (19) to (22): for zone A, zone B, both, and all, with the share of an empty lobby that (35) to (39) add up to.
    pub(super) fn zones(x: &Rates) -> Option<[Rational; 4]> {
        let [a, b, c] = &x.list();
        let total = x.total();
        let (to_a, to_b) = (a + c, b + c);
        let ab = a * b;
        let sum = int(1)
            + over(a.clone(), to_a.clone())?
            + over(b.clone(), to_b.clone())?
            + over(ab.clone(), &to_a * &total)?
            + over(ab.clone(), &to_b * &total)?
            + c / &total;
        let empty = int(1) / sum;
        let bottom = to_a * to_b * &total;
        let wait = |one: &Rational, other: &Rational| {
            let top = int(2) * &ab + one * c + int(2) * other * other + int(4) * other * c + c * c;
            top / &bottom * &empty
        };
        let (for_a, for_b, both) = (wait(a, b), wait(b, a), &empty / &total);
        let all = (a * &for_a + b * &for_b + c * &both) / total;
        Some([for_a, for_b, both, all])
    }

    pub(super) fn twenty_three(x: &Rates) -> Option<Rational> {
        let [a, b, c] = &x.list();
        let bottom = int(2) * a * a + int(2) * a * b + int(4) * a * c + b * c + c * c;
        over((a + c) * (b + c), bottom)
    }

    /// Where nobody plays in both zones yet.
    pub(super) fn twenty_five(x: &Rates) -> Option<Rational> {
        let is_first = !is_some(&x.c) && is_some(&x.a);
        is_first.then(|| (int(1) - &x.a / x.total()) / int(2))
    }
}
