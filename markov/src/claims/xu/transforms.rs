//! Equations (26) to (34): where those come from that choose sides.

use super::sides::{RATES, empty, sides, stable, waits};
use super::{Answer, Formula, Stated, int, pow, q};
use crate::models::xu::{Choice, Lobby};
use crate::scalar::Rational;
use crate::states::Limits;

type Q = Rational;

/// A side: who waits for it is the number of the state, positive or negative.
#[derive(Clone, Copy)]
enum Side {
    A,
    B,
}

impl Side {
    /// The rates at which a line for this side grows and shrinks.
    fn rates(self, [a, b, c]: &[Q; 3]) -> (Q, Q) {
        match self {
            Self::A => (a.clone(), b + c),
            Self::B => (b.clone(), a + c),
        }
    }

    /// The share of time with so many in the line.
    fn share(self, x: &[Q; 3], count: i32) -> Answer {
        let state = match self {
            Self::A => count,
            Self::B => -count,
        };
        sides(x)?.probability(state)
    }

    /// The series `sum over i >= 1 of pi_i z^i`: three terms one by one, the others as the geometric series that they
    /// are.
    fn series(self, x: &[Q; 3], z: &Q) -> Answer {
        let mut sum = int(0);
        let mut power = z.clone();
        for count in 1..4 {
            sum += self.share(x, count)? * &power;
            power *= z;
        }
        let next = self.share(x, 4)?;
        let ratio = self.share(x, 5)? / &next;
        Ok(sum + next * power / (int(1) - ratio * z))
    }

    /// What (28) or (29) says that the series is.
    fn transform(self, x: &[Q; 3], z: &Q) -> Answer {
        let (up, down) = self.rates(x);
        Ok(&up * empty(x)? * z / (down - up * z))
    }

    /// The derivative of that at one.
    fn slope(self, x: &[Q; 3]) -> Answer {
        let (up, down) = self.rates(x);
        Ok(&up * empty(x)? * &down / pow(&(down - up), 2))
    }
}

/// Share of time in which so many of a kind wait, in the chain cut off at five: no closed form is behind it.
fn cut(x: &[Q; 3], kind: u8, count: usize) -> Answer {
    let arrivals = [1, 2, 3].into_iter().zip(x.iter().cloned()).collect();
    let lobby = Lobby::with_capacity(Choice, arrivals, 5, Limits::default())?;
    Ok(lobby.probability(&vec![kind; count]))
}

/// The rates of a point with one more number.
fn rates(x: &[Q; 4]) -> [Q; 3] {
    [x[0].clone(), x[1].clone(), x[2].clone()]
}

fn level(x: &[Q; 4]) -> usize {
    usize::try_from(x[3].to_integer()).unwrap_or(0)
}

/// Each stable point with each of these numbers.
fn each(numbers: &[Q]) -> Vec<[Q; 4]> {
    let with = |[a, b, c]: [Q; 3]| {
        numbers
            .iter()
            .map(move |n| [a.clone(), b.clone(), c.clone(), n.clone()])
    };
    stable().into_iter().flat_map(with).collect()
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = reversibility();
    claims.extend(series());
    claims.extend(waits_by_transforms());
    claims
}

fn reversibility() -> Vec<Stated> {
    let states = each(&[int(0), int(1), int(2)]);
    let names = ["lambda_A", "lambda_B", "lambda_C", "n"];
    vec![
        Formula::new(
            "reversibility, side A",
            "A pi_n = (B+C) pi_(n+1)",
            names,
            |x| Ok(&x[0] * cut(&rates(x), 1, level(x))?),
            |x| Ok((&x[1] + &x[2]) * cut(&rates(x), 1, level(x) + 1)?),
        )
        .at(&states),
        Formula::new(
            "reversibility, side B",
            "B pi_(-n) = (A+C) pi_(-n-1)",
            names,
            |x| Ok(&x[1] * cut(&rates(x), 2, level(x))?),
            |x| Ok((&x[0] + &x[2]) * cut(&rates(x), 2, level(x) + 1)?),
        )
        .at(&states),
        Formula::new(
            "reversibility, either",
            "C pi_0 = total pi_1'",
            RATES,
            |x| Ok(&x[2] * cut(x, 3, 0)?),
            |x| Ok((&x[0] + &x[1] + &x[2]) * cut(x, 3, 1)?),
        )
        .at(&stable()),
    ]
}

