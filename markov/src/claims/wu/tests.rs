use super::{At, Formula, formulas, whole};
use crate::claims::Verdict;
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

#[test]
fn no_claim_survives_another_number() {
    for formula in formulas().into_iter().map(thinned) {
        let verdict = verdict_if(&formula, |_| Some(Rational::new(22.into(), 7.into())));
        assert_ne!(verdict, Verdict::Holds, "{}", formula.label);
        assert_ne!(verdict_if(&formula, |_| None), Verdict::Holds, "{}", formula.label);
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
        assert_ne!(verdict_if(&formula, wrong), Verdict::Holds, "{label}");
    }
}
