//! The chains that figures 2, 3, 4, 7, 8 and 11 draw.
//!
//! Compared with a lobby: from which state to which one arrows lead, and at what rates. Lobbies that are one state of a
//! figure must all have its arrows.

use std::collections::{BTreeMap, BTreeSet};

use super::sides::stable;
use super::zones::points;
use super::{Answer, Formula, Stated, int, q};
use crate::error::Error;
use crate::models::xu::{Battle, Choice, Lobby, Order, Rule, Together, Zones};
use crate::scalar::Rational;
use crate::states::Limits;

type Q = Rational;

/// From a state, to a state, at a rate.
type Arrow<S> = (S, S, Q);

/// State 1' of figure 8: one waits who takes either side.
const EITHER: i32 = i32::MAX;

/// In how many arrows a figure and a lobby differ, out of the states from which the figure draws some.
fn differences<S: Ord + Clone>(
    figure: impl IntoIterator<Item = Arrow<S>>,
    lobby: &Lobby<Q, impl Rule>,
    state_of: impl Fn(&[u8]) -> S,
) -> Answer {
    let drawn: BTreeSet<Arrow<S>> = figure.into_iter().collect();
    let names: Vec<S> = lobby.stationary().map(|(parties, _)| state_of(parties)).collect();
    let mut moves = BTreeSet::new();
    for (at, from) in names.iter().enumerate() {
        if !drawn.iter().any(|(drawn, ..)| drawn == from) {
            continue;
        }
        let mut rates: BTreeMap<&S, Q> = BTreeMap::new();
        for (to, rate) in lobby.chain().rates().row(at) {
            *rates.entry(&names[to]).or_insert_with(|| int(0)) += rate;
        }
        moves.extend(rates.into_iter().map(|(to, rate)| (from.clone(), to.clone(), rate)));
    }
    let count = drawn.symmetric_difference(&moves).count();
    Ok(int(count as i64))
}

