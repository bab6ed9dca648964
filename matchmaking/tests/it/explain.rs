//! Why a pair, and what if.

use serde_json::{Value, json};

use crate::support::{POOL, pair, pair_json};

/// A path 0-1-2-3 and the edge 0-3.
const CYCLE: &str = "4 4\n0 1 1\n1 2 3\n2 3 1\n0 3 2.5\n";

#[test]
fn a_chosen_pair_and_one_that_is_not() {
    let chosen = &pair_json(CYCLE, &["--explain", "1,0"])["explain"];
    assert_eq!((&chosen["pair"], &chosen["chosen"]), (&json!([1, 0]), &json!(true)));
    assert_eq!((&chosen["cost"]["exact"], &chosen["terms"]), (&json!("1"), &json!([])));
    assert_eq!(
        (&chosen["forced"]["change"]["exact"], &chosen["forced"]["pairs"]),
        (&json!("0"), &json!(2))
    );
    assert_eq!(
        (
            &chosen["forbidden"]["cost"]["exact"],
            &chosen["forbidden"]["change"]["exact"]
        ),
        (&json!("11/2"), &json!("7/2"))
    );
    let other = &pair_json(CYCLE, &["--explain", "1,2"])["explain"];
    assert_eq!(
        (&other["chosen"], &other["forced"]["change"]["exact"]),
        (&json!(false), &json!("7/2"))
    );
    assert_eq!(
        (&other["forbidden"]["status"], &other["forbidden"]["change"]["exact"]),
        (&json!("optimal"), &json!("0"))
    );
    let none = &pair_json(CYCLE, &["--explain", "0,2"])["explain"];
    assert_eq!((&none["cost"], &none["forced"]), (&Value::Null, &Value::Null));
    let text = pair(CYCLE, &["--explain", "0,1"]).stdout;
    assert!(
        text.contains(
            "with the pair forbidden: optimal, 2 pairs, total 5.5, a change of +3.5\n  then: 0 - 3, 1 - 2\n  not: 0 - 1, 2 - 3\n"
        ),
        "{text}"
    );
    // Who would change, where somebody would.
    assert_eq!(
        (&chosen["forbidden"]["added"], &chosen["forbidden"]["dropped"]),
        (&json!([[0, 3], [1, 2]]), &json!([[0, 1], [2, 3]]))
    );
    assert_eq!(
        (&chosen["forced"]["added"], &chosen["forced"]["dropped"]),
        (&json!([]), &json!([]))
    );
}

