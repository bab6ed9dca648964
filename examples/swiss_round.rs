//! A Swiss tournament of nine: nobody meets anybody twice or sits out twice, equal points meet as far as that goes, and
//! colours alternate after that.

use matching_core::{Blossom, Cost, Error, Objective, cost, oracle};

#[derive(Clone, Default)]
struct Player {
    half_points: i64,
    /// Games with White less those with Black.
    whites: i64,
    met: Vec<usize>,
    had_bye: bool,
}

/// What a round may be: one more vertex, the last, is the bye.
fn round(players: &[Player]) -> impl Cost<Value = i64> {
    let bye = players.len();
    let costs = cost::from_symmetric_fn(bye + 1, move |i, j| {
        let one = &players[i];
        if j == bye {
            return 100 * one.half_points.pow(2); // as a game with somebody without points
        }
        let other = &players[j];
        // Far floats are worse than many near ones; then nobody should have the same colour too often.
        100 * (one.half_points - other.half_points).pow(2) + (one.whites + other.whites).pow(2)
    });
    costs.restricted(move |i, j| match (i.min(j), i.max(j)) {
        (player, last) if last == bye => !players[player].had_bye,
        (one, other) => !players[one].met.contains(&other),
    })
}

fn main() -> Result<(), Error> {
    let names = ["Ada", "Ben", "Cleo", "Dan", "Eli", "Fay", "Gus", "Hal", "Ivy"];
    let mut players = vec![Player::default(); names.len()];
    for number in 1..=5 {
        let before = players.clone();
        let costs = round(&before);
        let best = Blossom::new().solve(&costs)?;
        best.verify(&costs).expect("it is proven that no round is better");
        let tried = oracle::solve(&costs, &Objective::MinPerfect)?.expect("a round");
        assert_eq!(best.cost(), tried.cost, "all rounds there are were tried");

        println!("round {number}");
        for (i, j, _) in best.pairs() {
            if j == names.len() {
                println!("  {} has the bye", names[i]);
                players[i].had_bye = true;
                players[i].half_points += 2;
                continue;
            }
            let is_due = before[i].whites <= before[j].whites;
            let (white, black) = if is_due { (i, j) } else { (j, i) };
            // Who stands before the other wins, but for a draw now and then.
            let result = match (white + black + number) % 4 {
                0 => [1, 1],
                _ => [2 * i64::from(white < black), 2 * i64::from(black < white)],
            };
            println!("  {} - {} {} : {}", names[white], names[black], result[0], result[1]);
            for (player, other, colour, half_points) in [(white, black, 1, result[0]), (black, white, -1, result[1])] {
                assert!(!before[player].met.contains(&other), "nobody meets anybody twice");
                players[player].met.push(other);
                players[player].whites += colour;
                players[player].half_points += half_points;
            }
        }
    }
    let half_points: Vec<i64> = players.iter().map(|player| player.half_points).collect();
    println!("half points: {half_points:?}");
    let sat_out = players.iter().filter(|player| player.had_bye).count();
    assert_eq!(sat_out, 5, "nobody sits out twice");
    assert!(players.iter().all(|player| player.whites.abs() <= 2));
    Ok(())
}
