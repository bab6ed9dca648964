use super::{At, Formula, formulas, whole};
use crate::claims::{Claim, Paper, Remedy, Statement, Value, Verdict};
use crate::scalar::Rational;

/// The verdicts with a little less work: three points from each end and each seventh between them.
fn thinned(mut formula: Formula) -> Formula {
    let count = formula.points.len();
    let mut at = 0;
    formula.points.retain(|_| {
        at += 1;
        at <= 3 || at + 3 > count || at % 7 == 0
    });
    formula
}

/// What a wrong formula makes of a claim.
fn verdict_if(formula: &Formula, printed: fn(&At) -> Option<Rational>) -> Verdict {
    let wrong = Formula {
        printed,
        ..formula.clone()
    };
    wrong.judge().verdict
}

fn find(label: &str) -> Formula {
    let found = formulas().into_iter().find(|formula| formula.label == label);
    thinned(found.unwrap_or_else(|| panic!("{label} is not in the table")))
}

/// Neither word for word nor by a reading: within its domain a reading is about what is printed.
#[test]
fn no_claim_survives_another_number() {
    for formula in formulas().into_iter().map(thinned) {
        let verdict = verdict_if(&formula, |_| Some(Rational::new(22.into(), 7.into())));
        assert_eq!(verdict, Verdict::DoesNotHold, "{}", formula.label);
        assert_eq!(
            verdict_if(&formula, |_| None),
            Verdict::DoesNotHold,
            "{}",
            formula.label
        );
    }
}

#[test]
fn no_formula_survives_a_changed_sign() {
    use super::printed;
    type Wrong = fn(&At) -> Option<Rational>;
    let cases: [(&str, Wrong); 8] = [
        ("delta_1 = sum for k = 1 to n", |at| {
            Some(printed::delta_2(at.n(), &at.q()))
        }),
        ("delta_2 = sum for k = 0 to n - 1", |at| {
            Some(printed::delta_1(at.n(), &at.q()))
        }),
        (
            "the size of the state space of the Markov chain induced by the patient policy",
            |at| Some(whole(2 * at.n() * (at.n() + 1) - 1)),
        ),
        ("= n - 1/2 + alpha (1 - (2q-1)^(2n))/2", |at| {
            Some(whole(2 * at.n()) - printed::greedy_cost(at.n(), &at.q(), &at.alpha()))
        }),
        ("= 2n alpha (1 - (2q-1)^(2n))/2", |at| {
            Some(-printed::greedy_imbalance(at.n(), &at.q(), &at.alpha()))
        }),
        ("Theorem 3.3, patient", |at| {
            (at.alpha() > printed::threshold(at.n(), &at.q())?).then(|| whole(0))
        }),
        ("Theorem 3.3, cost", |at| {
            Some(printed::greedy_cost(at.n(), &at.q(), &at.alpha()))
        }),
        ("q_bar = 1/2 [1 + (1 - 1/alpha)^(1/(2n))]", |at| {
            printed::q_underline(at.n(), &at.alpha())
        }),
    ];
    for (label, wrong) in cases {
        let formula = find(label);
        assert_ne!(formula.judge().verdict, Verdict::DoesNotHold, "{label}");
        assert_eq!(verdict_if(&formula, wrong), Verdict::DoesNotHold, "{label}");
    }
}

/// The verdict if a formula had printed one more at one point.
fn verdict_with_a_misprint(claim: &Claim, at: usize) -> Verdict {
    let mut points = claim.points.clone();
    points[at].printed = points[at].printed.take().map(|value| match value.exact {
        Some(exact) => Value::from(exact + whole(1)),
        None => Value::from(value.float + 1.0),
    });
    let statement = Statement {
        paper: Paper::Wu,
        label: claim.label,
        statement: claim.statement,
        remedy: Remedy::None,
    };
    statement.judge(points).verdict
}

#[test]
fn values_are_numbers_and_a_misprint_at_any_point_changes_the_verdict() {
    for claim in formulas().into_iter().map(|formula| thinned(formula).judge()) {
        for (at, point) in claim.points.iter().enumerate() {
            assert!(point.computed.float.is_finite(), "{} at {at}", claim.label);
            let printed = point.printed.as_ref();
            assert!(
                printed.is_none_or(|value| value.float.is_finite()),
                "{} at {at}",
                claim.label
            );
            if claim.verdict == Verdict::Holds {
                assert_eq!(
                    verdict_with_a_misprint(&claim, at),
                    Verdict::DoesNotHold,
                    "{} at {at}",
                    claim.label
                );
            }
        }
    }
}
