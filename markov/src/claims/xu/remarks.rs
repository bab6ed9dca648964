//! What the text says of one queue and two beside its equations.

use super::queues::{battle, mixes, nine_corrected, packed, seven_corrected, two_queues, waits};
use super::{Answer, Formula, Stated, int, is_false, q, says_so, truth};
use crate::chain::{Ctmc, Dtmc};
use crate::claims::curve::Curve;
use crate::claims::{Paper, Point, Remedy, Statement, Value};
use crate::error::Error;
use crate::models::xu::{Battle, Lobby, Order, Packed, Rule};
use crate::passage::Passage;
use crate::scalar::{Rational, Scalar};
use crate::sparse::Csr;

type Q = Rational;

const RATES: [&str; 2] = ["lambda_1", "lambda_2"];

/// A mix with a total rate of one.
fn normalized(one: &Q) -> [Q; 2] {
    [one.clone(), (int(1) - one) / int(2)]
}

fn first(one: &Q, two: &Q) -> Answer {
    Ok(battle(Order::First, one, two)?.variance())
}

fn last(one: &Q, two: &Q) -> Answer {
    Ok(battle(Order::Last, one, two)?.variance())
}

fn apart(one: &Q, two: &Q) -> Answer {
    Ok(two_queues(one, two)?.variance())
}

/// Something about the variances of all mixes with a total rate of one.
fn of_all_mixes(f: impl Fn(&Q, &Q) -> Answer) -> Result<Curve, Error> {
    Curve::through(int(0), int(1), |one| {
        let [a, b] = normalized(one);
        f(&a, &b)
    })
}

/// The mean wait where nobody comes alone.
fn teams_alone(two: &Q) -> Answer {
    let order = Order::First;
    let lobby = Lobby::new(Battle { size: 2, order }, vec![(2, two.clone())])?;
    Ok(lobby.wait(2)?.mean)
}

/// The shares of the states of figure 4: nobody, one player, two and three of them alone, with and without a team.
fn shares(rule: impl Rule, one: &Q, two: &Q) -> Result<[Q; 6], Error> {
    let lobby = Lobby::new(rule, vec![(1, one.clone()), (2, two.clone())])?;
    let share = |parties: &[u8]| lobby.probability(parties);
    let mixed = share(&[1, 2]) + share(&[2, 1]);
    Ok([
        share(&[]),
        share(&[1]),
        share(&[1, 1]),
        share(&[1, 1, 1]),
        share(&[2]),
        mixed,
    ])
}

/// (11): the least variance with two queues, where the variance has the only zero of its slope.
fn eleven() -> Stated {
    let statement = Statement {
        paper: Paper::Xu,
        label: "(11)",
        statement: "With two queues Var[T] is least at lambda_1/lambda_total = 2 sqrt(33) - 11 = 0.489",
        remedy: Remedy::Correction("least at 5 - 2 sqrt(5) = 0.528; 2 sqrt(33) - 11 minimises (7) as printed"),
    };
    Stated::new(statement, || {
        let least = of_all_mixes(apart)
            .ok()
            .and_then(|variance| variance.derivative().only_zero());
        vec![Point {
            at: Vec::new(),
            printed: Some((2.0 * 33.0_f64.sqrt() - 11.0).into()),
            computed: Value::from(least.map_or(f64::NAN, |least| least.to_float())),
            corrected: Some((5.0 - 2.0 * 5.0_f64.sqrt()).into()),
            simulated: None,
        }]
    })
}

