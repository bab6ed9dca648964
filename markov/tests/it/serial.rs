//! What is written can be read again, and what is wrong is refused.

use core::fmt::Debug;

use markov::mdp::{
    Action, BoundedSolution, CtMdp, Mdp, PolicyIteration, RateAction, RelativeValueIteration, ValueIteration,
};
use markov::{
    Budget, Csr, Ctmc, Dtmc, Error, ErrorBound, Limits, Method, Qbd, QbdBlocks, Rational, Scalar, Stationary,
    StationaryReport, Stopped, Transient, TransientReport,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn read<V: DeserializeOwned>(text: &str) -> Result<V, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

#[track_caller]
fn there_and_back<V: Serialize + DeserializeOwned + PartialEq + Debug>(value: &V) -> String {
    let text = serde_json::to_string(value).expect("numbers");
    assert_eq!(read::<V>(&text).as_ref(), Ok(value), "{text}");
    text
}

/// Changes a part of what was written, and tells why that is refused.
#[track_caller]
fn refused<V: DeserializeOwned + Debug>(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} in {text}");
    read::<V>(&text.replacen(from, to, 1)).expect_err("broken")
}

/// The table of claims is written for readers without a library of fractions, and read by nobody.
#[test]
fn claims_are_written_in_words() {
    use markov::claims::{Estimate, Paper, Point, Remedy, Statement, Value, Verdict, xu};

    for (value, word) in [
        (serde_json::to_value(Paper::Schlup), "schlup"),
        (serde_json::to_value(Verdict::HoldsAsRead), Verdict::HoldsAsRead.name()),
        (serde_json::to_value(Verdict::DoesNotHold), Verdict::DoesNotHold.name()),
        (serde_json::to_value(Verdict::Holds), Verdict::Holds.name()),
        (serde_json::to_value(Paper::Wu), Paper::Wu.name()),
        (serde_json::to_value(Paper::Xu), Paper::Xu.name()),
        (serde_json::to_value(Paper::Eomm), Paper::Eomm.name()),
    ] {
        assert_eq!(value.expect("a word"), word);
    }
    let point = Point {
        at: vec![("k", r(1, 2)), ("j", r(-3, 1))],
        printed: None,
        computed: r(2, 6).into(),
        corrected: Some(Value::from(0.5)),
        simulated: Some(Estimate {
            mean: 0.25,
            standard_error: 0.0,
            z: f64::INFINITY,
        }),
    };
    let statement = Statement {
        paper: Paper::Wu,
        label: "(1)",
        statement: "a third",
        remedy: Remedy::None,
    };
    assert_eq!(
        serde_json::to_string(&statement.judge(vec![point])).expect("plain data"),
        "{\"paper\":\"wu\",\"label\":\"(1)\",\"statement\":\"a third\",\"verdict\":\"does-not-hold\",\"reading\":null,\
         \"points\":[{\"at\":{\"k\":\"1/2\",\"j\":\"-3\"},\"printed\":null,\
         \"computed\":{\"exact\":\"1/3\",\"float\":0.3333333333333333},\"corrected\":{\"exact\":null,\"float\":0.5},\
         \"simulated\":{\"mean\":0.25,\"standard_error\":0.0,\"z\":null}}],\"corrected_form\":null}"
    );

    // Every claim of a paper, as many points as it has.
    let claims = xu();
    let written = serde_json::to_value(&claims).expect("plain data");
    assert_eq!(written.as_array().map(Vec::len), Some(claims.len()));
    for (claim, written) in claims.iter().zip(written.as_array().into_iter().flatten()) {
        assert_eq!(written["label"], claim.label);
        assert_eq!(written["points"].as_array().map(Vec::len), Some(claim.points.len()));
    }
}

fn r(numerator: i64, denominator: i64) -> Rational {
    Rational::ratio(numerator, denominator)
}

fn chain() -> Ctmc {
    Ctmc::new(&Csr::from_rows(
        3,
        [vec![(1, 1.0)], vec![(0, 2.0), (2, 1.0)], vec![(1, 2.0)]],
    ))
    .expect("a chain")
}

fn machine() -> Mdp<Rational> {
    Mdp::new([
        vec![Action {
            cost: r(-10, 1),
            moves: vec![(0, r(9, 10)), (1, r(1, 10))],
        }],
        vec![
            Action {
                cost: r(0, 1),
                moves: vec![(0, r(1, 2)), (1, r(1, 2))],
            },
            Action {
                cost: r(4, 1),
                moves: vec![(0, r(1, 1))],
            },
        ],
    ])
    .expect("a process")
}