/// A figure, of which is said that it differs in no arrow.
fn drawn<const N: usize>(
    label: &'static str,
    statement: &'static str,
    names: [&'static str; N],
    computed: fn(&[Q; N]) -> Answer,
) -> Formula<N> {
    Formula::new(label, statement, names, |_| Ok(int(0)), computed)
}

pub(super) fn claims() -> Vec<Stated> {
    let mut claims = queues();
    claims.extend(sides());
    claims.push(zones());
    claims
}

fn battle(one: &Q, two: &Q) -> Result<Lobby<Q, Battle>, Error> {
    let order = Order::First;
    Lobby::new(Battle { size: 2, order }, vec![(1, one.clone()), (2, two.clone())])
}

/// Players who came alone, and teams.
fn counts(parties: &[u8]) -> (usize, usize) {
    let teams = parties.iter().filter(|&&size| size == 2).count();
    (parties.len() - teams, teams)
}

fn queues() -> Vec<Stated> {
    let sizes: Vec<[Q; 2]> = (2..=6).map(|k| [int(k), q(k + 2, 3)]).collect();
    let mixes: Vec<[Q; 2]> = [(1, 2, 1, 4), (1, 1, 1, 1), (1, 3, 2, 1), (7, 3, 5, 11)]
        .map(|(a, b, c, d)| [q(a, b), q(c, d)])
        .to_vec();
    let names = ["lambda_1", "lambda_2"];
    vec![
        drawn(
            "figure 2",
            "The chain of a k-player queue: from n to n + 1, and from k - 1 to 0, at rate lambda. Compared: in how many arrows it \
             differs from the queue.",
            ["k", "lambda"],
            |[k, rate]| {
                let players = usize::try_from(k.to_integer()).unwrap_or(0);
                let lobby = Lobby::new(Together(players), vec![(1, rate.clone())])?;
                let figure = (0..players).map(|n| (n, (n + 1) % players, rate.clone()));
                differences(figure, &lobby, <[u8]>::len)
            },
        )
        .at(&sizes),
        drawn(
            "figure 3",
            "The number of waiting players is a chain: one more at rate lambda_1, two more at rate lambda_2, modulo four. Compared: in \
             how many arrows it differs from the queue.",
            names,
            |[one, two]| {
                let figure = (0..4).flat_map(|n| [(n, (n + 1) % 4, one.clone()), (n, (n + 2) % 4, two.clone())]);
                let players = |parties: &[u8]| parties.iter().map(|&size| usize::from(size)).sum();
                differences(figure, &battle(one, two)?, players)
            },
        )
        .at(&mixes),
        drawn(
            "figure 4",
            "The chain of a single queue, a team waiting in states 2b and 3b. Compared: in how many of its twelve arrows it differs \
             from the queue.",
            names,
            |[one, two]| {
                // Alone and in teams: 0, 1, 2a, 3a, 2b and 3b.
                let figure = [
                    ((0, 0), (1, 0), (0, 1)),
                    ((1, 0), (2, 0), (1, 1)),
                    ((2, 0), (3, 0), (0, 0)),
                    ((3, 0), (0, 0), (1, 0)),
                    ((0, 1), (1, 1), (0, 0)),
                    ((1, 1), (0, 0), (1, 0)),
                ];
                let arrows = figure
                    .into_iter()
                    .flat_map(|(from, by_one, by_two)| [(from, by_one, one.clone()), (from, by_two, two.clone())]);
                differences(arrows, &battle(one, two)?, counts)
            },
        )
        .at(&mixes),
    ]
}

/// Sides with room for five, so that nobody is turned away in what figures 7 and 8 show.
fn choosing([a, b, c]: [&Q; 3]) -> Result<Lobby<Q, Choice>, Error> {
    let arrivals = vec![(1, a.clone()), (2, b.clone()), (3, c.clone())];
    Lobby::with_capacity(Choice, arrivals, 5, Limits::default())
}

/// `n` wait for side A, or `-n` for side B, or one for either.
fn line(parties: &[u8]) -> i32 {
    let count = |kind: u8| parties.iter().map(|&other| i32::from(other == kind)).sum::<i32>();
    match count(3) {
        0 => count(1) - count(2),
        _ => EITHER,
    }
}

/// The arrows of figure 7 out of states -2 to 2: one more for A, one more for B.
fn seven(a: &Q, b: &Q) -> Vec<Arrow<i32>> {
    (-2..=2)
        .flat_map(|n| [(n, n + 1, a.clone()), (n, n - 1, b.clone())])
        .collect()
}

/// Those of figure 8, but for the one from 1 to 2.
fn eight(a: &Q, b: &Q, c: &Q) -> Vec<Arrow<i32>> {
    let to_the_right = |n: i32| if n < 0 { a + c } else { a.clone() };
    let to_the_left = |n: i32| if n > 0 { b + c } else { b.clone() };
    let mut arrows: Vec<Arrow<i32>> = (-2..=2)
        .flat_map(|n| [(n, n + 1, to_the_right(n)), (n, n - 1, to_the_left(n))])
        .filter(|&(from, to, _)| (from, to) != (1, 2))
        .collect();
    arrows.push((0, EITHER, c.clone()));
    arrows.push((EITHER, 0, a + b + c));
    arrows
}

/// The rate from 1 to 2.
fn second_in_line(lobby: &Lobby<Q, Choice>) -> Q {
    let names: Vec<i32> = lobby.stationary().map(|(parties, _)| line(parties)).collect();
    let from = names.iter().position(|&name| name == 1);
    let row = from.into_iter().flat_map(|from| lobby.chain().rates().row(from));
    row.filter(|&(to, _)| names[to] == 2)
        .map(|(_, rate)| rate.clone())
        .sum()
}

fn sides() -> Vec<Stated> {
    let names = ["lambda_A", "lambda_B", "lambda_C"];
    let pairs: Vec<[Q; 2]> = [(1, 2, 1, 3), (1, 1, 1, 1), (2, 7, 5, 3)]
        .map(|(a, b, c, d)| [q(a, b), q(c, d)])
        .to_vec();
    vec![
        drawn(
            "figure 7",
            "The chain where all choose sides: from i to i + 1 at rate lambda_A, to i - 1 at rate lambda_B. Compared, out of states \
             -2 to 2: in how many arrows it differs from the queue.",
            ["lambda_A", "lambda_B"],
            |[a, b]| differences(seven(a, b), &choosing([a, b, &int(0)])?, line),
        )
        .at(&pairs),
        drawn(
            "figure 8",
            "The chain with choice-free players. Compared, out of states -2 to 2 and 1', and but for the arrow from 1 to 2: in how many \
             arrows it differs from the queue.",
            names,
            |[a, b, c]| {
                let lobby = choosing([a, b, c])?;
                // The one that is left out is looked at by the next claim.
                let figure = eight(a, b, c).into_iter().chain([(1, 2, second_in_line(&lobby))]);
                differences(figure, &lobby, line)
            },
        )
        .at(&stable()),
        Formula::new(
            "figure 8, from 1 to 2",
            "The rate from 1 to 2 is lambda_1 (no players have that rate: as printed, it is zero)",
            names,
            |_| Ok(int(0)),
            |[a, b, c]| Ok(second_in_line(&choosing([a, b, c])?)),
        )
        .read_as("lambda_1 is lambda_A", |[a, _, _]| Ok(a.clone()))
        .at(&stable()),
    ]
}

fn zones() -> Stated {
    drawn(
        "figure 11",
        "The chain of two zones in FIFO order. Compared: in how many of its twelve arrows it differs from the queue.",
        ["lambda_A", "lambda_B", "lambda_C"],
        |[a, b, c]| {
            let arrivals = vec![(1, a.clone()), (2, b.clone()), (3, c.clone())];
            let figure: [(&[u8], &[u8], Q); 12] = [
                (&[], &[1], a.clone()),
                (&[], &[2], b.clone()),
                (&[], &[3], c.clone()),
                (&[1], &[], a + c),
                (&[1], &[1, 2], b.clone()),
                (&[2], &[], b + c),
                (&[2], &[2, 1], a.clone()),
                (&[1, 2], &[2], a + c),
                (&[1, 2], &[1], b.clone()),
                (&[2, 1], &[1], b + c),
                (&[2, 1], &[2], a.clone()),
                (&[3], &[], a + b + c),
            ];
            let arrows = figure.map(|(from, to, rate)| (from.to_vec(), to.to_vec(), rate));
            differences(arrows, &Lobby::new(Zones, arrivals)?, <[u8]>::to_vec)
        },
    )
    .at(&points())
}

#[cfg(test)]
mod tests {
    use super::{battle, choosing, counts, differences, eight, int, line, q, second_in_line, seven};

    #[test]
    fn an_arrow_too_many_too_few_or_at_another_rate_is_seen() {
        let rates = [q(1, 2), q(1, 3), q(1, 5)];
        let [a, b, c] = &rates;
        let lobby = choosing([a, b, c]).expect("finite");
        let mut figure = eight(a, b, c);
        assert_eq!(differences(figure.clone(), &lobby, line), Ok(int(1)));
        figure.push((1, 2, a.clone()));
        assert_eq!(second_in_line(&lobby), *a);
        assert_eq!(differences(figure.clone(), &lobby, line), Ok(int(0)));
        figure[0].2 = int(7);
        assert_eq!(differences(figure, &lobby, line), Ok(int(2)));
        // With choice-free players lines shrink faster, and somebody waits for either.
        assert_ne!(differences(seven(a, b), &lobby, line), Ok(int(0)));
        let figure = [((0, 0), (1, 0), q(1, 2)), ((0, 0), (2, 0), q(1, 3))];
        let lobby = battle(&q(1, 2), &q(1, 3)).expect("finite");
        assert_eq!(differences(figure, &lobby, counts), Ok(int(2)));
    }
}
