//! Duels with sides to choose, whose players give up after a while.

use markov::models::xu::{Fates, ImpatientSides, Recurrence, Sides, Wish};
use markov::{Error, Rational, Scalar};

use super::args::AdviseArgs;
use super::report::{Basis, Figure, Recommendation, figure};
use super::xu::is_some;

const MINUTES: &str = "minutes";
const ARRIVALS: &str = "of those who come";

/// The paper has no such players.
const LINE: Basis = Basis {
    formula: "not in the paper: with n waiting for A they become fewer at rate B + C + n/patience, so that lines are stable at any rates",
    verdict: None,
    correction: None,
};

/// A kind of players and its figures: who gives up, the waits of those who play and of all.
const KINDS: [(Wish, [&str; 3]); 3] = [
    (Wish::A, ["give_up_a", "wait_played_a", "wait_either_way_a"]),
    (Wish::B, ["give_up_b", "wait_played_b", "wait_either_way_b"]),
    (
        Wish::Either,
        ["give_up_free", "wait_played_free", "wait_either_way_free"],
    ),
];

/// Whether to let players choose sides who give up.
pub(super) fn recommend(args: &AdviseArgs) -> Result<Option<Recommendation>, Error> {
    let rates = [&args.prefer_a, &args.prefer_b, &args.free];
    let ([Some(a), Some(b), Some(c)], Some(patience)) = (rates, &args.patience) else {
        return Ok(None);
    };
    let leave = 1.0 / patience.to_float();
    let rates = [a, b, c];
    let [a, b, c] = rates.map(Rational::to_float);
    let lines = ImpatientSides::new(&Sides::new(a, b, c)?, leave)?;
    let mut figures = vec![
        figure("give_up_all", ARRIVALS, give_up_all(&lines, rates)?),
        figure(
            "give_up_without_choosing",
            ARRIVALS,
            give_up_without_choosing(a + b + c, leave)?,
        ),
    ];
    for ((wish, names), _) in KINDS.into_iter().zip(rates).filter(|(_, rate)| is_some(rate)) {
        figures.extend(of_kind(names, lines.fates(wish)?));
    }
    figures.push(figure("waiting_for_a", "players", lines.waiting(Wish::A)));
    figures.push(figure("waiting_for_b", "players", lines.waiting(Wish::B)));
    let endless = Sides::new(rates[0].clone(), rates[1].clone(), rates[2].clone())?.recurrence();
    let value = match endless {
        Recurrence::Positive => "they can: lines would be stable even if nobody gave up",
        _ => "only at the price of players: lines are stable because they give up, and for no other reason",
    };
    Ok(Some(Recommendation {
        rule: "sides-with-patience",
        value,
        basis: LINE,
        band: None,
        figures,
    }))
}

fn of_kind([give_up, played, either_way]: [&'static str; 3], fates: Fates<f64>) -> Vec<Figure> {
    let mut figures = vec![figure(give_up, ARRIVALS, fates.gave_up)];
    let waits = [(played, fates.wait_played), (either_way, fates.wait)];
    // Nobody plays where no opponent comes.
    let some = waits.into_iter().filter_map(|(name, wait)| Some((name, wait?)));
    figures.extend(some.map(|(name, wait)| figure(name, MINUTES, wait.mean)));
    figures
}

fn give_up_all(lines: &ImpatientSides<f64>, rates: [&Rational; 3]) -> Result<f64, Error> {
    let (mut all, mut total) = (0.0, 0.0);
    for ((wish, _), rate) in KINDS.into_iter().zip(rates) {
        all += rate.to_float() * lines.fates(wish)?.gave_up;
        total += rate.to_float();
    }
    Ok(all / total)
}

/// Where everybody plays everybody.
fn give_up_without_choosing(total: f64, leave: f64) -> Result<f64, Error> {
    let lines = ImpatientSides::new(&Sides::new(0.0, 0.0, total)?, leave)?;
    Ok(lines.fates(Wish::Either)?.gave_up)
}
