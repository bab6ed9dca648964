//! A service at work: players arrive at any moment, games start as they form, and the loop sleeps until something is
//! due. Here the clock is simulated; with a real one, `advance` is called with the time at which the loop woke up.

use matchmaking::online::{Account, Arrivals, Error, Game, Games, Matchmaker, Pattern, PolicyKind, Setting, simulate};

/// Says who plays whom.
fn announce(game: Game<'_>, evening: &Arrivals) {
    let levels: Vec<String> = game
        .players
        .iter()
        .map(|&player| format!("{player} ({:.2})", evening.criteria(player as usize)[0]))
        .collect();
    let opponents = if game.players.len() < 2 {
        format!("{} against a bot", levels[0])
    } else {
        levels.join(" against ")
    };
    println!("{:6.2}: {opponents}", game.time);
}

fn main() -> Result<(), Error> {
    // Two play by one criterion, their level from 0 to 1; nobody waits for longer than 5 seconds.
    let setting = Setting::new(2, 5.0, 1)?;
    let evening = Pattern::Rising(4.0).arrivals(40, 1, 3)?;

    let mut matchmaker = Matchmaker::new(setting.clone(), PolicyKind::Slack.build(&setting)?)?;
    let mut played = Games::new();
    let mut publish = |formed: Games| {
        for game in formed.iter() {
            announce(game, &evening);
            played.push(game.time, game.players.iter().copied());
        }
    };
    for arrival in evening.iter() {
        // Sleep until something is due, or somebody comes.
        while let Some(wake) = matchmaker.next_wake().filter(|wake| *wake < arrival.time) {
            matchmaker.advance(wake)?;
            publish(matchmaker.take_games());
        }
        matchmaker.arrive(arrival.time, arrival.criteria)?;
        publish(matchmaker.take_games());
    }
    while let Some(wake) = matchmaker.next_wake() {
        matchmaker.advance(wake)?;
        publish(matchmaker.take_games());
    }

    let account = Account::new(&setting, &evening, &played)?;
    println!(
        "{} games, cost {:.3} each, mean wait {:.2} s",
        played.len(),
        account.per_game(),
        account.mean_wait()
    );

    // The log played again gives the same games.
    assert_eq!(
        simulate(&setting, PolicyKind::Slack.build(&setting)?, &evening)?,
        played
    );
    Ok(())
}