/// What is said of all pairs of one is what is said of each.
#[test]
fn all_pairs_of_one() {
    let mut pool = Vec::new();
    let players = matchmaking::Pool::synthetic(40, 3);
    players.write_csv(&mut pool).expect("a vector takes everything");
    let id = |value: &Value| value.as_str().expect("an id").to_owned();
    let asked = pair_json(&pool, &[])["pairs"][7][0].clone();
    for (options, most) in [
        (&[][..], 1),
        (&["--games", "3", "--cost", "skill"], 3),
        (&["--games", "1..3"], 3),
    ] {
        let explain = |who: &str| pair_json(&pool, &[options, &["--explain", who]].concat());
        let all = explain(&id(&asked));
        let meets: Vec<&Value> = all["pairs"]
            .as_array()
            .expect("pairs")
            .iter()
            .filter_map(|pair| match pair[0] == asked {
                true => Some(&pair[1]),
                false => (pair[1] == asked).then_some(&pair[0]),
            })
            .collect();
        let explained = &all["explain"];
        assert_eq!((&explained["id"], &explained["stopped"]), (&asked, &Value::Null));
        let pairs = explained["pairs"].as_array().expect("pairs");
        assert!(
            (1..=most).contains(&pairs.len()) && pairs.len() == meets.len(),
            "{explained}"
        );
        for (pair, other) in pairs.iter().zip(meets) {
            assert_eq!(pair["pair"], json!([asked, other]));
            let single = explain(&format!("{},{}", id(&asked), id(other)));
            assert_eq!(pair, &single["explain"]);
        }
        let text = pair(&pool, &[options, &["--explain", &id(&asked)]].concat()).stdout;
        assert_eq!(
            text.matches("with the pair forbidden: optimal").count(),
            pairs.len(),
            "{text}"
        );
    }
    // In a graph, and of who has nobody.
    let path = "5 3\n0 1 1\n1 2 3\n2 3 1\n";
    let options = ["--objective", "max-weight", "--explain"];
    let one = &pair_json(path, &[&options[..], &["2"]].concat())["explain"];
    assert_eq!(
        (
            &one["pairs"][0]["pair"],
            &one["pairs"][0]["forbidden"]["change"]["exact"]
        ),
        (&json!([2, 1]), &json!("-1"))
    );
    let nobody = pair(path, &[&options[..], &["4"]].concat());
    assert_eq!(nobody.code, Some(0));
    assert!(
        nobody
            .stdout
            .contains("\n4 is in no pair; what a pair with somebody would change: --explain 4,ID\n"),
        "{}",
        nobody.stdout
    );
    let nobody = &pair_json(path, &[&options[..], &["4"]].concat())["explain"];
    assert_eq!(nobody, &json!({"id": 4, "pairs": [], "stopped": null}));
    let triangle = "3 3\n0 1 1\n1 2 3\n0 2 2\n";
    let both = &pair_json(triangle, &["--games", "2", "--explain", "1"])["explain"]["pairs"];
    let statuses: Vec<&Value> = (0..2).map(|at| &both[at]["forbidden"]["status"]).collect();
    assert_eq!(statuses, ["infeasible", "infeasible"]);
    let none = pair("4 2\n0 1 1\n1 2 3\n", &["--json", "--explain", "1"]);
    assert_eq!((none.code, &none.json()["explain"]["pairs"]), (Some(1), &json!([])));
    // Where there is no pairing, all was said to be about pairs with somebody.
    let none = pair("4 2\n0 1 1\n1 2 3\n", &["--explain", "1"]).stdout;
    assert!(none.contains("infeasible") && !none.contains("in no pair"), "{none}");
}

/// All pairs of one share the limits, and what ends one of them is told.
#[test]
fn a_limit_for_all_pairs_of_one() {
    let mut pool = Vec::new();
    let players = matchmaking::Pool::synthetic(200, 4);
    players.write_csv(&mut pool).expect("a vector takes everything");
    let options = ["--cost", "skill", "--games", "4"];
    let answer = pair_json(&pool, &options);
    let (work, id) = (answer["work"].as_u64().expect("work"), answer["pairs"][0][0].as_str());
    let id = id.expect("an id");
    let limit = (work + work / 2).to_string();
    let limited = [&options[..], &["--explain", id, "--work-limit", &limit]].concat();
    let ended = pair(&pool, &[&limited[..], &["--json"]].concat());
    let explain = &ended.json()["explain"];
    assert_eq!((ended.code, &explain["stopped"]), (Some(3), &json!("work-limit")));
    let pairs = explain["pairs"].as_array().expect("pairs");
    assert_eq!(pairs.last().expect("a pair")["stopped"], "work-limit");
    let text = pair(&pool, &limited).stdout;
    assert_eq!(
        text.matches("the work-limit ended the explanation\n").count(),
        1,
        "{text}"
    );
}

#[test]
fn forcing_or_forbidding_may_make_it_impossible() {
    let path = "4 3\n0 1 1\n1 2 3\n2 3 1\n";
    assert_eq!(
        pair_json(path, &["--explain", "1,2"])["explain"]["forced"]["status"],
        "infeasible"
    );
    assert_eq!(
        pair_json(path, &["--explain", "0,1"])["explain"]["forbidden"]["status"],
        "infeasible"
    );
    let weight = &pair_json(path, &["--explain", "1,2", "--objective", "max-weight"])["explain"];
    assert_eq!(
        (&weight["chosen"], &weight["forbidden"]["change"]["exact"]),
        (&json!(true), &json!("-1"))
    );
    assert_eq!(
        (&weight["forced"]["pairs"], &weight["forbidden"]["pairs"]),
        (&json!(1), &json!(2))
    );
}

