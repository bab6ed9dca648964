//! Several partners each in a small graph, in every type of number: verified, and as good as all choices of edges; and an
//! answer in which numbers were changed is refused, or is right all the same.
#![no_main]

use std::mem::discriminant;

use fuzz::{Draw, forge, number};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matching_core::cost::DenseMatrix;
use matching_core::{
    BMatching, Blossom, Budget, Degrees, EdgeList, Error, Objective, Precision, Status, StopReason, verify,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Most vertices and edges: there are 2^12 choices.
const MOST: usize = 8;
const MOST_EDGES: usize = 12;

/// A total: exact, or a float with the sum of what its terms are without their signs.
#[derive(Clone, Copy, Debug)]
enum Total {
    Exact(i128),
    Near(f64, f64),
}

impl Total {
    fn read(number: impl ToString, is_exact: bool) -> Self {
        let number = number.to_string();
        if is_exact {
            Self::Exact(number.parse().expect("an integer"))
        } else {
            let number = number.parse::<f64>().expect("a float");
            Self::Near(number, number.abs())
        }
    }

    /// With so many times another one more, if that can be held.
    fn plus(self, other: Self, times: u32) -> Option<Self> {
        match (self, other) {
            (Self::Exact(sum), Self::Exact(more)) => sum.checked_add(more.checked_mul(times.into())?).map(Self::Exact),
            (Self::Near(sum, size), Self::Near(more, length)) => {
                let times = f64::from(times);
                Some(Self::Near(sum + times * more, size + times * length))
            }
            _ => None,
        }
    }

    fn is_less(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exact(one), Self::Exact(other)) => one < other,
            (Self::Near(one, _), Self::Near(other, _)) => one < other,
            _ => false,
        }
    }

    /// Whether what was found is this, but for rounding.
    fn is(&self, found: &str) -> bool {
        match self {
            Self::Exact(sum) => found.parse() == Ok(*sum),
            Self::Near(sum, size) => {
                let found = found.parse().unwrap_or(f64::NAN);
                let scale = 1.0 + size + f64::abs(found);
                !scale.is_finite() || (found - sum).abs() <= 1e-6 * scale
            }
        }
    }

    /// Whether a bound from below is right, but for rounding.
    fn is_bounded_by(&self, bound: &str) -> bool {
        match self {
            Self::Exact(sum) => bound.parse::<i128>().is_ok_and(|bound| bound <= *sum),
            Self::Near(sum, _) => self.is(bound) || bound.parse::<f64>().is_ok_and(|bound| bound <= *sum),
        }
    }
}

/// The best total of all choices of edges; nothing where there is no choice.
///
/// # Errors
/// Where some total cannot be held.
fn best_of_all<V: Draw>(
    graph: &EdgeList<V>,
    degrees: &Degrees<V>,
    is_maximum: bool,
) -> std::result::Result<Option<Total>, ()> {
    let read = |number: V| Total::read(number, V::IS_EXACT);
    let edges: Vec<(usize, usize, Total)> = graph.iter().map(|(u, v, weight)| (u, v, read(weight))).collect();
    let prices: Vec<Total> = (0..graph.len()).map(|v| read(degrees.price(v))).collect();
    let mut best: Option<Total> = None;
    for choice in 0..1_u32 << edges.len() {
        let is_chosen = |&(at, _): &(usize, _)| choice >> at & 1 == 1;
        let chosen = || edges.iter().enumerate().filter(is_chosen).map(|(_, edge)| edge);
        let mut counts = vec![0_u32; graph.len()];
        for &(u, v, _) in chosen() {
            (counts[u], counts[v]) = (counts[u] + 1, counts[v] + 1);
        }
        let fits = |(v, count): (usize, &u32)| (degrees.least()[v]..=degrees.most()[v]).contains(count);
        if !counts.iter().enumerate().all(fits) {
            continue;
        }
        let missing = (0..graph.len()).map(|v| (prices[v], degrees.most()[v] - counts[v]));
        let mut terms = chosen().map(|&(_, _, weight)| (weight, 1)).chain(missing);
        let total = terms.try_fold(read(V::small(0)), |sum, (number, times)| sum.plus(number, times));
        let total = total.ok_or(())?;
        let is_better = |best: &Total| {
            if is_maximum {
                best.is_less(&total)
            } else {
                total.is_less(best)
            }
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some(total);
        }
    }
    Ok(best)
}

/// How a total, or a bound, is read: as less is better.
fn signed(text: impl ToString, is_maximum: bool) -> String {
    let text = text.to_string();
    match text.strip_prefix('-') {
        _ if !is_maximum => text,
        Some(text) => text.to_owned(),
        None => format!("-{text}"),
    }
}

fn negated(total: Total, is_maximum: bool) -> Option<Total> {
    match total {
        _ if !is_maximum => Some(total),
        Total::Exact(sum) => sum.checked_neg().map(Total::Exact),
        Total::Near(sum, size) => Some(Total::Near(-sum, size)),
    }
}