fn machine_in_floats() -> Mdp {
    let action = |cost, moves: &[(usize, f64)]| Action {
        cost,
        moves: moves.to_vec(),
    };
    Mdp::new([
        vec![action(-10.0, &[(0, 0.875), (1, 0.125)])],
        vec![action(0.0, &[(0, 0.5), (1, 0.5)]), action(4.0, &[(0, 1.0)])],
    ])
    .expect("a process")
}

#[test]
fn matrices_and_chains() {
    let chain = chain();
    let text = there_and_back(&chain);
    assert_eq!(
        text,
        r#"{"rates":{"starts":[0,1,3,4],"columns":[1,0,2,1],"values":[1.0,2.0,1.0,2.0],"width":3}}"#
    );
    for (from, to) in [
        ("[0,1,3,4]", "[0,3,1,4]"),
        ("[0,1,3,4]", "[1,1,3,4]"),
        ("[0,1,3,4]", "[0,1,3]"),
        ("[0,1,3,4]", "[]"),
        ("[1,0,2,1]", "[1,2,0,1]"),
        ("[1,0,2,1]", "[1,0,3,1]"),
        ("[1,0,2,1]", "[1,0,0,1]"),
        ("[1,0,2,1]", "[1,0,2]"),
        ("[1.0,", "[0.0,"),
        ("[1.0,", "[-1.0,"),
        ("\"width\":3", "\"width\":4"),
        ("\"width\":3", "\"width\":5000000000"),
    ] {
        refused::<Ctmc>(&text, from, to);
    }
    // A diagonal is dropped, as always.
    let generator = text.replacen("[1,0,2,1]", "[0,0,2,1]", 1);
    assert_eq!(read::<Ctmc>(&generator).expect("a chain").exit_rate(0), 0.0);

    let steps = Dtmc::new(&Csr::from_rows(2, [[(0, 0.25), (1, 0.75)], [(0, 1.0), (1, 0.0)]])).expect("a chain");
    let text = there_and_back(&steps);
    assert!(refused::<Dtmc>(&text, "[0.25,", "[0.5,").contains("add up to"));
    refused::<Dtmc>(&text, "[0.25,0.0]", "[0.25]");
    refused::<Dtmc>(&text, "[1,0]", "[0,0]");
}

#[test]
fn fractions_are_reduced() {
    let chain = Dtmc::new(&Csr::from_rows(
        2,
        [[(0, r(1, 3)), (1, r(2, 3))], [(0, r(1, 1)), (1, r(0, 1))]],
    ));
    let text = there_and_back(&chain.expect("a chain"));
    // 2/3 as -4/-6: signs and digits of both parts.
    let two_thirds = "[[1,[2]],[1,[3]]]";
    assert!(text.contains(two_thirds), "{text}");
    let other = text.replacen(two_thirds, "[[-1,[4]],[-1,[6]]]", 1);
    let read_again: Dtmc<Rational> = read(&other).expect("the same chain");
    let rate = read_again.moves().row(0).next().expect("a move").1;
    assert_eq!((rate.numer().clone(), rate.denom().clone()), (2.into(), 3.into()));
    refused::<Dtmc<Rational>>(&text, two_thirds, "[[1,[2]],[0,[]]]");
    let action = r#"{"cost":[[1,[4]],[-1,[6]]],"moves":[[0,[[-1,[2]],[-1,[2]]]]]}"#;
    let expected = Action {
        cost: r(-2, 3),
        moves: vec![(0, r(1, 1))],
    };
    assert_eq!(read::<Action<Rational>>(action), Ok(expected));
    let rates = action.replace("moves", "rates");
    let expected = RateAction {
        cost: r(-2, 3),
        rates: vec![(0, r(1, 1))],
    };
    assert_eq!(read::<RateAction<Rational>>(&rates), Ok(expected));
}

