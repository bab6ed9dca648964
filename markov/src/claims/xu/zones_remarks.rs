//! What the text says of two zones beside its equations.

use super::zones::{factor, wait_all};
use super::{Answer, Formula, Stated, int, is_false, q, says_so, truth};
use crate::claims::curve::Curve;
use crate::error::Error;
use crate::scalar::Rational;

type Q = Rational;

/// The improvement factor where nobody is choice-free, the total rate being one.
fn first(a: &Q) -> Answer {
    factor(&[a.clone(), int(1) - a, int(0)])
}

/// `E[T]` where experienced players become choice-free: A stands, and B + C = 1 - A.
fn mixed(a: &Q, c: &Q) -> Answer {
    wait_all(&[a.clone(), int(1) - a - c, c.clone()])
}

/// `E[T]` where choice-free players come in addition to A + B = 1.
fn added(a: &Q, c: &Q) -> Answer {
    wait_all(&[a.clone(), int(1) - a, c.clone()])
}

/// `E[T]` by (19) to (22), with the share of an empty system that (35) to (39) leave.
fn by_formulas([a, b, c]: &[Q; 3]) -> Q {
    let total = a + b + c;
    let (to_a, to_b) = (a + c, b + c);
    let both = a * b / &total;
    let shares = int(1) + a / &to_a + b / &to_b + &both / &to_a + &both / &to_b + c / &total;
    let wait = |own: &Q, other: &Q| {
        let top = int(2) * own * other + own * c + int(2) * other * other + int(4) * other * c + c * c;
        top / (&to_a * &to_b * &total)
    };
    let sum = a * wait(a, b) + b * wait(b, a) + c / &total;
    sum / total / shares
}

/// The improvement factor along A, with a total rate of one, for so many choice-free players.
fn along_a(c: &Q) -> Result<Curve, Error> {
    Curve::through(int(0), int(1) - c, |a| factor(&[a.clone(), int(1) - a - c, c.clone()]))
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = themselves();
    claims.extend(maximum());
    claims.extend(system());
    claims
}

fn of_a(label: &'static str, statement: &'static str, computed: fn(&[Q; 1]) -> Answer) -> Formula<1> {
    Formula::new(label, statement, ["lambda_A"], says_so, computed)
}

fn of_c(label: &'static str, statement: &'static str, computed: fn(&[Q; 1]) -> Answer) -> Formula<1> {
    Formula::new(label, statement, ["lambda_C"], says_so, computed)
}

fn themselves() -> Vec<Stated> {
    let shares: Vec<[Q; 1]> = (2..9).map(|n| [q(n, 10)]).collect();
    let lines = [0, 1, 3, 5, 8].map(|n| [q(n, 10)]);
    vec![
        Formula::new(
            "save 75 %",
            "For A = B the first choice-free player saves 75 % of the wait",
            ["lambda_B"],
            |_| Ok(q(3, 4)),
            |[b]| Ok(int(1) - factor(&[b.clone(), b.clone(), int(0)])?),
        )
        .at(&[[q(1, 2)], [int(1)], [q(7, 3)]]),
        of_c(
            "benefit diminishes",
            "For A = B the benefit falls as C grows (1 if so, A and B being one)",
            |[c]| truth(factor(&[int(1), int(1), c + q(1, 10)])? > factor(&[int(1), int(1), c.clone()])?),
        )
        .at(&[0, 1, 5, 20].map(|c| [q(c, 4)])),
        Formula::new(
            "benefit diminishes, for all rates",
            "For A = B, q rises with the share of C among all from 0 to 1 (1 if so, by Sturm's theorem)",
            [],
            says_so,
            |_| {
                let half = |c: &Q| (int(1) - c) / int(2);
                let curve = Curve::through(int(0), int(1), |c| factor(&[half(c), half(c), c.clone()]))?;
                truth(curve.derivative().is_positive())
            },
        )
        .at(&[[]]),
        of_c(
            "being choice-free benefits themselves, zones",
            "E[T_C] is less than E[T_B], the total rate being one (1 if so for all lambda_A, by Sturm's theorem)",
            |[c]| {
                let saved = Curve::through(int(0), int(1) - c, |a| {
                    Ok(int(1) - factor(&[a.clone(), int(1) - a - c, c.clone()])?)
                })?;
                truth(saved.is_positive())
            },
        )
        .at(&lines),
        of_a(
            "depends on A alone",
            "Without choice-free players q is a function of A/total alone (1 if three times the rates give the same)",
            |[a]| truth(factor(&[int(3) * a, int(3) * (int(1) - a), int(0)])? == first(a)?),
        )
        .at(&shares),
        of_a(
            "no incentive",
            "With a crowded junior zone there is no incentive for being choice-free: q is near 1 (1 if above 1/2)",
            |[a]| truth(first(a)? > q(1, 2)),
        )
        .corrected(
            "q = (1-A)/2 goes to 0 as A goes to 1: there the incentive is largest",
            is_false,
        )
        .at(&shares),
        of_a("q increases", "q increases as A decreases (1 if so)", |[a]| {
            truth(first(&(a - q(1, 10)))? > first(a)?)
        })
        .at(&shares),
        of_c(
            "q increases, for all rates of A",
            "q increases as A decreases and B increases, the total rate being one (1 if so for all lambda_A, by Sturm's theorem)",
            |[c]| truth(along_a(c)?.derivative().is_negative()),
        )
        .at(&lines),
    ]
}