fn series() -> Vec<Stated> {
    let zs = each(&[q(1, 2), q(-1, 3), int(1)]);
    let names = ["lambda_A", "lambda_B", "lambda_C", "z"];
    vec![
        Formula::new(
            "(26)",
            "N1(z) = sum of pi_i z^i over i >= 1, which by (28) is A pi_0 z / (B+C - A z)",
            names,
            |x| Side::A.transform(&rates(x), &x[3]),
            |x| Side::A.series(&rates(x), &x[3]),
        )
        .at(&zs),
        Formula::new(
            "(27)",
            "N2(z) = sum of pi_(-i) z^i over i >= 1, which by (29) is B pi_0 z / (A+C - B z)",
            names,
            |x| Side::B.transform(&rates(x), &x[3]),
            |x| Side::B.series(&rates(x), &x[3]),
        )
        .at(&zs),
        Formula::new(
            "(28)",
            "A z N1(z) + A pi_0 z = (B+C) N1(z). Printed: the left side; computed: the right side",
            names,
            |x| Ok(&x[0] * &x[3] * Side::A.series(&rates(x), &x[3])? + &x[0] * empty(&rates(x))? * &x[3]),
            |x| Ok((&x[1] + &x[2]) * Side::A.series(&rates(x), &x[3])?),
        )
        .at(&zs),
        Formula::new(
            "(29)",
            "B z N2(z) + B pi_0 z = (A+C) N2(z). Printed: the left side; computed: the right side",
            names,
            |x| Ok(&x[1] * &x[3] * Side::B.series(&rates(x), &x[3])? + &x[1] * empty(&rates(x))? * &x[3]),
            |x| Ok((&x[0] + &x[2]) * Side::B.series(&rates(x), &x[3])?),
        )
        .at(&zs),
        Formula::new(
            "(30)",
            "N(z) = N1(z) + N2(z) + pi_1' z + pi_0, with N1 and N2 by (28) and (29). Computed: the sum over all states of their \
             share times z for each who waits",
            names,
            |x| {
                let (x, z) = (&rates(x), &x[3]);
                let lines = Side::A.transform(x, z)? + Side::B.transform(x, z)?;
                Ok(lines + sides(x)?.probability_either()? * z + empty(x)?)
            },
            by_states,
        )
        .at(&zs),
    ]
}

fn by_states(x: &[Q; 4]) -> Answer {
    let (x, z) = (&rates(x), &x[3]);
    let sides = sides(x)?;
    let alone = sides.probability(0)? + z * sides.probability_either()?;
    Ok(Side::A.series(x, z)? + Side::B.series(x, z)? + alone)
}

fn waits_by_transforms() -> Vec<Stated> {
    let stable = stable();
    fn say(
        label: &'static str,
        statement: &'static str,
        printed: fn(&[Q; 3]) -> Answer,
        computed: fn(&[Q; 3]) -> Answer,
    ) -> Formula<3> {
        Formula::new(label, statement, RATES, printed, computed)
    }
    vec![
        say(
            "(31)",
            "E[T_A] = (N1'(1) + N1(1) + pi_0) / (B+C)",
            |x| Ok((Side::A.slope(x)? + Side::A.transform(x, &int(1))? + empty(x)?) / (&x[1] + &x[2])),
            |x| Ok(sides(x)?.wait_a()?.mean),
        )
        .at(&stable),
        say(
            "(32)",
            "E[T_B] = (N2'(1) + N2(1) + pi_0) / (A+C)",
            |x| Ok((Side::B.slope(x)? + Side::B.transform(x, &int(1))? + empty(x)?) / (&x[0] + &x[2])),
            |x| Ok(sides(x)?.wait_b()?.mean),
        )
        .at(&stable),
        say(
            "(33)",
            "E[T_C] = pi_0 / (A+B+C)",
            |x| Ok(empty(x)? / (&x[0] + &x[1] + &x[2])),
            |x| Ok(sides(x)?.wait_either()?.mean),
        )
        .at(&stable),
        say(
            "(34)",
            "E[T] = (A E[T_A] + B E[T_B] + C E[T_C]) / (A+B+C). Computed: N'(1) / (A+B+C), by Little's law",
            |x| {
                let [for_a, for_b, either, _] = waits(x)?;
                Ok((&x[0] * for_a + &x[1] * for_b + &x[2] * either) / (&x[0] + &x[1] + &x[2]))
            },
            |x| Ok(mean_number(x)? / (&x[0] + &x[1] + &x[2])),
        )
        .at(&stable),
    ]
}

/// `N'(1)`: those who wait for a side, and who takes either.
fn mean_number(x: &[Q; 3]) -> Answer {
    Ok(Side::A.slope(x)? + Side::B.slope(x)? + sides(x)?.probability_either()?)
}
