//! Sentences: what the algorithms are said to have in common, and what the paper reads off its tables.

use markov::Rational;
use markov::claims::{Claim, Point, Remedy};

use super::printed::Formulas;
use super::{At, judged, periodic, point, queues, remedied};
use crate::fractions::{int, ratio, rounded, truth};
use crate::online::{Arrivals, Error, Game, Pattern, PolicyKind, Setting, game_cost, simulate};

/// Table 3: costs in units of the optimum's, in hundredths.
const TABLE_3: [(&str, i64); 4] = [("A_G", 204), ("A_PM", 164), ("A_MQ", 141), ("A_DW", 139)];

/// Logs that are replayed: players in each, and rates.
const ARRIVALS: usize = 2_001;
const RATES: [f64; 3] = [0.2, 1.0, 10.0];

pub(super) fn claims(formulas: &Formulas) -> Vec<Claim> {
    vec![
        dearest_game(),
        foreign_players(),
        smallest_parameters(),
        periodic::example_cost(formulas),
        queues::example_cost(formulas),
        periodic::example_best(formulas),
        above_the_optimum(),
        more_than_double(),
    ]
}

/// Criteria cost and cost of a game at time 5 of players who all arrived at time 0, with these criteria.
fn cost(k: usize, criteria: &[f64]) -> Result<(Rational, Rational), Error> {
    let setting = Setting::new(k, 5.0, 1)?;
    let arrivals = Arrivals::new(1, criteria.iter().map(|value| (0.0, std::slice::from_ref(value))))?;
    let players: Vec<u32> = (0..criteria.len() as u32).collect();
    let game = Game {
        time: 5.0,
        players: &players,
    };
    let found = game_cost(&setting, &arrivals, game);
    // Criteria are quarters, so that nothing is rounded.
    let exact = |value: f64| ratio((value * 64.0).round() as i64, 64);
    Ok((exact(found.criteria), exact(found.total())))
}

/// Points that are there unless an error, which none of these settings makes, leaves them out.
fn found(points: impl Iterator<Item = Result<Point, Error>>) -> Vec<Point> {
    points.filter_map(Result::ok).collect()
}

fn dearest_game() -> Claim {
    let shapes = (2..=5_usize).flat_map(|k| (1..=k).map(move |players| (k, players)));
    let at = |(k, players): (usize, usize)| {
        let criteria: Vec<f64> = (0..players).map(|player| if player == 0 { 0.0 } else { 1.0 }).collect();
        let (_, total) = cost(k, &criteria)?;
        let at = vec![("k", int(k as i64)), ("players", int(players as i64))];
        Ok(point(at, int(2 * k as i64), total))
    };
    judged(
        "the maximum cost for a game is at most 2k",
        "Computed: formula (1) for a game of so many players, the others bots, who all waited tau_max; their criteria lie as far apart as they can.",
        Remedy::None,
        found(shapes.map(at)),
    )
}

fn foreign_players() -> Claim {
    let shapes = (2..=5_usize).flat_map(|k| (0..=4).map(move |quarters| (k, quarters)));
    let at = |(k, quarters): (usize, i64)| {
        let mut criteria = vec![quarters as f64 / 4.0; k];
        criteria[0] = 0.0;
        let ((foreign, _), (bot, _)) = (cost(k, &criteria)?, cost(k, &criteria[..1])?);
        let at = vec![("k", int(k as i64)), ("range", ratio(quarters, 4))];
        Ok(point(at, int(1), truth(bot >= foreign)))
    };
    judged(
        "q(P_COMP in G) >= q(P_NQ in G)",
        "A game with a bot has no less criteria cost than a game with players from foreign queues. 1 if so, by formula (1).",
        Remedy::None,
        found(shapes.map(at)),
    )
}

/// The same games, at the same times.
fn smallest_parameters() -> Claim {
    let kinds = [
        (PolicyKind::Periodic(Some(1)), "x", 1, 5),
        (PolicyKind::MultiQueue(Some(1)), "r", 1, 5),
        (PolicyKind::DifferenceWait(0.0), "f_wait", 0, 2),
    ];
    let mut points = Vec::new();
    for (kind, name, value, greatest) in kinds {
        let shapes = (2..=greatest).flat_map(|k| RATES.map(|rate| (k, rate)));
        let at = |(k, rate): (usize, f64)| {
            let setting = Setting::new(k, 5.0, 1)?;
            let arrivals = Pattern::Constant(rate).arrivals(ARRIVALS, 1, k as u64)?;
            let games = |kind: PolicyKind| simulate(&setting, kind.build(&setting)?, &arrivals);
            let at: At = vec![
                (name, int(value)),
                ("k", int(k as i64)),
                ("a", ratio((10.0 * rate).round() as i64, 10)),
            ];
            Ok(point(at, int(1), truth(games(kind)? == games(PolicyKind::Greedy)?)))
        };
        points.extend(found(shapes.map(at)));
    }
    judged(
        "become a Greedy-Algorithm for their smallest parameter values 1, 1 and 0",
        "A_PM, A_MQ and A_DW. 1 if a replay of 2,001 arrivals gives the games of A_G, with the same players at the same times.",
        Remedy::None,
        points,
    )
}

fn above_the_optimum() -> Claim {
    let at = |&(name, scaled): &(&'static str, i64)| {
        let share = rounded(&ratio(scaled - 100, 100), 10);
        let corrected = if name == "A_PM" { ratio(6, 10) } else { ratio(4, 10) };
        remedied(point(vec![(name, ratio(scaled, 100))], ratio(4, 10), share), corrected)
    };
    judged(
        "The costs are about 40% above the optimum",
        "The abstract, of the three algorithms. Computed: by Table 3, to one decimal.",
        Remedy::Correction("those of A_MQ and A_DW; those of A_PM are 64 % above it, by Table 3"),
        TABLE_3[1..].iter().map(at).collect(),
    )
}

fn more_than_double() -> Claim {
    let (name, scaled) = TABLE_3[0];
    judged(
        "The A_G has more than double matching costs than OPT",
        "1 if so by Table 3.",
        Remedy::None,
        vec![point(vec![(name, ratio(scaled, 100))], int(1), truth(scaled > 200))],
    )
}