/// The squared coefficient of variation of the time from one packed arrival of two to the next, as in figure 6: a team, or
/// two players alone. It is one if that time is exponential.
fn packed_arrivals(one: &Q, two: &Q) -> Answer {
    // Nobody or one player waits to be packed; then two have come, and nobody or one is left waiting.
    let mut rows = vec![vec![(2, two.clone())], vec![(3, two.clone())], vec![], vec![]];
    if *one > int(0) {
        rows[0].push((1, one.clone()));
        rows[1].push((2, one.clone()));
    }
    let chain = Ctmc::new(&Csr::from_rows(4, rows))?;
    let from = |state: usize| {
        let mut start = vec![int(0); 4];
        start[state] = int(1);
        chain.absorption(&start)
    };
    let next = Dtmc::new(&Csr::from_rows(
        2,
        [from(0)?, from(1)?].map(|to| to.into_iter().enumerate()),
    ))?;
    let start = next.long_run(&[int(1), int(0)])?;
    let moments = Passage::ctmc(&chain, &[2, 3])?.moments(2);
    let mixed = |of: &[Q]| start[0].clone() * &of[0] + start[1].clone() * &of[1];
    let (mean, square) = (mixed(&moments[0]), mixed(&moments[1]));
    Ok(square / (mean.clone() * &mean) - int(1))
}

fn figure_six() -> Vec<Stated> {
    let alone: Vec<[Q; 1]> = [q(1, 3), int(1), q(7, 2)].map(|rate| [rate]).to_vec();
    vec![
        Formula::new(
            "figure 6, lambda_1 = 0",
            "The only hurdle to exponential times between packed arrivals is players who come alone: with teams alone their squared \
             coefficient of variation is 1",
            ["lambda_2"],
            says_so,
            |[two]| packed_arrivals(&int(0), two),
        )
        .at(&alone),
        Formula::new(
            "figure 6, for all rates",
            "As lambda_1 increases, the 1v1 approximation becomes more inaccurate: with normalized rates the squared coefficient of \
             variation, 1 of exponential times, falls for all 0 < lambda_1 < 1 (1 if so, by Sturm's theorem)",
            [],
            says_so,
            |_| truth(of_all_mixes(packed_arrivals)?.derivative().is_negative()),
        )
        .at(&[[]]),
    ]
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = queues();
    claims.extend(orders());
    claims.extend(for_all_rates());
    claims.extend(least());
    claims.extend(figure_six());
    claims
}

fn say(label: &'static str, statement: &'static str, computed: fn(&[Q; 2]) -> Answer) -> Formula<2> {
    Formula::new(label, statement, RATES, says_so, computed)
}

fn queues() -> Vec<Stated> {
    let alone: Vec<[Q; 1]> = [q(1, 3), int(1), q(7, 2)].map(|rate| [rate]).to_vec();
    vec![
        Formula::new(
            "67 % more",
            "Two queues make players wait 67 % longer than one, in whole percents",
            RATES,
            |_| Ok(int(67)),
            |[a, b]| Ok((int(100) * (two_queues(a, b)?.mean / battle(Order::First, a, b)?.mean - int(1))).round()),
        )
        .at(&mixes()),
        Formula::new(
            "lambda_1 = 0",
            "With teams alone the battle is a 2-player game: E[T] = 1/(2 lambda_2), and not (3)",
            ["lambda_2"],
            |[b]| Ok(q(1, 2) / b),
            |[b]| teams_alone(b),
        )
        .at(&alone),
    ]
}

