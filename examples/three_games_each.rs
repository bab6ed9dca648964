//! A club evening: three games for everybody, never twice against the same, and nobody is far better than the other.
//! Someone has to leave early, a guest may play less, and the answer carries its proof.

use matching_core::{Blossom, Cost, Degrees, Error, cost};

const MEMBERS: usize = 60;

fn main() -> Result<(), Error> {
    let members = (1..MEMBERS as i64 - 1).map(|member| 1200 + member * member * 7919 % 601);
    let rating: Vec<i64> = members.chain([1810, 1830]).collect();
    // Uneven games are worse than in proportion, and those of the same table played last week.
    let table = |player: usize| player / 4;
    let evening =
        cost::from_symmetric_fn(MEMBERS, |i, j| (rating[i] - rating[j]).pow(2)).restricted(|i, j| table(i) != table(j));

    // Member 0 leaves after one game. The last two are guests, better than anybody else, and may play less: each game that
    // they do not get costs 400, as much as one with a gap of 20 points.
    let (mut least, mut most, mut missing) = (vec![3; MEMBERS], vec![3; MEMBERS], vec![0; MEMBERS]);
    (least[0], most[0]) = (1, 1);
    for guest in [MEMBERS - 2, MEMBERS - 1] {
        (least[guest], missing[guest]) = (0, 400);
    }
    let degrees = Degrees::between(least, most).missing(missing);
    let games = Blossom::new().solve_degrees(&evening, &degrees)?;

    let gaps = || games.pairs().map(|(i, j, _)| (rating[i] - rating[j]).abs());
    println!(
        "{} games, {} points apart in the mean, {} at most; {}",
        games.pairs().len(),
        gaps().sum::<i64>() / games.pairs().len() as i64,
        gaps().max().unwrap_or(0),
        games.status()
    );
    println!("member 1 meets {:?}", games.partners(1).collect::<Vec<_>>());
    println!(
        "the guests play {} and {} games",
        games.degree(MEMBERS - 2),
        games.degree(MEMBERS - 1)
    );

    assert!(
        games.verify(&evening).is_ok(),
        "the proof is checked from the input alone"
    );
    assert!((1..MEMBERS - 2).all(|member| games.degree(member) == 3) && games.degree(0) == 1);
    assert!(games.pairs().all(|(i, j, _)| evening.is_allowed(i, j)));
    Ok(())
}
