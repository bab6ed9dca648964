//! Two against two, by players who come alone and in pairs: one queue or two, and who is served first.

use std::cmp::Ordering;

use markov::claims::{Paper, Value};
use markov::models::xu::{Battle, Moments, Order, Packed, Rule, Together};
use markov::{Error, Rational, Scalar};

use super::args::AdviseArgs;
use super::report::{Basis, Figure, Formula, Recommendation, Verdicts, figure};
use super::xu::{int, is_some, lobby, wait_together};

const MINUTES: &str = "minutes";
const SQUARES: &str = "minutes^2";

const LONGER: Formula = (
    "67 % more",
    "67 % more: where single players and pairs both come, two queues make players wait 67 % longer than one",
);
const BETTER: Formula = (
    "FIFO outperforms LIFO",
    "FIFO outperforms LIFO: where both come, their means are the same, and its variance is smaller",
);
const PAIRS_ALONE: Formula = ("lambda_1 = 0", "lambda_1 = 0: with pairs alone E[T] = 1/(2 lambda_2)");
const ONE: Formula = ("(3)", "(3): E[T] = 3/(2 lambda_total) with any mechanism");
const TWO: Formula = ("(6)", "(6): E[T] = 5/(2 lambda_total) with two queues");
const SINGLES: Formula = ("(4)", "(4): E[T_1] = 3/(2 lambda_1) with two queues");
const PAIRS: Formula = ("(5)", "(5): E[T_2] = 1/(2 lambda_2) with two queues");
const VARIANCE_TWO: Variance = Variance {
    mixed: ("(7)", "(7): Var[T] with two queues"),
    alone: "(7) for l1, l2 > 0: Var[T] with two queues",
};
const VARIANCE_FIFO: Variance = Variance {
    mixed: ("(9) FIFO", "(9) FIFO: Var[T], first in, first out"),
    alone: "(9) FIFO for l1, l2 > 0: Var[T], first in, first out",
};

/// A formula about both kinds, and what is printed beside a variance where one of them does not come.
#[derive(Clone, Copy, Debug)]
struct Variance {
    mixed: Formula,
    alone: &'static str,
}

impl Variance {
    /// Without the corrected form where that would divide by the rate of those who do not come.
    fn basis(&self, arrivals: &Arrivals, verdicts: &Verdicts) -> Basis {
        let basis = verdicts.basis(Paper::Xu, self.mixed);
        if arrivals.are_mixed() {
            return basis;
        }
        Basis {
            formula: self.alone,
            correction: None,
            ..basis
        }
    }
}

