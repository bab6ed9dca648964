//! Rounds to test with.

use matchmaking::lobby::{Player, Playing, Previous, Round, Side, SymmetricMatrix};
use rand::seq::{SliceRandom, index};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Players `p0`, `p1`, .. of these skills, 40 ms apart, who can connect.
pub(crate) fn plain(skills: &[f64]) -> Round {
    let player = |(i, &skill): (usize, &f64)| Player::new(format!("p{i}"), skill);
    round(
        skills.iter().enumerate().map(player).collect(),
        |_, _| 40.0,
        |_, _| true,
    )
}

pub(crate) fn round(
    players: Vec<Player>,
    ping_ms: impl FnMut(usize, usize) -> f32,
    can_connect: impl FnMut(usize, usize) -> bool,
) -> Round {
    let n = players.len();
    let (ping_ms, can_connect) = (
        SymmetricMatrix::from_fn(n, ping_ms),
        SymmetricMatrix::from_fn(n, can_connect),
    );
    Round::new(players, ping_ms, can_connect).expect("a valid round")
}

/// Parties of these sizes, everything else by chance. Members of a party are not neighbours.
pub(crate) fn of_parties(sizes: &[usize], rng: &mut ChaCha8Rng) -> Round {
    beside_running(&[], sizes, rng)
}

/// Running matches with so many players in red and in blue, some of them in parties, and parties of these sizes that wait;
/// everything else by chance.
pub(crate) fn beside_running(teams: &[[usize; 2]], waiting: &[usize], rng: &mut ChaCha8Rng) -> Round {
    let mut places: Vec<(Option<String>, Option<Playing>)> = Vec::new();
    for (party, &size) in waiting.iter().enumerate() {
        places.extend(vec![((size > 1).then(|| format!("party {party}")), None); size]);
    }
    for (number, teams) in teams.iter().enumerate() {
        for (team, &players) in [Side::Red, Side::Blue].into_iter().zip(teams) {
            let playing = Playing {
                match_id: format!("running {number}"),
                team,
            };
            for party in sizes(players, players.max(1), rng) {
                let label = (party > 1).then(|| format!("party {}", places.len() + waiting.len()));
                places.extend(vec![(label, Some(playing.clone())); party]);
            }
        }
    }
    places.shuffle(rng);
    let player = |(i, (party, playing)): (usize, (Option<String>, Option<Playing>))| {
        let waited = rng.random_range(0..3);
        Player {
            party,
            waited: if playing.is_some() { 0 } else { waited },
            playing,
            last: rng.random_bool(0.6).then(|| Previous {
                match_id: format!("m{}", rng.random_range(0..3)),
                team: if rng.random() { Side::Red } else { Side::Blue },
            }),
            ..Player::new(format!("p{i}"), rng.random_range(-1000.0..20_000.0))
        }
    };
    let players: Vec<Player> = places.into_iter().enumerate().map(player).collect();
    let n = players.len();
    let pings = SymmetricMatrix::from_fn(n, |_, _| rng.random_range(0.0..500.0));
    let round = round(players, |i, j| pings.get(i, j), |_, _| rng.random_bool(0.9));
    // Of a generator of their own: what the others draw goes on as it was.
    let mut rng = ChaCha8Rng::seed_from_u64(rng.clone().random());
    let dislikes = if n > 1 { rng.random_range(0..=2 * n) } else { 0 };
    let pairs = (0..dislikes).map(|_| index::sample(&mut rng, n, 2));
    let pairs: Vec<(usize, usize)> = pairs.map(|pair| (pair.index(0), pair.index(1))).collect();
    round.with_disliked(pairs).expect("pairs of two")
}

/// Sizes of parties of `n` players, small ones more often.
pub(crate) fn sizes(n: usize, largest: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut left = n;
    while left > 0 {
        let most = rng.random_range(1..=largest.min(left));
        sizes.push(rng.random_range(1..=most));
        left -= sizes[sizes.len() - 1];
    }
    sizes
}
