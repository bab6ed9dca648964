//! What does not hold in "Rule designs for optimal online game matchmaking" (M. Xu, Y. Yu, C. Wu), what the exact
//! chains give instead, and the corrected forms, found here and published nowhere. `matchmaking verify xu` shows all
//! claims.

use markov::claims::{self, Claim, Point, Value, Verdict};
use markov::models::xu::{Battle, Lobby, Moments, Order};
use markov::{Error, Rational, Scalar};

fn show(value: Option<&Value>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.6}", value.float))
}

fn place(point: &Point) -> String {
    let names = point.at.iter().map(|(name, value)| format!("{name} = {value}"));
    names.collect::<Vec<_>>().join(", ")
}

fn print(claim: &Claim) {
    let differs = |point: &&Point| !matches!(&point.printed, Some(value) if value.agrees_with(&point.computed));
    let point = claim.points.iter().find(differs).unwrap_or(&claim.points[0]);
    println!("{}: {}", claim.label, claim.statement);
    println!(
        "    printed {}, computed {}, corrected {}   {}",
        show(point.printed.as_ref()),
        show(Some(&point.computed)),
        show(point.corrected.as_ref()),
        place(point)
    );
    println!("    instead: {}\n", claim.corrected_form.unwrap_or("no form is known"));
}

/// The variance of a player's wait in one queue of two against two, by a lobby built here; a pair is two players.
fn variance(order: Order, singles: &Rational, pairs: &Rational) -> Result<Rational, Error> {
    let lobby = Lobby::new(
        Battle { size: 2, order },
        vec![(1, singles.clone()), (2, pairs.clone())],
    )?;
    let players = [singles.clone(), Rational::ratio(2, 1) * pairs];
    let waits = [lobby.wait(1)?, lobby.wait(2)?];
    Ok(Moments::mixed(players.into_iter().zip(&waits))?.variance())
}

fn main() -> Result<(), Error> {
    let claims = claims::xu();
    let wrong: Vec<&Claim> = claims
        .iter()
        .filter(|claim| claim.verdict == Verdict::DoesNotHold)
        .collect();
    for claim in &wrong {
        print(claim);
    }
    println!("{} of {} claims do not hold", wrong.len(), claims.len());

    // A corrected form is one that agrees with the chain at every point.
    let corrected = wrong.iter().filter(|claim| claim.corrected_form.is_some());
    for point in corrected.flat_map(|claim| &claim.points) {
        assert!(
            point
                .corrected
                .as_ref()
                .is_some_and(|value| value.agrees_with(&point.computed))
        );
    }
    // The variances of one queue once more, in fractions, to the last digit.
    for (label, order) in [("(9) FIFO", Order::First), ("(10)", Order::Last)] {
        let claim = wrong.iter().find(|claim| claim.label == label);
        for point in claim.map_or(&[][..], |claim| &claim.points) {
            let exact = variance(order, &point.at[0].1, &point.at[1].1)?;
            assert_eq!(point.corrected, Some(exact.into()));
        }
        assert!(claim.is_some_and(|claim| claim.points.len() >= 8));
    }
    Ok(())
}
