//! Everybody who waits in a lobby, in matches of three against three: by six scores, parties whole, and checked.

use std::error::Error;

use matchmaking::lobby::{LobbySearch, Round, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    // Who waits, with skill, party, region and how long.
    let round = Round::read_csv(include_str!("data/round.csv").as_bytes())?;
    let rules = Rules::new(3);
    let lobby = LobbySearch::new(&round, &rules).work(100_000).seed(1).run()?;

    let names = |team: &[usize]| team.iter().map(|&i| round.players()[i].id.as_str()).collect::<Vec<_>>();
    for one in &lobby.matches {
        println!(
            "{:<16} against {:<16} score {:.3}, {} can be the server",
            names(&one.red).join(" "),
            names(&one.blue).join(" "),
            one.breakdown.total,
            one.hosts(&round).len()
        );
    }
    println!("waiting: {}", names(&lobby.waiting).join(" "));

    // The checker reads the round and the rules alone.
    lobby.verify(&round, &rules)?;
    assert_eq!(6 * lobby.matches.len() + lobby.waiting.len(), round.len());
    Ok(())
}