fn maximum() -> Vec<Stated> {
    vec![
        Formula::new(
            "90 %",
            "For A = 0.8, B = 0.2 being choice-free saves 90 %",
            ["lambda_A", "lambda_B"],
            |_| Ok(q(9, 10)),
            |[a, b]| Ok(int(1) - factor(&[a.clone(), b.clone(), int(0)])?),
        )
        .at(&[[q(4, 5), q(1, 5)]]),
        of_a("90 % is the maximum", "No mix saves more than 90 % (1 if so)", |[a]| {
            truth(int(1) - first(a)? <= q(9, 10))
        })
        .corrected("(1+A)/2, without a maximum below 1: 95 % for A = 0.9", |[a]| {
            truth((int(1) + a) / int(2) <= q(9, 10))
        })
        .at(&[[q(4, 5)], [q(9, 10)], [q(99, 100)]]),
    ]
}

/// On both sides of where `E[T]` turns from convex to concave, as far as there is room for a step.
fn turns() -> Vec<[Q; 2]> {
    let of = |a: i64, cs: &[i64]| cs.iter().map(|&c| [q(a, 20), q(c, 20)]).collect::<Vec<_>>();
    [of(4, &[14, 15]), of(5, &[10, 11, 12, 13]), of(6, &[7, 8, 9, 10, 13])].concat()
}