/// That a verified answer is what its status says.
#[track_caller]
fn judge<V: Draw>(graph: &EdgeList<V>, answer: &BMatching<V>, is_maximum: bool) {
    let Ok(best) = best_of_all(graph, answer.degrees(), is_maximum) else {
        return;
    };
    let Some(best) = best else {
        let is_unknown = matches!(answer.status(), Status::Unknown(_));
        assert!(is_unknown, "there is no answer: {answer:?} of {graph:?}");
        return;
    };
    if answer.is_optimal() {
        assert!(best.is(&answer.cost().to_string()), "{best:?}: {answer:?} of {graph:?}");
    }
    if let Some(least) = negated(best, is_maximum) {
        let bound = signed(answer.bound(), is_maximum);
        assert!(least.is_bounded_by(&bound), "{least:?}: {answer:?} of {graph:?}");
    }
}

fn degrees<V: Draw>(data: &mut Unstructured<'_>, len: usize) -> Result<Degrees<V>> {
    let kind: u8 = data.arbitrary()?;
    let (mut least, mut most) = (Vec::new(), Vec::new());
    for _ in 0..len {
        let byte: u8 = data.arbitrary()?;
        let high = match byte % 32 {
            0 => *data.choose(&[u32::MAX, u32::MAX - 1, 1 << 31, 1 << 20, 9])?,
            _ => u32::from(byte % 4),
        };
        let low = match kind % 4 {
            0 => high,
            1 => 0,
            _ => u32::from(byte >> 6).min(high),
        };
        (least.push(low), most.push(high));
    }
    let degrees = Degrees::between(least, most);
    Ok(match kind >> 2 & 1 {
        0 => degrees,
        _ => degrees.missing((0..len).map(|_| number(data)).collect::<Result<_>>()?),
    })
}