#[test]
fn reports_of_chains() {
    for method in [Method::Elimination, Method::GaussSeidel] {
        let report = Stationary::new()
            .method(method)
            .solve(&chain())
            .expect("a distribution");
        let text = there_and_back(&report);
        let name = format!("\"{method:?}\"");
        refused::<StationaryReport>(&text, &name, "\"Auto\"");
        refused::<StationaryReport>(&text, "\"distribution\":[", "\"distribution\":[-0.5,0.5,");
        refused::<StationaryReport>(&text, "\"distribution\":[", "\"distribution\":[0.5,");
        refused::<StationaryReport>(&text, "\"residual\":", "\"residual\":-1");
    }
    let report = Transient::new().accumulated(&chain(), &[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0], 1.5);
    let text = there_and_back(&report.expect("a transient"));
    refused::<TransientReport>(&text, "\"distribution\":[", "\"distribution\":[0.5,");
    refused::<TransientReport>(&text, "\"truncation\":", "\"truncation\":-1");
    there_and_back(&Limits::default());
    let lumped = chain().lump(&[0, 0, 1]).expect("a lumping");
    assert!(
        serde_json::to_string(&lumped)
            .expect("numbers")
            .contains("\"block_of\":[0,1,2]")
    );
    let classes = serde_json::to_string(&chain().classes()).expect("numbers");
    assert!(classes.contains("\"is_closed\":[true]"), "{classes}");
}

#[test]
fn queues() {
    let one = |rate: f64| Csr::from_rows(1, [[(0, rate)]]);
    let none = |rows, width| Csr::from_rows(width, (0..rows).map(|_| []));
    let queue = Qbd::new(QbdBlocks {
        levels: Vec::new(),
        first: 0,
        boundary: none(0, 0),
        enter: none(0, 1),
        leave: none(1, 0),
        up: one(1.0),
        local: none(1, 1),
        down: one(2.0),
    })
    .expect("a queue");
    let text = there_and_back(&queue);
    refused::<Qbd>(&text, "[2.0]", "[-2.0]");
    let solution = serde_json::to_string(&queue.solve().expect("stable")).expect("numbers");
    assert!(solution.contains("\"rate_matrix\":[[0.5]]"), "{solution}");
}