fn system() -> Vec<Stated> {
    let grid: Vec<[Q; 2]> = [(1, 1), (2, 2), (3, 1), (5, 2), (7, 1), (1, 5)]
        .map(|(a, c)| [q(a, 10), q(c, 10)])
        .to_vec();
    let lines = [1, 5, 9].map(|n| [q(n, 10)]);
    let say = |label, statement, computed| Formula::new(label, statement, ["lambda_A", "lambda_C"], says_so, computed);
    vec![
        say(
            "more choice-free, less waiting",
            "E[T] falls as experienced players become choice-free (1 if so)",
            |[a, c]| truth(mixed(a, &(c + q(1, 20)))? < mixed(a, c)?),
        )
        .at(&grid),
        of_a(
            "more choice-free, less waiting, for all rates of C",
            "E[T] falls as experienced players become choice-free, the total rate being one (1 if so for all lambda_C, by Sturm's \
             theorem)",
            |[a]| {
                let curve = Curve::through(int(0), int(1) - a, |c| mixed(a, c))?;
                truth(curve.derivative().is_negative())
            },
        )
        .at(&lines),
        say(
            "marginal value decreases",
            "E[T] falls slower and slower as choice-free players come in addition to A + B = 1 (1 if so)",
            |[a, c]| {
                let step = q(1, 20);
                let here = added(a, c)?;
                truth(added(a, &(c - &step))? - &here > &here - added(a, &(c + &step))?)
            },
        )
        .at(&grid),
        of_a(
            "marginal value decreases, for all rates of C",
            "E[T] falls slower and slower as choice-free players come in addition to A + B = 1, up to ten times as many (1 if so \
             for all lambda_C, by Sturm's theorem)",
            |[a]| {
                let slope = Curve::through(int(0), int(10), |c| added(a, c))?.derivative();
                truth(slope.is_negative() && slope.derivative().is_positive())
            },
        )
        .at(&lines),
        say(
            "marginal value, normalized",
            "With normalized rates E[T] falls slower and slower as experienced players become choice-free (1 if so)",
            |[a, c]| {
                let step = q(1, 20);
                let here = mixed(a, c)?;
                truth(mixed(a, &(c - &step))? - &here > &here - mixed(a, &(c + &step))?)
            },
        )
        .corrected(
            "by (19) to (22) that depends on lambda_C: it does so at lambda_A = 0.1 throughout, at 0.2 up to lambda_C = 0.79, at 0.25 up to \
             0.58 and at 0.3 up to 0.41, and falls faster and faster beyond, as it does throughout at lambda_A = 0.5 and 0.7",
            |[a, c]| {
                let at = |c: &Q| by_formulas(&[a.clone(), int(1) - a - c, c.clone()]);
                let (step, here) = (q(1, 20), at(c));
                truth(at(&(c - &step)) - &here > &here - at(&(c + &step)))
            },
        )
        .at(&[grid, turns()].concat()),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Q, added, along_a, by_formulas, factor, first, int, mixed, q, wait_all};

    /// Verdicts are about differences of these; here are the values.
    #[test]
    fn waits_by_formulas_are_those_of_the_chain() {
        for (a, b, c) in [(1, 1, 1), (1, 4, 2), (5, 2, 1), (3, 7, 11), (2, 1, 0)] {
            let rates = [a, b, c].map(|rate| q(rate, 3));
            assert_eq!(Ok(by_formulas(&rates)), wait_all(&rates));
        }
        let (a, c) = (q(1, 5), q(3, 10));
        assert_eq!(mixed(&a, &c), Ok(by_formulas(&[q(1, 5), q(1, 2), q(3, 10)])));
        assert_eq!(added(&a, &c), Ok(by_formulas(&[q(1, 5), q(4, 5), q(3, 10)])));
    }

    /// To the digits that the correction prints.
    #[test]
    fn waits_turn_from_convex_to_concave() {
        let is_convex = |a: &Q, thousandths: i64| {
            let at = |c: i64| by_formulas(&[a.clone(), int(1) - a - q(c, 1000), q(c, 1000)]);
            at(thousandths - 1) + at(thousandths + 1) > int(2) * at(thousandths)
        };
        for (a, last) in [(20, 790), (25, 578), (30, 405)] {
            let a = q(a, 100);
            assert!([1, last / 2, last].iter().all(|&c| is_convex(&a, c)));
            assert!(!is_convex(&a, last + 6));
        }
        for c in (1..900).step_by(49) {
            assert!(is_convex(&q(1, 10), c), "{c}");
        }
        for c in (1..299).step_by(49) {
            assert!(!is_convex(&q(1, 2), c) && !is_convex(&q(7, 10), c), "{c}");
        }
    }

    #[test]
    fn the_improvement_factor_along_a_line_is_that_of_the_point() {
        for a in [q(1, 10), q(1, 2), q(7, 10)] {
            let expected = (int(1) - &a) / int(2);
            assert_eq!(first(&a), Ok(expected.clone()));
            assert_eq!(along_a(&int(0)).map(|curve| curve.at(&a)), Ok(expected));
        }
        let expected = factor(&[q(1, 5), q(1, 2), q(3, 10)]);
        assert_eq!(along_a(&q(3, 10)).map(|curve| curve.at(&q(1, 5))), expected);
    }
}
