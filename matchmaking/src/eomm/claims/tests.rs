use std::collections::HashSet;

use markov::claims::{Claim, Paper, Verdict};

use super::all;

fn verdict(claims: &[Claim], label: &str) -> Verdict {
    let found = claims.iter().find(|claim| claim.label.starts_with(label));
    found.unwrap_or_else(|| panic!("no claim {label}")).verdict
}

#[test]
fn labels_are_unique_and_remedies_agree_with_what_is_computed() {
    let claims = all();
    let labels: HashSet<&str> = claims.iter().map(|claim| claim.label).collect();
    assert_eq!(labels.len(), claims.len());
    for claim in &claims {
        assert_eq!(claim.paper, Paper::Eomm);
        let has_remedy = claim.points.iter().any(|point| point.corrected.is_some());
        if claim.verdict == Verdict::DoesNotHold && has_remedy {
            assert!(
                claim.corrected_form.is_some(),
                "the correction of {} is wrong",
                claim.label
            );
        }
    }
}

#[test]
fn what_holds_and_what_does_not() {
    let claims = all();
    let holding = [
        "(13)",
        "equal-skill based method can",
        "EOMM is instead always optimal",
        "it does not matter whom",
        "EOMM can do no better than a random",
        "almost twice",
        "In all other scenarios",
        "WorstMM consistently",
        "SkillMM does not consistently",
        "On average EOMM",
        "1.007^20",
        "We did not find",
    ];
    let failing = [
        "(N choose 2)",
        "O(N^(3/4) log K)",
        "c(Win) + c(Lose) > 2",
        "both strive",
        "c(Win) + c(Lose) < 2",
        "random matchmaking will never",
        "Table 2: RandomMM",
        "when P is small",
        "All pairwise differences",
        "0.3%, 0.9%",
    ];
    assert_eq!(claims.len(), holding.len() + failing.len());
    holding
        .iter()
        .for_each(|label| assert_eq!(verdict(&claims, label), Verdict::Holds, "{label}"));
    failing
        .iter()
        .for_each(|label| assert_eq!(verdict(&claims, label), Verdict::DoesNotHold, "{label}"));
}

#[test]
fn counterexamples_to_equal_skill_are_there_and_so_are_examples() {
    let claims = all();
    for label in ["c(Win) + c(Lose) > 2", "c(Win) + c(Lose) < 2"] {
        let claim = claims
            .iter()
            .find(|claim| claim.label.starts_with(label))
            .expect("a claim");
        let held = claim.points.iter().filter(|point| point.computed.float == 1.0).count();
        assert!(0 < held && held < claim.points.len(), "{held}");
    }
}

#[test]
fn the_table_is_wrong_where_it_is_said_to_be() {
    let claims = all();
    let wrong = |label: &str| -> Vec<String> {
        let claim = claims
            .iter()
            .find(|claim| claim.label.starts_with(label))
            .expect("a claim");
        let points = claim.points.iter();
        let wrong = points.filter(|point| point.printed.as_ref() != Some(&point.computed));
        wrong
            .map(|point| format!("{} {}", point.at[0].0, point.at[0].1))
            .collect()
    };
    assert_eq!(wrong("when P is small"), ["P 100"]);
    assert_eq!(wrong("All pairwise"), ["P 200", "P 300"]);
    assert_eq!(wrong("0.3%"), ["P 400", "P 500"]);
    let random = wrong("Table 2: RandomMM");
    assert!(random.len() >= 2 && random[0].starts_with("chi-square"), "{random:?}");
}
