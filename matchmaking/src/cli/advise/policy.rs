//! The recommendations that rest on Wu's paper.

use std::cmp::Ordering;

use markov::claims::{Paper, Value};
use markov::{Error, Rational, Scalar};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::args::AdviseArgs;
use super::report::{Band, Formula, Recommendation, Verdicts, figure};
use super::wu::{Averages, Policy, averages, printed, threshold};

const THRESHOLD: Formula = (
    "i.e. when alpha <= 1/(1 - (2q-1)^(2n))",
    "Section 3: greedy costs no more if alpha <= 1/(1 - (2q-1)^(2n))",
);
const COST_GREEDY: Formula = (
    "= n - 1/2 + alpha (1 - (2q-1)^(2n))/2",
    "Section 3: n - 1/2 + alpha (1 - (2q-1)^(2n))/2",
);
const COST_PATIENT: Formula = ("its total expected matching cost per period is n", "Section 3: n");
const GREEDY: Formula = (
    "Theorem 3.3, greedy",
    "Theorem 3.3: greedy is optimal when alpha <= 1/(1 - (2q-1)^(2n))",
);
const PATIENT: Formula = (
    "Theorem 3.3, patient",
    "Theorem 3.3: patient is optimal when alpha >= 1/(1 - (2q-1)^(2n))",
);
const STAR: Formula = (
    "(*)",
    "(*): greedy is optimal at q_g when q_g >= q_bar or q_g <= q_underline",
);
const TWO_STARS: Formula = (
    "(**)",
    "(**): patient is optimal at q_p when q_underline <= q_p <= q_bar",
);
const GREEDY_BELOW_ONE: Formula = (
    "thus (greedy, q_g) is the unique equilibrium",
    "Section 3: greedy is the only equilibrium if alpha < 1",
);
const BOTH: Formula = (
    "when (*) and (**) hold simultaneously, both (greedy, q_g) and (patient, q_p) are equilibria",
    "Section 3: both are equilibria when (*) and (**) hold",
);
const ONLY_GREEDY: Formula = (
    "if only (*) holds, then (greedy, q_g) is the unique equilibrium",
    "Section 3: greedy is the only equilibrium if only (*) holds",
);
const ONLY_PATIENT: Formula = (
    "if only (**) holds, then (patient, q_p) is the unique equilibrium",
    "Section 3: patient is the only equilibrium if only (**) holds",
);
const NEITHER: Formula = (
    "if neither (*) nor (**) holds, there is no equilibrium",
    "Section 3: there is no equilibrium if neither (*) nor (**) holds",
);

/// What uneven teams cost a player.
#[derive(Clone, Copy, Debug)]
enum Penalty<'a> {
    /// In the wait for one arrival.
    Arrivals(&'a Rational),
    /// In minutes.
    Minutes(&'a Rational),
}

/// A game, its players' patience, and how many of them come.
#[derive(Clone, Copy, Debug)]
struct Market<'a> {
    team: u32,
    penalty: Penalty<'a>,
    /// Per minute.
    arrivals: Option<&'a Rational>,
}

impl<'a> Market<'a> {
    fn new(args: &'a AdviseArgs) -> Option<Self> {
        let alpha = args.alpha.as_ref().map(Penalty::Arrivals);
        Some(Self {
            team: args.team_size?,
            penalty: alpha.or(args.alpha_minutes.as_ref().map(Penalty::Minutes))?,
            arrivals: args.arrivals.as_ref(),
        })
    }

    /// Arrivals per minute of so large a share of the players, and the penalty in the wait for one of them.
    fn of_share(&self, share: &Rational) -> (Option<Rational>, Rational) {
        let rate = self.arrivals.map(|rate| rate * share);
        let alpha = match (self.penalty, &rate) {
            (Penalty::Minutes(minutes), Some(rate)) => minutes * rate,
            (Penalty::Arrivals(alpha) | Penalty::Minutes(alpha), _) => alpha.clone(),
        };
        (rate, alpha)
    }
}

/// Everything that the options ask of Wu's model.
pub(super) fn recommend(args: &AdviseArgs, bands: &[Band], verdicts: &Verdicts) -> Result<Vec<Recommendation>, Error> {
    let Some(market) = Market::new(args) else {
        return Ok(Vec::new());
    };
    let one = Rational::ratio(1, 1);
    let mut all = Vec::new();
    if let Some(q) = &args.high_share {
        all.push(greedy_or_patient(&market, q, &one, verdicts)?);
    }
    let total: usize = bands.iter().map(|band| band.players).sum();
    let of_band = |band: &Band| {
        let share = |part: usize, whole: usize| Rational::ratio(part as i64, whole as i64);
        let q = share(band.high, band.players);
        let found = greedy_or_patient(&market, &q, &share(band.players, total), verdicts)?;
        Ok(Recommendation {
            band: Some(band.clone()),
            ..found
        })
    };
    let banded: Result<Vec<Recommendation>, Error> = bands.par_iter().map(of_band).collect();
    all.extend(banded?);
    if let (Some(greedy), Some(patient)) = (&args.q_greedy, &args.q_patient) {
        all.push(equilibria(&market, greedy, patient, verdicts)?);
    }
    Ok(all)
}