/// An order of service: what its figures are called, and which formulas the paper has for it.
#[derive(Clone, Copy, Debug)]
struct Service {
    all: [&'static str; 2],
    singles: [&'static str; 2],
    pairs: [&'static str; 2],
    mean: Formula,
    variance: Variance,
    printed_variance: fn(&Arrivals) -> Option<Rational>,
}

const SERVICES: [Service; 3] = [
    Service {
        all: ["wait_fifo", "variance_fifo"],
        singles: ["wait_singles_fifo", "variance_singles_fifo"],
        pairs: ["wait_pairs_fifo", "variance_pairs_fifo"],
        mean: ONE,
        variance: VARIANCE_FIFO,
        printed_variance: printed::nine,
    },
    Service {
        all: ["wait_packing", "variance_packing"],
        singles: ["wait_singles_packing", "variance_singles_packing"],
        pairs: ["wait_pairs_packing", "variance_pairs_packing"],
        mean: ("(8) packing", "(8) packing: E[T] = 3/(2 lambda_total)"),
        variance: Variance {
            mixed: ("(9) packing", "(9) packing: Var[T], packing"),
            alone: "(9) packing for l1, l2 > 0: Var[T], packing",
        },
        printed_variance: printed::nine,
    },
    Service {
        all: ["wait_lifo", "variance_lifo"],
        singles: ["wait_singles_lifo", "variance_singles_lifo"],
        pairs: ["wait_pairs_lifo", "variance_pairs_lifo"],
        mean: ("(8) LIFO", "(8) LIFO: E[T] = 3/(2 lambda_total)"),
        variance: Variance {
            mixed: ("(10)", "(10): Var[T], last in, first out"),
            alone: "(10) for l1, l2 > 0: Var[T], last in, first out",
        },
        printed_variance: printed::ten,
    },
];

/// Who comes, per minute.
#[derive(Clone, Debug)]
struct Arrivals {
    singles: Rational,
    pairs: Rational,
}

impl Arrivals {
    /// Whether both kinds come, as the paper has it.
    fn are_mixed(&self) -> bool {
        is_some(&self.singles) && is_some(&self.pairs)
    }
}

/// How long a player waits; nothing for kinds that do not come.
#[derive(Clone, Debug, PartialEq)]
struct Waits {
    singles: Option<Moments<Rational>>,
    pairs: Option<Moments<Rational>>,
}

impl Waits {
    /// In one queue.
    fn in_one(rule: impl Rule, arrivals: &Arrivals) -> Result<Self, Error> {
        let rates = [(1, arrivals.singles.clone()), (2, arrivals.pairs.clone())];
        let lobby = lobby(rule, &rates)?;
        let [singles, pairs] = rates.map(|(kind, rate)| is_some(&rate).then(|| lobby.wait(kind)).transpose());
        Ok(Self {
            singles: singles?,
            pairs: pairs?,
        })
    }

    /// Where four single players play each other, and two pairs do.
    fn in_two(arrivals: &Arrivals) -> Result<Self, Error> {
        let alone = |players: usize, rate: &Rational| {
            let wait = is_some(rate).then(|| wait_together(Together(players), rate));
            wait.transpose()
        };
        Ok(Self {
            singles: alone(4, &arrivals.singles)?,
            pairs: alone(2, &arrivals.pairs)?,
        })
    }

    /// Of any player: a pair counts twice.
    fn of_all(&self, arrivals: &Arrivals) -> Result<Moments<Rational>, Error> {
        let parts = [
            (arrivals.singles.clone(), &self.singles),
            (int(2) * &arrivals.pairs, &self.pairs),
        ];
        Moments::mixed(
            parts
                .into_iter()
                .filter_map(|(rate, wait)| wait.as_ref().map(|wait| (rate, wait))),
        )
    }
}

/// Everything that the options ask of games of two against two.
pub(super) fn recommend(args: &AdviseArgs, verdicts: &Verdicts) -> Result<Vec<Recommendation>, Error> {
    let (Some(singles), Some(pairs)) = (args.singles.clone(), args.pairs.clone()) else {
        return Ok(Vec::new());
    };
    let arrivals = Arrivals { singles, pairs };
    Ok(vec![queues(&arrivals, verdicts)?, services(&arrivals, verdicts)?])
}

fn some(value: Option<Rational>) -> Option<Value> {
    value.map(Value::from)
}

/// The mean in one queue. Pairs alone never wait for single players, which (3) and (8) take for granted.
fn mean_in_one(
    name: &'static str,
    mean: Rational,
    formula: Formula,
    arrivals: &Arrivals,
    verdicts: &Verdicts,
) -> Figure {
    let (printed, formula) = if is_some(&arrivals.singles) {
        (printed::three(arrivals), formula)
    } else {
        (printed::five(arrivals), PAIRS_ALONE)
    };
    figure(name, MINUTES, mean).beside(some(printed), verdicts.basis(Paper::Xu, formula))
}

/// One queue or two.
fn queues(arrivals: &Arrivals, verdicts: &Verdicts) -> Result<Recommendation, Error> {
    let basis = |formula| verdicts.basis(Paper::Xu, formula);
    let order = Order::First;
    let (one, two) = (
        Waits::in_one(Battle { size: 2, order }, arrivals)?,
        Waits::in_two(arrivals)?,
    );
    let (all_one, all_two) = (one.of_all(arrivals)?, two.of_all(arrivals)?);
    let longer = all_two.mean.clone() / &all_one.mean - int(1);
    let by_wait = all_one.mean.cmp(&all_two.mean);
    let value = match by_wait.then(all_one.variance().cmp(&all_two.variance())) {
        Ordering::Less => "one queue for all",
        Ordering::Equal => "either: only one kind comes, and has its queue to itself",
        Ordering::Greater => "two queues",
    };
    let hundredths = arrivals.are_mixed().then(|| Rational::ratio(67, 100).into());
    let mut figures = vec![
        mean_in_one("wait_one_queue", all_one.mean.clone(), ONE, arrivals, verdicts),
        figure("wait_two_queues", MINUTES, all_two.mean.clone()).beside(some(printed::six(arrivals)), basis(TWO)),
        figure("two_queues_longer_by", "of the wait in one", longer).beside(hundredths, basis(LONGER)),
        figure("variance_one_queue", SQUARES, all_one.variance())
            .beside(some(printed::nine(arrivals)), VARIANCE_FIFO.basis(arrivals, verdicts)),
        figure("variance_two_queues", SQUARES, all_two.variance())
            .beside(some(printed::seven(arrivals)), VARIANCE_TWO.basis(arrivals, verdicts)),
    ];
    if let (Some(one), Some(two)) = (&one.singles, &two.singles) {
        figures.push(figure("wait_singles_one_queue", MINUTES, one.mean.clone()));
        let two = figure("wait_singles_two_queues", MINUTES, two.mean.clone());
        figures.push(two.beside(some(printed::four(arrivals)), basis(SINGLES)));
    }
    if let (Some(one), Some(two)) = (&one.pairs, &two.pairs) {
        figures.push(figure("wait_pairs_one_queue", MINUTES, one.mean.clone()));
        let two = figure("wait_pairs_two_queues", MINUTES, two.mean.clone());
        figures.push(two.beside(some(printed::five(arrivals)), basis(PAIRS)));
    }
    Ok(Recommendation {
        rule: "one-queue-or-two",
        value,
        basis: basis(LONGER),
        band: None,
        figures,
    })
}

/// Who is served first.
fn services(arrivals: &Arrivals, verdicts: &Verdicts) -> Result<Recommendation, Error> {
    let basis = |formula| verdicts.basis(Paper::Xu, formula);
    let battle = |order| Battle { size: 2, order };
    let waits = [
        Waits::in_one(battle(Order::First), arrivals)?,
        Waits::in_one(Packed, arrivals)?,
        Waits::in_one(battle(Order::Last), arrivals)?,
    ];
    let [one, packed, last] = waits.each_ref().map(|waits| waits.of_all(arrivals));
    let all = [one?, packed?, last?];
    let variances = all.each_ref().map(Moments::variance);
    let is_best = variances
        .each_ref()
        .map(|variance| variances.iter().all(|other| variance <= other));
    let value = match is_best {
        [true, true, true] => "any: only one kind comes, and all orders do the same",
        [true, true, false] => "first in, first out; packing does the same",
        [true, false, _] => "first in, first out",
        [false, true, _] => "packing",
        [false, false, _] => "last in, first out",
    };
    let mut figures = Vec::new();
    for ((service, waits), all) in SERVICES.iter().zip(&waits).zip(&all) {
        let [mean, variance] = service.all;
        let printed = some((service.printed_variance)(arrivals));
        figures.push(mean_in_one(mean, all.mean.clone(), service.mean, arrivals, verdicts));
        figures.push(
            figure(variance, SQUARES, all.variance()).beside(printed, service.variance.basis(arrivals, verdicts)),
        );
        let kinds = [(service.singles, &waits.singles), (service.pairs, &waits.pairs)];
        for ([mean, variance], wait) in kinds {
            if let Some(wait) = wait {
                figures.push(figure(mean, MINUTES, wait.mean.clone()));
                figures.push(figure(variance, SQUARES, wait.variance()));
            }
        }
    }
    Ok(Recommendation {
        rule: "service-order",
        value,
        basis: basis(BETTER),
        band: None,
        figures,
    })
}

/// The paper's formulas; none where they divide by zero, or are about two kinds and one does not come.
mod printed {
    use super::super::xu::over;
    use super::{Arrivals, Rational, Scalar, int};

    /// Players per minute.
    fn total(x: &Arrivals) -> Rational {
        x.singles.clone() + int(2) * &x.pairs
    }

    pub(super) fn three(x: &Arrivals) -> Option<Rational> {
        over(int(3), int(2) * total(x))
    }

    pub(super) fn four(x: &Arrivals) -> Option<Rational> {
        over(int(3), int(2) * &x.singles)
    }

    pub(super) fn five(x: &Arrivals) -> Option<Rational> {
        over(int(1), int(2) * &x.pairs)
    }

    pub(super) fn six(x: &Arrivals) -> Option<Rational> {
        x.are_mixed().then(|| Rational::ratio(5, 2) / total(x))
    }

    pub(super) fn seven(x: &Arrivals) -> Option<Rational> {
        let (a, b) = (&x.singles, &x.pairs);
        let top = int(3) * a.pow(2) - a * b + int(11) * b.pow(2);
        over(top, int(2) * total(x).pow(2) * a * b)
    }

    /// First in, first out, and packing.
    pub(super) fn nine(x: &Arrivals) -> Option<Rational> {
        if !x.are_mixed() {
            return None;
        }
        let (a, b) = (&x.singles, &x.pairs);
        let both = a + b;
        let first = int(7) * a.pow(2) + a * b + int(4) * b.pow(2);
        let second = int(2) * a * b.pow(3) + int(3) * b.pow(4);
        let square = over(first, int(2) * a * both.pow(3))? - over(second, a * total(x) * both.pow(4))?;
        Some(square - three(x)?.pow(2))
    }

    /// Last in, first out.
    pub(super) fn ten(x: &Arrivals) -> Option<Rational> {
        if !x.are_mixed() {
            return None;
        }
        let (a, b) = (&x.singles, &x.pairs);
        let both = a + b;
        let first = int(5) * a.pow(3) * b + int(7) * a.pow(2) * b.pow(2) + int(10) * a * b.pow(3) + int(2) * b.pow(4);
        let squares = a.pow(2) + int(2) * a * b + int(2) * b.pow(2);
        let second = int(8) * a.pow(2) + int(7) * a * b;
        let square = over(first, int(2) * a * both.pow(3) * squares)? + over(second, int(2) * both.pow(4))?;
        Some(square - three(x)?.pow(2))
    }
}
