//! Games of a few players in rounds: verified, no more rounds than one beyond the most games of anybody, as few as trying
//! everything finds where games are few, and an overfull set wherever there is one.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matchmaking::Rounds;

/// Most players, and most of whom rounds are sought by trying everything.
const MOST: usize = 12;
const MOST_TRIED: usize = 7;

/// Whether so many rounds are enough, by trying everything; of rounds that are empty yet one is tried.
fn is_enough(games: &[(usize, usize)], busy: &mut [u32]) -> bool {
    let [(i, j), rest @ ..] = games else { return true };
    let both = 1 << i | 1 << j;
    for round in 0..busy.len() {
        let before = busy[round];
        if before & both == 0 {
            busy[round] |= both;
            if is_enough(rest, busy) {
                return true;
            }
            busy[round] = before;
        }
        if before == 0 {
            break;
        }
    }
    false
}

/// How many games are among a set of players, which is a number of bits.
fn among(games: &[(usize, usize)], set: u32) -> usize {
    games.iter().filter(|(i, j)| set >> i & set >> j & 1 == 1).count()
}

/// Whether an odd number of players have more games among them than so many rounds hold.
fn is_overfull(games: &[(usize, usize)], set: u32, rounds: usize) -> bool {
    let size = set.count_ones() as usize;
    size % 2 == 1 && among(games, set) > rounds * (size / 2)
}

fn check(data: &mut Unstructured<'_>) -> Result<()> {
    let players = data.int_in_range(0..=MOST)?;
    let density: u8 = data.arbitrary()?;
    let mut games = Vec::new();
    for j in 0..players {
        for i in 0..j {
            let byte: u8 = data.arbitrary()?;
            if byte <= density {
                games.push(if byte % 2 == 0 { (i, j) } else { (j, i) });
            }
        }
    }
    let counts = (0..players).map(|player| games.iter().filter(|(i, j)| *i == player || *j == player).count());
    let most = counts.max().unwrap_or(0);
    let rounds = Rounds::new(players, &games);
    assert_eq!(rounds.verify(players, &games), Ok(()), "{games:?}");
    assert!(
        (rounds.at_least()..=most + 1).contains(&rounds.len()) && rounds.at_least() >= most,
        "{rounds:?} of {games:?}"
    );
    for round in rounds.rounds() {
        let bits = round.iter().fold(0_u32, |bits, (i, j)| bits | 1 << i | 1 << j);
        assert_eq!(bits.count_ones() as usize, 2 * round.len(), "{round:?}");
    }
    let smallest = (0..1_u32 << players)
        .filter(|&set| is_overfull(&games, set, most))
        .map(u32::count_ones)
        .min();
    let set = rounds.overfull().iter().fold(0_u32, |set, player| set | 1 << player);
    assert_eq!(set.count_ones() as usize, rounds.overfull().len());
    assert_eq!(set != 0, smallest.is_some(), "{rounds:?} of {games:?}");
    assert!(set == 0 || is_overfull(&games, set, most), "{rounds:?} of {games:?}");
    assert_eq!(
        rounds.at_least(),
        most + usize::from(set != 0),
        "{rounds:?} of {games:?}"
    );
    if players <= MOST_TRIED && !games.is_empty() {
        let fewer = rounds.len() - 1;
        assert!(
            !is_enough(&games, &mut vec![0; fewer]),
            "{fewer} are enough: {rounds:?} of {games:?}"
        );
    }
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes end it early.
    let _ = check(&mut Unstructured::new(bytes));
});