#[test]
fn the_terms_of_an_engagement_cost_add_up() {
    let explain = &pair_json(POOL, &["--explain", "Ann,Ben"])["explain"];
    let terms = explain["terms"].as_array().expect("an array");
    let number = |term: &Value, key: &str| term[key].as_f64().expect("a number");
    let sum = |key: &str| terms.iter().map(|term| number(term, key)).sum::<f64>();
    assert!((sum("probability") - 1.0).abs() < 1e-12);
    assert!((sum("term") - explain["cost"]["float"].as_f64().expect("a number")).abs() < 1e-6);
    for term in terms {
        let churn = number(term, "churn_a") + number(term, "churn_b");
        assert!((number(term, "term") - number(term, "probability") * churn).abs() < 1e-12);
    }
    let words: Vec<&Value> = terms.iter().map(|term| &term["outcome"]).collect();
    assert_eq!(words, ["win", "draw", "loss"]);
    let mirrored = &pair_json(POOL, &["--explain", "Ben,Ann"])["explain"];
    assert_eq!(
        (&mirrored["cost"], &mirrored["terms"][0]["term"]),
        (&explain["cost"], &terms[2]["term"])
    );
}

#[test]
fn forcing_in_an_odd_pool_keeps_the_bye() {
    let odd = "id,rating,deviation,outcomes\na,0,1,\nb,1,1,\nc,5,1,\n";
    for (objective, forbidden) in [("min-perfect", "2"), ("max-perfect", "5")] {
        let arguments = [
            "--cost",
            "skill",
            "--objective",
            objective,
            "--bye-cost",
            "1",
            "--explain",
            "a,c",
        ];
        let explain = &pair_json(odd, &arguments)["explain"];
        assert_eq!(explain["terms"], json!([{"rating_a": 0.0, "rating_b": 5.0}]));
        assert_eq!(explain["forced"]["cost"]["exact"], "6", "{explain}");
        assert_eq!(explain["forbidden"]["cost"]["exact"], forbidden, "{explain}");
    }
}

/// What was solved for the explanation had the limits anew.
#[test]
fn the_answer_and_its_explanation_share_the_limits() {
    let mut pool = Vec::new();
    let players = matchmaking::Pool::synthetic(301, 1);
    players.write_csv(&mut pool).expect("a vector takes everything");
    let answer = pair_json(&pool, &[]);
    let work = answer["work"].as_u64().expect("work");
    let id = |side: usize| answer["pairs"][0][side].as_str().expect("an id");
    let asked = format!("{},{}", id(0), id(1));
    let forbidden = |limit: u64| {
        let limit = limit.to_string();
        let document = pair_json(&pool, &["--explain", &asked, "--work-limit", &limit]);
        assert_eq!(
            (&document["status"], &document["work"]),
            (&json!("optimal"), &json!(work))
        );
        document["explain"]["forbidden"]["status"].clone()
    };
    assert_ne!(forbidden(work + work / 2), "optimal");
    assert_eq!(forbidden(10 * work), "optimal");
}