fn orders() -> Vec<Stated> {
    let mixes = mixes();
    let normal: Vec<[Q; 2]> = (1..20).map(|n| normalized(&q(n, 20))).collect();
    vec![
        say(
            "packing is FIFO",
            "Packing is equivalent to FIFO, kind by kind (1 if mean and variance are the same)",
            |[a, b]| {
                let order = Order::First;
                truth(waits(Packed, a, b)? == waits(Battle { size: 2, order }, a, b)?)
            },
        )
        .at(&mixes),
        say(
            "the same CTMC",
            "All the three service orders yield the same CTMC (1 if they spend the same time in each state of figure 4)",
            |[a, b]| {
                let [first, last] = [Order::First, Order::Last].map(|order| shares(Battle { size: 2, order }, a, b));
                let (first, last, packed) = (first?, last?, shares(Packed, a, b)?);
                truth(first == last && first == packed && first.iter().sum::<Q>() == int(1))
            },
        )
        .at(&mixes),
        say(
            "FIFO outperforms LIFO",
            "FIFO has the smaller variance (1 if so)",
            |[a, b]| truth(first(a, b)? < last(a, b)?),
        )
        .at(&mixes),
        say(
            "single queues outperform",
            "All mechanisms with a single queue have a smaller variance than two queues (1 if so)",
            |[a, b]| {
                let two = apart(a, b)?;
                truth(first(a, b)? < two && last(a, b)? < two && packed(a, b)?.variance() < two)
            },
        )
        .at(&normal),
        say(
            "do not differ much",
            "FIFO's and LIFO's variances do not differ much: by at most a fifth (1 if so)",
            |[a, b]| truth(last(a, b)? / first(a, b)? <= q(6, 5)),
        )
        .at(&normal),
    ]
}

/// The same for all rates at once: variances scale with the square of time, so that a total rate of one is enough.
fn for_all_rates() -> Vec<Stated> {
    let say = |label, statement, computed| Formula::new(label, statement, [], says_so, computed).at(&[[]]);
    vec![
        say(
            "FIFO outperforms LIFO, for all rates",
            "LIFO's variance less FIFO's is positive for all lambda_1, lambda_2 > 0 (1 if so, by Sturm's theorem)",
            |_| truth(of_all_mixes(|a, b| Ok(last(a, b)? - first(a, b)?))?.is_positive()),
        ),
        say(
            "single queues outperform, for all rates",
            "The variance of two queues less that of one, LIFO the worst, is positive for all lambda_1, lambda_2 > 0 (1 if so, by \
             Sturm's theorem)",
            |_| truth(of_all_mixes(|a, b| Ok(apart(a, b)? - last(a, b)?))?.is_positive()),
        ),
        say(
            "do not differ much, for all rates",
            "LIFO's variance is less than 6/5 of FIFO's for all lambda_1, lambda_2 > 0 (1 if so, by Sturm's theorem)",
            |_| truth(of_all_mixes(|a, b| Ok(q(6, 5) * first(a, b)? - last(a, b)?))?.is_positive()),
        ),
    ]
}

fn least() -> Vec<Stated> {
    vec![
        eleven(),
        Formula::new(
            "Var 2Q at 0.489",
            "The least variance with two queues stands at 0.489: a step of 0.01 to the right makes it larger (1 if so)",
            ["lambda_1"],
            says_so,
            |[one]| {
                let at = |one: &Q| {
                    let [a, b] = normalized(one);
                    apart(&a, &b)
                };
                truth(at(&(one + q(1, 100)))? > at(one)?)
            },
        )
        .corrected("it makes it smaller: the least is at 0.528", is_false)
        .at(&[[q(489, 1000)]]),
        Formula::new(
            "FIFO against 2Q",
            "One FIFO queue beats two, by corrected forms: their difference is what the chains give",
            RATES,
            |x| Ok(seven_corrected(x)? - nine_corrected(x)?),
            |[a, b]| Ok(apart(a, b)? - first(a, b)?),
        )
        .at(&mixes()),
    ]
}

#[cfg(test)]
mod tests {
    use super::{int, normalized, packed_arrivals, q};

    /// A time of rate `s = lambda_1 + lambda_2`, and with probability `r = lambda_1` another one.
    #[test]
    fn packed_arrivals_vary_as_one_or_two_exponential_times() {
        for r in [q(0, 1), q(1, 9), q(1, 2), q(8, 9)] {
            let [one, two] = normalized(&r);
            let more = int(1) + &r;
            let expected = int(1) - int(2) * &r * &r / (more.clone() * &more);
            assert_eq!(packed_arrivals(&one, &two), Ok(expected));
        }
    }
}