/// Theorem 3.3 for a part of the players, of whom a share `q` is high.
fn greedy_or_patient(
    market: &Market<'_>,
    q: &Rational,
    part: &Rational,
    verdicts: &Verdicts,
) -> Result<Recommendation, Error> {
    let team = market.team;
    let (rate, alpha) = market.of_share(part);
    let [greedy, patient] = both(team, q)?;
    let (cost_greedy, cost_patient) = (greedy.cost(&alpha), patient.cost(&alpha));
    let (value, theorem) = match cost_greedy.cmp(&cost_patient) {
        Ordering::Less => ("greedy", GREEDY),
        Ordering::Equal => ("either", GREEDY),
        Ordering::Greater => ("patient", PATIENT),
    };
    let basis = |formula: Formula| verdicts.basis(Paper::Wu, formula);
    let printed_cost = |policy| Some(printed::cost(policy, team, q, &alpha).into());
    let limit = threshold(&greedy, &patient);
    let mut figures = vec![
        figure("alpha", "arrivals", alpha.clone()),
        figure("alpha_star", "arrivals", limit.clone()).beside(printed::threshold(team, q), basis(THRESHOLD)),
        figure("cost_greedy", "per arrival", cost_greedy).beside(printed_cost(Policy::Greedy), basis(COST_GREEDY)),
        figure("cost_patient", "per arrival", cost_patient).beside(printed_cost(Policy::Patient), basis(COST_PATIENT)),
        figure("high_share", "of players", q.clone()),
        figure("uneven_greedy", "of games", greedy.uneven.clone()),
        figure("uneven_patient", "of games", patient.uneven.clone()),
    ];
    if let Some(rate) = &rate {
        let minutes = |arrivals: &Rational| arrivals.clone() / rate;
        let limit = limit
            .exact
            .as_ref()
            .map_or_else(|| limit.clone(), |exact| minutes(exact).into());
        figures.extend([
            figure("alpha_star_minutes", "minutes", limit),
            figure("wait_greedy", "minutes", minutes(&greedy.waiting)),
            figure("wait_patient", "minutes", minutes(&patient.waiting)),
        ]);
    }
    Ok(Recommendation {
        rule: "greedy-or-patient",
        value,
        basis: basis(theorem),
        band: None,
        figures,
    })
}

fn both(team: u32, q: &Rational) -> Result<[Averages; 2], Error> {
    Ok([averages(Policy::Greedy, team, q)?, averages(Policy::Patient, team, q)?])
}

/// Which policies stay optimal once the share of high players has followed them.
fn equilibria(
    market: &Market<'_>,
    q_greedy: &Rational,
    q_patient: &Rational,
    verdicts: &Verdicts,
) -> Result<Recommendation, Error> {
    let (_, alpha) = market.of_share(&Rational::ratio(1, 1));
    // The paper's bounds of the shares are for alpha >= 1.
    let has_bounds = alpha >= Rational::ratio(1, 1);
    let (mut keeps, mut stars) = ([false; 2], [false; 2]);
    let mut figures = vec![figure("alpha", "arrivals", alpha.clone())];
    let basis = |formula: Formula| verdicts.basis(Paper::Wu, formula);
    let cases = [
        (Policy::Greedy, q_greedy, "alpha_star_at_q_greedy", STAR),
        (Policy::Patient, q_patient, "alpha_star_at_q_patient", TWO_STARS),
    ];
    for (((policy, q, name, formula), keeps), holds) in cases.into_iter().zip(&mut keeps).zip(&mut stars) {
        let [greedy, patient] = both(market.team, q)?;
        let (cost_greedy, cost_patient) = (greedy.cost(&alpha), patient.cost(&alpha));
        *keeps = match policy {
            Policy::Greedy => cost_greedy <= cost_patient,
            Policy::Patient => cost_patient <= cost_greedy,
        };
        let printed = printed::threshold(market.team, q);
        *holds = is_printed_optimal(policy, &alpha, printed.as_ref());
        let formula = if has_bounds { formula } else { THRESHOLD };
        let limit = threshold(&greedy, &patient);
        figures.push(figure(name, "arrivals", limit).beside(printed, basis(formula)));
    }
    let value = match keeps {
        [true, true] => "greedy or patient",
        [true, false] => "greedy",
        [false, true] => "patient",
        [false, false] => "none",
    };
    // What the paper says of this case, which is not always what is so.
    let formula = match stars {
        _ if !has_bounds => GREEDY_BELOW_ONE,
        [true, true] => BOTH,
        [true, false] => ONLY_GREEDY,
        [false, true] => ONLY_PATIENT,
        [false, false] => NEITHER,
    };
    Ok(Recommendation {
        rule: "equilibria",
        value,
        basis: basis(formula),
        band: None,
        figures,
    })
}

/// Whether (*), of the greedy policy, or (**), of the patient one, holds as printed. Where players of one type only
/// come, the printed threshold is infinite.
fn is_printed_optimal(policy: Policy, alpha: &Rational, threshold: Option<&Value>) -> bool {
    let side = match threshold.and_then(|value| value.exact.as_ref()) {
        Some(threshold) => alpha.cmp(threshold),
        None => Ordering::Less,
    };
    match policy {
        Policy::Greedy => side.is_le(),
        Policy::Patient => side.is_ge(),
    }
}
