//! Rounds as JSON.

use std::io::{self, Write};

use super::player::{Player, Side};
use super::round::Round;

impl Round {
    /// Writes the round as [`Round::read_json`] reads it: one player and one row a line.
    ///
    /// # Errors
    /// Whatever the output fails with.
    pub fn write_json(&self, mut out: impl Write) -> io::Result<()> {
        let out = &mut out;
        let n = self.len();
        writeln!(out, "{{\"players\": [")?;
        for (i, player) in self.players().iter().enumerate() {
            write!(out, "  ")?;
            write_player(player, out)?;
            self.write_ids("avoid", self.avoided_pairs_of(i), out)?;
            self.write_ids("dislike", self.disliked_pairs_of(i), out)?;
            write!(out, "}}")?;
            writeln!(out, "{}", if i + 1 < n { "," } else { "" })?;
        }
        writeln!(out, "],\n\"ping_ms\": [")?;
        write_rows(n, out, |i, j| if i == j { 0.0 } else { self.ping_ms(i, j) })?;
        writeln!(out, "],\n\"can_connect\": [")?;
        write_rows(n, out, |i, j| i == j || self.can_connect(i, j))?;
        writeln!(out, "]}}")?;
        out.flush()
    }

    /// A list of players, if there are any.
    fn write_ids(&self, name: &str, players: impl Iterator<Item = usize>, out: &mut impl Write) -> io::Result<()> {
        let ids: Vec<String> = players.map(|j| text(&self.players()[j].id)).collect();
        match &ids[..] {
            [] => Ok(()),
            ids => write!(out, ", \"{name}\": [{}]", ids.join(", ")),
        }
    }
}

/// All of an object but who is named and its end; leaves out what a player does not have.
fn write_player(player: &Player, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"id\": {}, \"skill\": {}", text(&player.id), player.skill)?;
    for (name, value) in [("party", &player.party), ("region", &player.region)] {
        if let Some(value) = value {
            write!(out, ", \"{name}\": {}", text(value))?;
        }
    }
    if player.waited > 0 {
        write!(out, ", \"waited\": {}", player.waited)?;
    }
    if let Some(last) = &player.last {
        write_team("last", &last.match_id, last.team, out)?;
    }
    if let Some(playing) = &player.playing {
        write_team("playing", &playing.match_id, playing.team, out)?;
    }
    Ok(())
}

fn write_team(name: &str, match_id: &str, team: Side, out: &mut impl Write) -> io::Result<()> {
    let (id, team) = (text(match_id), team.name());
    write!(out, ", \"{name}\": {{\"match\": {id}, \"team\": \"{team}\"}}")
}

fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

fn write_rows<T: std::fmt::Display>(
    n: usize,
    out: &mut impl Write,
    value: impl Fn(usize, usize) -> T,
) -> io::Result<()> {
    for i in 0..n {
        write!(out, "  [")?;
        for j in 0..n {
            write!(out, "{}{}", if j == 0 { "" } else { "," }, value(i, j))?;
        }
        writeln!(out, "]{}", if i + 1 < n { "," } else { "" })?;
    }
    Ok(())
}