/// Changes a few numbers of an answer, and has what is accepted judged.
fn judge_forged<V>(data: &mut Unstructured<'_>, graph: &EdgeList<V>, answer: &BMatching<V>) -> Result<()>
where
    V: Draw<Total: Serialize + DeserializeOwned> + Serialize + DeserializeOwned,
{
    // A value holds no numbers beyond 64 bits.
    let Ok(mut value) = serde_json::to_value(answer) else {
        return Ok(());
    };
    forge(data, &mut value)?;
    let is_maximum = value["is_maximum"] == Value::Bool(true);
    if let Ok(forged) = serde_json::from_value::<BMatching<V>>(value)
        && forged.verify(graph).is_ok()
    {
        judge(graph, &forged, is_maximum);
    }
    Ok(())
}

/// Asks about a pair, and has what would be with it and without it judged, where that is found.
fn judge_explained<V: Draw>(
    data: &mut Unstructured<'_>,
    solver: &Blossom<V>,
    (graph, matrix): (&EdgeList<V>, &DenseMatrix<V>),
    (answer, is_maximum): (&BMatching<V>, bool),
) -> Result<()> {
    let len = graph.len();
    if len < 2 {
        return Ok(());
    }
    let (i, more) = (data.int_in_range(0..=len - 1)?, data.int_in_range(1..=len - 1)?);
    let (u, v) = (i.min((i + more) % len), i.max((i + more) % len));
    let Ok(why) = solver.explain_degrees(matrix, answer, u, v) else {
        return Ok(());
    };
    let unproven = [why.forced(), Some(why.forbidden())].into_iter().flatten();
    let mut unproven = unproven.filter_map(|what_if| what_if.witness());
    if !unproven.any(|witness| witness.missing() == 0) {
        why.verify(graph, answer)
            .unwrap_or_else(|error| panic!("{error}: {why:?} about {answer:?} of {graph:?}"));
    }
    let rest = graph.iter().filter(|&(a, b, _)| (a, b) != (u, v));
    let rest = EdgeList::new(len, rest).expect("edges of a graph");
    let (mut least, mut most) = (answer.degrees().least().to_vec(), answer.degrees().most().to_vec());
    let is_barred = most[u] == 0 || most[v] == 0;
    for end in [u, v] {
        (least[end], most[end]) = (least[end].saturating_sub(1), most[end].saturating_sub(1));
    }
    let prices = (0..len).map(|v| answer.degrees().price(v)).collect();
    let lowered = Degrees::between(least, most).missing(prices);
    let zero = Total::read(V::small(0), V::IS_EXACT);
    let forced = why.forced().map(|what_if| (what_if, &lowered, why.cost(), is_barred));
    for (what_if, degrees, fixed, is_barred) in
        forced
            .into_iter()
            .chain([(why.forbidden(), answer.degrees(), None, false)])
    {
        let Ok(best) = best_of_all(&rest, degrees, is_maximum) else {
            continue;
        };
        let Some(best) = best.filter(|_| !is_barred) else {
            assert!(what_if.pairs().is_none(), "{what_if:?} about {answer:?} of {graph:?}");
            continue;
        };
        assert!(!what_if.is_infeasible(), "{what_if:?} about {answer:?} of {graph:?}");
        let fixed = fixed.map_or(zero, |weight| Total::read(weight, V::IS_EXACT));
        let Some(best) = best.plus(fixed, 1) else { continue };
        if let (Some(Status::Optimal), Some(cost)) = (what_if.status(), what_if.cost()) {
            assert!(best.is(&cost.to_string()), "{best:?}: {what_if:?} of {graph:?}");
        }
        if let (Some(least), Some(bound)) = (negated(best, is_maximum), what_if.bound()) {
            let bound = signed(bound, is_maximum);
            assert!(least.is_bounded_by(&bound), "{least:?}: {what_if:?} of {graph:?}");
        }
    }
    Ok(())
}

fn check<V>(data: &mut Unstructured<'_>) -> Result<()>
where
    V: Draw<Total: Serialize + DeserializeOwned> + Serialize + DeserializeOwned,
{
    let len = data.int_in_range(0..=MOST)?;
    let density: u8 = data.arbitrary()?;
    let mut edges = Vec::new();
    for v in 0..len {
        for u in 0..v {
            if edges.len() < MOST_EDGES && data.arbitrary::<u8>()? <= density {
                edges.push((u, v, number::<V>(data)?));
            }
        }
    }
    let degrees = degrees::<V>(data, len)?;
    let is_maximum = data.arbitrary()?;
    let work: u8 = data.arbitrary()?;
    let mut entries = vec![None; len * len];
    for &(u, v, weight) in &edges {
        (entries[u * len + v], entries[v * len + u]) = (Some(weight), Some(weight));
    }
    let matrix = DenseMatrix::from_options(len, len, &entries).expect("a square");
    let objective = if is_maximum {
        Objective::MaxPerfect
    } else {
        Objective::MinPerfect
    };
    let solver = Blossom::new().objective(objective).threads(1);
    let Ok(graph) = EdgeList::new(len, edges) else {
        // What is no number is refused, here as well as there.
        assert!(solver.solve_degrees(&matrix, &degrees).is_err());
        return Ok(());
    };
    let solvers = [
        solver.clone(),
        solver.clone().budget(Budget::new().work(work.into())),
        solver.clone().precision(Precision::Quantised),
    ];
    for (at, solver) in solvers.iter().enumerate() {
        let found = solver.solve_degrees(&graph, &degrees);
        let of_matrix = solver.solve_degrees(&matrix, &degrees);
        match (&found, &of_matrix) {
            (Ok(one), Ok(other)) if one.is_optimal() && other.is_optimal() => {
                assert_eq!(one.cost(), other.cost(), "{one:?} and {other:?}");
            }
            // They list edges in another order, and stop elsewhere.
            (Ok(_), Ok(_)) => {}
            _ if at == 1 => {}
            (Err(one), Err(other)) => assert_eq!(discriminant(one), discriminant(other), "{one} and {other}"),
            _ => panic!("{found:?} and, of a matrix, {of_matrix:?}"),
        }
        match found {
            Ok(answer) => {
                for verified in [answer.verify(&graph), answer.verify(&matrix)] {
                    verified.unwrap_or_else(|error| panic!("{error}: {answer:?} of {graph:?}"));
                }
                match (at, answer.status()) {
                    (_, Status::Optimal) => {}
                    (1, Status::Feasible(StopReason::WorkLimit) | Status::Unknown(StopReason::WorkLimit)) => {}
                    (2, Status::Feasible(StopReason::Rounding)) => {}
                    (_, status) => panic!("{status:?}: {answer:?} of {graph:?}"),
                }
                judge(&graph, &answer, is_maximum);
                judge_forged(data, &graph, &answer)?;
                judge_explained(data, solver, (&graph, &matrix), (&answer, is_maximum))?;
            }
            Err(Error::NoDegrees(witness)) => {
                let checked = verify::degrees_witness(&graph, &degrees, &witness);
                let is_unproven = at == 1 && witness.missing() == 0;
                assert!(
                    checked.is_ok() || is_unproven,
                    "{checked:?}: {witness:?} of {graph:?}, {degrees:?}"
                );
                let best = best_of_all(&graph, &degrees, is_maximum);
                assert!(
                    !matches!(best, Ok(Some(_))),
                    "{best:?}: {witness:?} of {graph:?}, {degrees:?}"
                );
            }
            Err(error) => {
                let is_wide = matches!(
                    error,
                    Error::Overflow { .. } | Error::PrecisionRequired { .. } | Error::TotalOutOfRange
                );
                assert!(
                    !is_wide || size_of::<V>() == 16 || !V::IS_EXACT,
                    "{error}: {graph:?}, {degrees:?}"
                );
                let is_number = !matches!(error, Error::PenaltyNotANumber { .. });
                assert!(is_wide || !is_number, "{error}: {graph:?}, {degrees:?}");
            }
        }
    }
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    let mut data = Unstructured::new(bytes);
    // Too few bytes end it early.
    let _ = match data.int_in_range(0..=4) {
        Ok(0) => check::<i32>(&mut data),
        Ok(1) => check::<i64>(&mut data),
        Ok(2) => check::<i128>(&mut data),
        Ok(3) => check::<f32>(&mut data),
        _ => check::<f64>(&mut data),
    };
});
