//! Results as they are written.

use matchmaking::online::{Account, Arrivals, Pattern, PolicyKind, Setting, optimum, simulate};
use serde_json::{Value, json};

#[test]
fn games_and_their_account_are_written_as_they_are() {
    // The pair waits for one of five minutes and differs by a quarter; the third plays with a bot.
    let setting = Setting::new(2, 5.0, 1).expect("a setting");
    let arrivals = Arrivals::new(
        1,
        [(0.0, &[0.25]), (1.0, &[0.5]), (20.0, &[0.5])].map(|(t, c)| (t, c as &[f64])),
    );
    let arrivals = arrivals.expect("three arrivals");
    let best = optimum(&setting, &arrivals).expect("games");
    let account = Account::new(&setting, &arrivals, &best.games).expect("everybody plays");
    let games = json!([{"time": 1.0, "players": [0, 1]}, {"time": 25.0, "players": [2]}]);
    assert_eq!(serde_json::to_value(&best.games).expect("plain data"), games);
    let weight = setting.weights()[0];
    let written = serde_json::to_value(&account).expect("plain data");
    let first = json!({"criteria": 0.25 * weight, "waiting": 0.2});
    let second = json!({"criteria": weight, "waiting": 2.0});
    assert_eq!(written["games"], json!([first, second]));
    assert_eq!((&written["players"], &written["bot_games"]), (&json!(3), &json!(1)));
    assert_eq!(written["waits"], json!([0.0, 1.0, 5.0]));
    let written = serde_json::to_value(&best).expect("plain data");
    assert_eq!((&written["games"], &written["out_of_work"]), (&games, &json!(false)));
    assert_eq!(written["bound"], best.bound);
}

#[test]
fn as_many_games_are_written_as_there_are() {
    let setting = Setting::new(2, 5.0, 2).expect("a setting");
    let arrivals = Pattern::Constant(3.0).arrivals(500, 2, 1).expect("arrivals");
    let policy = PolicyKind::Greedy.build(&setting).expect("a policy");
    let games = simulate(&setting, policy, &arrivals).expect("games");
    let written = serde_json::to_value(&games).expect("plain data");
    let written: &Vec<Value> = written.as_array().expect("a list");
    assert_eq!(written.len(), games.len());
    for (written, game) in written.iter().zip(games.iter()) {
        assert_eq!(
            (&written["time"], &written["players"]),
            (&json!(game.time), &json!(game.players))
        );
    }
}
