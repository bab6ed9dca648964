//! Pools as CSV.

use std::io::{self, Write};

use super::Pool;
use crate::player::Player;

impl Pool {
    /// Writes the pool as CSV that [`Pool::read_csv`] understands. Columns beyond the first four are written where
    /// some player has something to put there.
    ///
    /// # Errors
    /// Whatever the output fails with.
    pub fn write_csv(&self, output: impl Write) -> io::Result<()> {
        type Field = fn(&Player) -> String;
        let columns: [(&str, Field); 14] = [
            ("id", |player| player.id.clone()),
            ("rating", |player| player.rating.to_string()),
            ("deviation", |player| player.deviation.to_string()),
            ("outcomes", Player::history),
            ("hours", |player| {
                let hours: Vec<String> = player.hours.iter().map(f64::to_string).collect();
                hours.join(";")
            }),
            ("games_8h", |player| count(player.activity.games_8h)),
            ("games_1d", |player| count(player.activity.games_1d)),
            ("games_1w", |player| count(player.activity.games_1w)),
            ("games_1m", |player| count(player.activity.games_1m)),
            ("wait", |player| {
                player.wait.map(|wait| wait.to_string()).unwrap_or_default()
            }),
            ("party", |player| player.party.clone().unwrap_or_default()),
            ("region", |player| player.region.clone().unwrap_or_default()),
            ("avoid", |player| player.avoid.join(";")),
            ("roles", |player| player.roles.join("|")),
        ];
        let is_used = |&(position, (_, field)): &(usize, (&str, Field))| {
            position < 4 || self.players().iter().any(|player| !field(player).is_empty())
        };
        let columns: Vec<(usize, (&str, Field))> = columns.into_iter().enumerate().filter(is_used).collect();
        let mut writer = csv::Writer::from_writer(output);
        writer.write_record(columns.iter().map(|&(_, (name, _))| name))?;
        for player in self.players() {
            writer.write_record(columns.iter().map(|(_, (_, field))| field(player)))?;
        }
        writer.flush()
    }
}

fn count(games: Option<u32>) -> String {
    games.map(|games| games.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn what_is_written_can_be_read() {
        let text = "id,rating,deviation,outcomes,hours,games_1d,wait,avoid,roles\n\"A, nn\",1500.25,50,WLD,30;2.5;0.1,3,7.5,Ben,tank|healer\nBen,1400,60,,,,,,\n";
        let pool = Pool::read_csv(text.as_bytes()).expect("a good pool");
        let mut written = Vec::new();
        pool.write_csv(&mut written).expect("a vector takes everything");
        assert_eq!(String::from_utf8(written).as_deref(), Ok(text));
    }
}