#[test]
fn processes_and_their_solutions() {
    let (exact, floats) = (machine(), machine_in_floats());
    let text = there_and_back(&floats);
    there_and_back(&exact);
    refused::<Mdp>(&text, "\"starts\":[0,1,3]", "\"starts\":[0,1,1]");
    refused::<Mdp>(&text, "0.875", "0.75");
    let action = |to: usize, rate| RateAction {
        cost: 1.0,
        rates: vec![(to, rate)],
    };
    let timed = CtMdp::new([vec![action(1, 2.0)], vec![action(0, 3.0)]]).expect("a process");
    let text = there_and_back(&timed);
    assert_eq!(read::<CtMdp>(&text).expect("a process").rate(), &3.0);
    refused::<CtMdp>(&text, "[1,2.0]", "[2,2.0]");

    let best = PolicyIteration::new().average(&exact).expect("one gain");
    let text = there_and_back(&best);
    refused::<markov::mdp::AverageSolution<Rational>>(&text, "\"policy\":[0,", "\"policy\":[");
    there_and_back(&best.verify(&exact).expect("its own process"));
    let best = PolicyIteration::new().discounted(&floats, &0.9).expect("values");
    let text = there_and_back(&best);
    refused::<markov::mdp::DiscountedSolution>(&text, "\"radius\":", "\"radius\":-1");
    there_and_back(&ValueIteration::new().solve(&floats, 0.9).expect("values"));
    let best = PolicyIteration::new().multichain(&floats).expect("gains");
    let text = there_and_back(&best);
    refused::<markov::mdp::MultichainSolution>(&text, "\"gain_of\":[0,", "\"gain_of\":[2,");
    refused::<markov::mdp::MultichainSolution>(&text, "\"gains\":[", "\"gains\":[1.0,");
    there_and_back(&PolicyIteration::new().multichain(&exact).expect("gains"));
    let found = RelativeValueIteration::new().solve(&floats).expect("one gain");
    let text = there_and_back(&found);
    refused::<BoundedSolution>(&text, "\"gain\":-", "\"gain\":");
    refused::<markov::mdp::Optimality>(r#"{"lower":1.0,"upper":0.5}"#, "1.0", "0.75");
}

#[cfg(feature = "lp")]
#[test]
fn programs() {
    use markov::mdp::program::{Program, RandomPolicy};
    let floats = machine_in_floats();
    let found = Program::average(&floats).solve().expect("a policy");
    let policy = there_and_back(found.policy().expect("one class"));
    assert_eq!(policy, r#"{"starts":[0,1,3],"chances":[1.0,0.0,1.0]}"#);
    for (from, to) in [
        ("[0,1,3]", "[0,1,1,3]"),
        ("[0,1,3]", "[0]"),
        ("[1.0,", "[0.5,"),
        // No chain could be made with this.
        ("[1.0,", "[0.9999999,"),
    ] {
        refused::<RandomPolicy>(&policy, from, to);
    }
    // It named a state by the number of the action.
    assert!(refused::<RandomPolicy>(&policy, "0.0,1.0", "2.0,-1.0").starts_with(
        "action 1 of state 1: the chance with which a policy draws it is -1, and must be a finite number and not negative"
    ));
    assert!(refused::<RandomPolicy>(&policy, "0.0,1.0", "0.0,0.5").contains("state 1 add up to 0.5"));
    assert!(serde_json::to_string(&found).expect("numbers").contains("\"cost\":"));
    let bound = Program::average(&floats).bound().expect("a bound");
    assert!(
        serde_json::to_string(&bound)
            .expect("numbers")
            .contains("\"prices\":[]")
    );
}

#[test]
fn what_stopped_a_solve() {
    let solver = Stationary::new().method(Method::Power).budget(Budget::new().work(50));
    let Err(error) = solver.solve(&chain()) else {
        panic!("50 units are few");
    };
    assert!(
        serde_json::to_string(&error)
            .expect("numbers")
            .starts_with(r#"{"Stopped":{"reason":"WorkLimit","work":"#)
    );
    let Error::Stopped(stopped) = error else {
        panic!("{error}");
    };
    there_and_back::<Stopped>(&stopped);
}

#[test]
fn what_is_said_of_an_answer_can_be_true() {
    let solver = Transient::new().budget(Budget::new().work(20));
    let found = solver.accumulated(&chain(), &[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0], 1.5);
    let Err(Error::Stopped(stopped)) = found else {
        panic!("20 units are few");
    };
    let text = there_and_back::<Stopped>(&stopped);
    refused::<Stopped>(&text, "\"radius\":", "\"radius\":-");
    let (lower, upper) = stopped.bounds.expect("proven");
    refused::<Stopped>(
        &text,
        &format!("[{lower:?},{upper:?}]"),
        &format!("[{upper:?},{lower:?}]"),
    );
    read::<ErrorBound>(r#"{"value":-1.0,"kind":"Proven"}"#).expect_err("no size of an error");
    there_and_back(
        &PolicyIteration::new()
            .multichain(&machine_in_floats())
            .expect("gains")
            .error(),
    );
    let text = there_and_back(&PolicyIteration::new().multichain(&machine_in_floats()).expect("gains"));
    refused::<markov::mdp::MultichainSolution>(&text, "\"gain_sizes\":[", "\"gain_sizes\":[-");
}

/// Floats may not hold what fractions do.
#[test]
fn large_fractions() {
    let huge = (0..400).fold(r(1, 1), |product, _| product * r(10, 1));
    let stay = |cost: &Rational| {
        vec![Action {
            cost: cost.clone(),
            moves: vec![(0, r(1, 1))],
        }]
    };
    let dear = Mdp::new([stay(&huge)]).expect("a process");
    there_and_back(&dear);
    there_and_back(&PolicyIteration::new().average(&dear).expect("one gain"));
    there_and_back(&PolicyIteration::new().multichain(&dear).expect("gains"));
    there_and_back(&PolicyIteration::new().discounted(&dear, &r(1, 2)).expect("values"));
}

/// Whether probabilities that miss one by just about the most are refused does not depend on the order in which they
/// are added up, where what was written is read again.
#[test]
fn what_was_taken_once_is_taken_again() {
    let mut count = 0;
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    for _ in 0..4_000 {
        let mut row: Vec<(usize, f64)> = (0..5)
            .map(|_| (rng.random_range(0..4), rng.random_range(0.1..1.0)))
            .collect();
        let sum: f64 = row.iter().map(|&(_, weight)| weight).sum();
        let target = if rng.random() { 1.0 - 1e-9 } else { 1.0 + 1e-9 };
        row.iter_mut().for_each(|(_, weight)| *weight *= target / sum);
        let rows = || (0..4).map(|state| if state == 1 { row.clone() } else { vec![(state, 1.0)] });
        if let Ok(chain) = Dtmc::new(&Csr::from_rows(4, rows())) {
            there_and_back(&chain);
            count += 1;
        }
        let actions = rows().map(|moves| vec![Action { cost: 0.0, moves }]);
        if let Ok(process) = Mdp::new(actions) {
            there_and_back(&process);
            count += 1;
        }
    }
    assert!(count > 1_000, "{count}");
}
