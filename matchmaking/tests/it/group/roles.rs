//! `--roles`: who plays what, and what happens where there are too few.

use serde_json::{Value, json};

use super::groups;
use crate::support::{group, group_json, run};

/// Two tanks, one of whom can heal; two healers; four who deal damage.
const POOL: &str = "\
id,rating,deviation,outcomes,roles
Ann,1500,60,,tank
Ben,1510,60,,tank|healer
Cho,1900,60,,healer
Dee,1505,60,,damage
Eve,1515,60,,damage
Fay,1905,60,,damage
Gil,1910,60,,damage
Hal,1915,60,,healer
";

fn played(document: &Value) -> Vec<Vec<(String, Option<String>)>> {
    let lists = document["groups"].as_array().expect("groups").iter().map(|group| {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let roles = group["roles"].as_array().expect("roles").iter().map(text);
        let members = group["members"].as_array().expect("members").iter();
        members.map(|id| text(id).expect("an id")).zip(roles).collect()
    });
    lists.collect()
}

#[test]
fn every_group_has_the_roles_it_must_have() {
    let roles = "tank=1,healer=1,damage=1-2";
    for method in ["auto", "exact"] {
        let document = group_json(POOL, &["--size", "4", "--roles", roles, "--method", method]);
        assert_eq!(
            (&document["status"], &document["method"]),
            (&json!("optimal"), &json!("exact"))
        );
        let groups = played(&document);
        assert_eq!(groups.len(), 2);
        for members in groups {
            let plays = |role: &str| {
                members
                    .iter()
                    .filter(|(_, played)| played.as_deref() == Some(role))
                    .count()
            };
            assert_eq!(
                (plays("tank"), plays("healer"), plays("damage")),
                (1, 1, 2),
                "{members:?}"
            );
        }
    }
    // Without roles, Ann and Ben are together: they are as good as each other.
    let free = groups(&group_json(POOL, &["--size", "4"]));
    assert!(
        free.contains(&vec!["Ann".into(), "Ben".into(), "Dee".into(), "Eve".into()]),
        "{free:?}"
    );
    let text = group(POOL, &["--size", "4", "--roles", roles]).stdout;
    // Both tanks are needed as such.
    assert!(text.contains("Ann (tank)") && text.contains("Ben (tank)"), "{text}");
}

#[test]
fn roles_that_too_few_can_play_are_named() {
    let run = group(POOL, &["--size", "4", "--roles", "healer=2", "--json"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(
        run.json()["witness"],
        json!({"kind": "roles-short", "parties": [], "roles": ["healer"], "needed": 4, "players": ["Ben", "Cho", "Hal"]})
    );
    let text = group(POOL, &["--size", "4", "--roles", "healer=2"]).stdout;
    assert!(
        text.contains("the groups need 4 who can play healer, and there are 3:\n  Ben Cho Hal\n"),
        "{text}"
    );
    let misspelt = group(POOL, &["--size", "4", "--roles", "heeler=1"]).stdout;
    assert!(
        misspelt.contains("the groups need 2 who can play heeler, and column `roles` names nobody who can\n"),
        "{misspelt}"
    );
    let crowded = group(POOL, &["--size", "4", "--roles", "damage=0-1", "--json"]);
    assert_eq!(crowded.code, Some(1), "{crowded:?}");
    let witness = crowded.json()["witness"].clone();
    assert_eq!(
        (&witness["kind"], &witness["room"]),
        (&json!("roles-crowded"), &json!(2))
    );
    assert_eq!(witness["players"], json!(["Dee", "Eve", "Fay", "Gil"]));
}

/// A misspelt role that no group must have changed nothing, and nobody was told.
#[test]
fn a_role_that_nobody_has_is_warned_of() {
    let misspelt = ["--size", "4", "--roles", "tnak=0-2", "--json"];
    let run = group(POOL, &misspelt);
    assert_eq!(run.code, Some(0), "{run:?}");
    let said = "role \"tnak\" is nobody's: column \"roles\" has \"damage\", \"healer\", \"tank\"";
    assert_eq!(run.json()["warnings"], json!([said]));
    assert!(run.stderr.contains(said), "{}", run.stderr);
    let none = group(
        "id,rating,deviation,outcomes\na,1,1,\nb,2,1,\n",
        &["--size", "2", "--roles", "tank=0-"],
    );
    assert!(none.stderr.contains("column \"roles\" has no roles at all"), "{none:?}");
    assert_eq!(group(POOL, &["--size", "4", "--roles", "tank=0-2"]).stderr, "");
}

/// Ben plays tank as well, which was not asked for: that he "can play nothing but healer" was false.
#[test]
fn only_roles_asked_for_are_spoken_of() {
    let crowded = group(POOL, &["--size", "4", "--roles", "healer=0-1"]);
    assert_eq!(crowded.code, Some(1), "{crowded:?}");
    let said = "of the roles asked for, 3 players can play only healer, and there is room for 2:\n  Ben Cho Hal\n";
    assert!(crowded.stdout.contains(said), "{}", crowded.stdout);
    let help = run(&["group", "--help"]).stdout;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("Whoever can play some of these roles plays one of them"),
        "{help}"
    );
}

#[test]
fn roles_are_refused_where_they_mean_nothing() {
    let matrix = "4 2\n0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n";
    group(matrix, &["--roles", "tank=1"]).refused(&["--roles", "only for CSV pools"]);
    group(POOL, &["--size", "4", "--roles", "tank=1", "--method", "search"])
        .refused(&["--roles", "searches know no roles"]);
    group(POOL, &["--size", "4", "--roles", "tank=1,tank=2"]).refused(&["--roles", "\"tank\" is named twice"]);
    for wrong in ["tank", "tank=x", "tank=2-1", "2,2"] {
        run(&["group", "x", "--roles", wrong]).refused(&["--roles"]);
    }
    let many: Vec<String> = (0..9).map(|number| format!("role{number}=0-")).collect();
    group(POOL, &["--size", "4", "--roles", &many.join(",")]).refused(&["8 roles"]);
}
