//! The verdicts on the claims, as they were worked out.

use std::sync::LazyLock;

use markov::claims::{Claim, Paper, Verdict, wu};

use Verdict::{DoesNotHold, Holds, HoldsAsRead};

/// Computed once: that takes longer than all else here.
static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(wu);

const VERDICTS: &[(&str, Verdict)] = &[
    ("an optimal stationary policy is guaranteed to exist", Holds),
    ("we can exchange one high-type player", Holds),
    ("in the optimal policy, I is at most 1", Holds),
    (
        "whenever there are at least 2n + 1 players in the system, we can pick 2n of them and form a zero cost match",
        Holds,
    ),
    (
        "u and v are both even. In this case we can create a zero cost match with these 2n players",
        Holds,
    ),
    (
        "u and v are both odd ... incurring an imbalance cost alpha for each player",
        Holds,
    ),
    ("Lemma 3.1", Holds),
    (
        "overall action B is optimal in expectation, but for any realized coin flip, B is never the optimal choice",
        Holds,
    ),
    (
        "the specific values of u and v do not matter, only their parities do",
        Holds,
    ),
    (
        "the size of the state space of the Markov chain induced by the patient policy",
        Holds,
    ),
    ("the transition probabilities are the following", Holds),
    ("P from (u,v)", Holds),
    ("irreducible", HoldsAsRead),
    ("aperiodic", DoesNotHold),
    ("thus there exists a stationary distribution", Holds),
    ("delta_1 = sum for k = 1 to n", Holds),
    ("delta_2 = sum for k = 0 to n - 1", Holds),
    ("delta_1 + delta_2 = 1", Holds),
    ("pi(0,1) = (1-q) pi(0,0) + q Pi_2n", Holds),
    ("Pi_2n = pi(0,1) delta_1 + pi(1,0) delta_2", Holds),
    ("pi(0,1) = (1-q) pi(0,0) + q (pi(0,1) delta_1 + pi(1,0) delta_2)", Holds),
    ("pi(1,0) = q pi(0,0) + (1-q) (pi(0,1) delta_1 + pi(1,0) delta_2)", Holds),
    ("pi(0,1) [q - delta_1 (2q-1)] = pi(1,0) [1 - q + delta_2 (2q-1)]", Holds),
    ("1 - q + delta_2 (2q-1) = q - delta_1 (2q-1)", Holds),
    ("q - delta_1 (2q-1) > 0", HoldsAsRead),
    ("Lemma 3.2, pi(0,1) = pi(0,0)", HoldsAsRead),
    ("Lemma 3.2, pi(1,0) = pi(0,0)", HoldsAsRead),
    ("Pi_0 = pi(0,0) = 1/2 (pi(0,1) + pi(1,0)) = 1/2 Pi_1", HoldsAsRead),
    ("Pi_1 = Pi_2 = ... = Pi_(2n-1)", Holds),
    ("Pi_2n = 1/2 Pi_1", HoldsAsRead),
    ("Pi_0 = Pi_2n = 1/(4n), Pi_1 = ... = Pi_(2n-1) = 1/(2n)", HoldsAsRead),
    (
        "1/(4n) x 0 + 1/(2n) x (1 + 2 + ... + 2n - 1) + 1/(4n) x 2n",
        HoldsAsRead,
    ),
    ("= n", HoldsAsRead),
    ("patient policy produces no imbalance cost", Holds),
    ("its total expected matching cost per period is n", HoldsAsRead),
    ("every 2n periods the greedy policy forms a match", Holds),
    ("1 + 2 + 3 + ... + 2n - 1 = n(2n - 1)", Holds),
    ("2n alpha sum for k = 1 to n", Holds),
    ("= 2n alpha (1 - (2q-1)^(2n))/2", Holds),
    ("1/(2n) (n(2n-1) + 2n alpha (1 - (2q-1)^(2n))/2)", Holds),
    ("= n - 1/2 + alpha (1 - (2q-1)^(2n))/2", Holds),
    (
        "greedy is better than patient if and only if n - 1/2 + alpha (1 - (2q-1)^(2n))/2 <= n",
        Holds,
    ),
    ("i.e. when alpha <= 1/(1 - (2q-1)^(2n))", HoldsAsRead),
    ("Theorem 3.3, greedy", HoldsAsRead),
    ("Theorem 3.3, patient", Holds),
    ("Theorem 3.3, cost", Holds),
    ("when alpha is small, greedy is more appealing", Holds),
    ("greedy is more likely to beat patient when q is away from 1/2", Holds),
    ("the total waiting cost is independent of q: greedy", Holds),
    ("the total waiting cost is independent of q: patient", HoldsAsRead),
    (
        "less likely to create an imbalanced matching when q moves away from 1/2",
        Holds,
    ),
    (
        "if q is not 1/2, then the greedy policy becomes less appealing as n grows large",
        HoldsAsRead,
    ),
    (
        "as the team size grows and the market becomes more balanced, greedy policies become less appealing",
        Holds,
    ),
    (
        "when alpha < 1, the greedy policy is always the unique optimal policy",
        Holds,
    ),
    ("thus (greedy, q_g) is the unique equilibrium", HoldsAsRead),
    ("q_bar = 1/2 [1 + (1 - 1/alpha)^(1/(2n))]", Holds),
    ("q_underline = 1/2 [1 - (1 - 1/alpha)^(1/(2n))]", Holds),
    ("(*)", Holds),
    ("(**)", HoldsAsRead),
    (
        "when (*) and (**) hold simultaneously, both (greedy, q_g) and (patient, q_p) are equilibria",
        Holds,
    ),
    (
        "if only (*) holds, then (greedy, q_g) is the unique equilibrium",
        HoldsAsRead,
    ),
    (
        "if only (**) holds, then (patient, q_p) is the unique equilibrium",
        Holds,
    ),
    ("if neither (*) nor (**) holds, there is no equilibrium", HoldsAsRead),
];

#[test]
fn verdicts_are_as_worked_out() {
    let found: Vec<(&str, Verdict)> = CLAIMS.iter().map(|claim| (claim.label, claim.verdict)).collect();
    assert_eq!(found, VERDICTS);
}

#[test]
fn each_numbered_statement_has_a_claim() {
    for number in ["Lemma 3.1", "Lemma 3.2", "Theorem 3.3", "(*)", "(**)"] {
        assert!(CLAIMS.iter().any(|claim| claim.label.starts_with(number)), "{number}");
    }
}

#[test]
fn claims_are_complete() {
    for claim in CLAIMS.iter() {
        assert_eq!(claim.paper, Paper::Wu);
        assert!(claim.points.len() >= 8, "{}", claim.label);
        assert!(
            claim.points.iter().all(|point| point.computed.exact.is_some()),
            "{}",
            claim.label
        );
        assert_eq!(claim.reading.is_some(), claim.verdict == HoldsAsRead, "{}", claim.label);
        assert_eq!(
            claim.corrected_form.is_some(),
            claim.verdict == DoesNotHold,
            "{}",
            claim.label
        );
    }
}