/// Where a limit ended the explanation alone, the exit code was 0.
#[test]
fn a_limit_that_ends_the_explanation_alone_is_told() {
    let mut pool = Vec::new();
    let players = matchmaking::Pool::synthetic(301, 1);
    players.write_csv(&mut pool).expect("a vector takes everything");
    let skill = ["--cost", "skill", "--games", "2"];
    for options in [&[][..], &skill] {
        let answer = pair_json(&pool, options);
        let work = answer["work"].as_u64().expect("work");
        let id = |side: usize| answer["pairs"][0][side].as_str().expect("an id");
        let chosen = [id(0), id(1)].join(",");
        // One of the answer, which is forbidden, and one that is not, which is forced.
        let pairs = answer["pairs"].as_array().expect("pairs");
        let meets = |id: &Value| {
            pairs
                .iter()
                .any(|pair| [&pair[0], &pair[1]].contains(&id) && [&pair[0], &pair[1]].contains(&&pairs[0][0]))
        };
        let stranger = pairs
            .iter()
            .map(|pair| &pair[1])
            .find(|id| !meets(id))
            .expect("somebody");
        let other = format!("{},{}", id(0), stranger.as_str().expect("an id"));
        for (asked, searched) in [(&chosen[..], "forbidden"), (&other[..], "forced")] {
            let limited = |limit: u64, more: &[&str]| {
                let limit = limit.to_string();
                pair(
                    &pool,
                    &[options, &["--explain", asked, "--work-limit", &limit], more].concat(),
                )
            };
            let ended = limited(work + 1, &["--json"]);
            let document = ended.json();
            assert_eq!(
                (ended.code, &document["status"]),
                (Some(3), &json!("optimal")),
                "{asked}"
            );
            let explain = &document["explain"];
            assert_eq!(
                (&document["stopped"], &explain["stopped"]),
                (&Value::Null, &json!("work-limit"))
            );
            assert_ne!(explain[searched]["status"], "optimal", "{asked}");
            let text = limited(work + 1, &[]);
            assert!(
                text.stdout.contains("the work-limit ended the explanation\n"),
                "{}",
                text.stdout
            );
            let whole = limited(100 * work, &["--json"]);
            assert_eq!(
                (whole.code, &whole.json()["explain"]["stopped"]),
                (Some(0), &Value::Null),
                "{asked}"
            );
        }
        // A limit that ends the answer is told of that.
        let ended = pair(
            &pool,
            &[options, &["--json", "--explain", &chosen, "--work-limit", "1"]].concat(),
        );
        assert!(matches!(ended.code, Some(3 | 4)), "{:?}", ended.code);
        assert_eq!(ended.json()["stopped"], "work-limit");
    }
    // A question without an answer stays one.
    let path = pair("4 2\n0 1 1\n1 2 3\n", &["--json", "--explain", "1,2"]);
    assert_eq!((path.code, &path.json()["explain"]["stopped"]), (Some(1), &Value::Null));
}

#[test]
fn ids_may_hold_commas_and_must_exist() {
    let pool = "id,rating,deviation,outcomes\n\"a,b\",0,1,\nc,1,1,\na,5,1,\n\"b,c\",2,1,\n";
    pair(pool, &["--explain", "a,b,c"]).refused(&["--explain", "more than one", "a space behind the comma"]);
    for (asked, one, other) in [("a,b, c", "a,b", "c"), ("a, b,c", "a", "b,c"), ("c,a,b", "c", "a,b")] {
        assert_eq!(
            pair_json(pool, &["--explain", asked])["explain"]["pair"],
            json!([one, other])
        );
    }
    assert_eq!(
        pair_json(pool, &["--explain", "a,b,a"])["explain"]["pair"],
        json!(["a,b", "a"])
    );
    pair(pool, &["--explain", "a,zed"]).refused(&["\"zed\" is no id"]);
    pair(pool, &["--explain", "zed,a"]).refused(&["\"zed\" is no id"]);
    pair(pool, &["--explain", "c,c"]).refused(&["same id twice"]);
    pair(pool, &["--explain", "zed"]).refused(&["\"zed\" is no id"]);
    // One who is named by all of it, unless it names two.
    assert_eq!(pair_json(pool, &["--explain", "b,c"])["explain"]["id"], "b,c");
    let three = "id,rating,deviation,outcomes\na,0,1,\nb,1,1,\n\"a,b\",5,1,\nc,2,1,\n";
    assert_eq!(
        pair_json(three, &["--explain", "a,b"])["explain"]["pair"],
        json!(["a", "b"])
    );
    pair("p edge 2 1\ne 1 2 1\n", &["--explain", "0,1"]).refused(&["\"0\" is no id"]);
}
