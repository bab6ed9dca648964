//! Games of k against k with parties of 1 to k players: whether any matchmaking can keep their queues finite.

use markov::models::xu::{Parties, Stability};
use markov::{Error, Rational};

use super::args::AdviseArgs;
use super::report::{Basis, Figure, Recommendation, figure};
use super::xu::int;

const PARTIES: &str = "parties per minute";

/// The paper stops at two against two.
const CONE: Basis = Basis {
    formula: "not in the paper: some matchmaking keeps queues finite if and only if the rates are an interior point of the cone of complete \
              teams",
    verdict: None,
    correction: None,
};

/// Whether the parties that come can be served.
pub(super) fn recommend(args: &AdviseArgs) -> Result<Option<Recommendation>, Error> {
    let Some(rates) = &args.parties else {
        return Ok(None);
    };
    let parties = Parties::new(rates.len(), rates.clone())?;
    let (value, figures) = match parties.stability() {
        Stability::Stable(service) => {
            let mut figures = vec![figure("rarest_team", "formed per minute", service.slack())];
            figures.extend(headrooms(&parties)?);
            ("yes: some matchmaking keeps all queues finite", figures)
        }
        Stability::Unstable(overload) => {
            let drift = overload.drift();
            let value = if *drift > int(0) {
                "no: whatever the matchmaking, queues grow without end"
            } else {
                "no: at the border, mean waits are infinite whatever the matchmaking"
            };
            let mut figures = vec![figure("weight_grows_by", "per minute", drift.clone())];
            let weights = overload.weights().iter().zip(rates).zip(1..);
            let coming = weights.filter(|((_, rate), _)| **rate > int(0));
            figures.extend(coming.map(|((weight, _), size)| {
                let name = format!("weight_of_party_of_{size}");
                figure(name, "no team weighs more than 0", weight.clone())
            }));
            (value, figures)
        }
    };
    Ok(Some(Recommendation {
        rule: "parties",
        value,
        basis: CONE,
        band: None,
        figures,
    }))
}

/// By how much the rate of each size may rise.
fn headrooms(parties: &Parties) -> Result<Vec<Figure>, Error> {
    let headroom = |size: usize| {
        let name = format!("party_of_{size}_may_rise_by");
        let room: Option<Rational> = parties.headroom(size)?;
        Ok(match room {
            Some(room) => figure(name, PARTIES, room),
            None => figure(name, PARTIES, f64::INFINITY),
        })
    };
    (1..=parties.size()).map(headroom).collect()
}
