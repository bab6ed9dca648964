//! Who fares how: what a pairing, groups, or the matches of a lobby, mean for parts of the players.
//!
//! What is best for all together need not be as good for each of them. So the same figures stand here for everybody, for fifths by
//! rating and for regions: [`EngagementCost::by_segment`](crate::EngagementCost::by_segment) for a pool,
//! [`EngagementCost::games_by_segment`](crate::EngagementCost::games_by_segment) for several games each,
//! [`groups_by_segment`] for its groups, [`Lobby::by_segment`](crate::lobby::Lobby::by_segment) for a lobby.

mod games;
mod group;
mod lobby;
mod pairing;

pub use games::GamesMetrics;
pub use group::{GroupMetrics, groups_at_random, groups_by_rating, groups_by_segment};
pub use lobby::LobbyMetrics;
pub use pairing::PairingMetrics;

use crate::lobby::{Region, Round};
use crate::pool::Pool;

/// Parts by rating.
const BANDS: usize = 5;

/// Some of the players, who have something in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// What they have in common.
    pub kind: SegmentKind,
    /// Their positions in the pool or the round.
    pub players: Vec<usize>,
}

/// What the players of a [`Segment`] have in common.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SegmentKind {
    /// Nothing: they are all there are.
    Everybody,
    /// A rating, or skill, from the first number to the second, both of which somebody has.
    Rating(f64, f64),
    /// A region, or none.
    Region(Option<String>),
    /// A party of so many, 1 for who plays alone.
    Party(usize),
}

impl Segment {
    /// Everybody; five parts of equal size by rating; and where anybody has a region, each region, by name, and whoever
    /// has none. Whoever is rated the same is in the same part, so that parts may differ in size, and few ratings
    /// make fewer parts. Nobody is in two parts of one kind, and everybody is in one of each.
    ///
    /// # Complexity
    /// O(n log n).
    pub fn of_pool(pool: &Pool) -> Vec<Self> {
        let players = pool.players();
        let mut segments = vec![Self::everybody(players.len())];
        segments.extend(by_rating(players.len(), |player| players[player].rating));
        segments.extend(by_region(
            players.len(),
            |player| players[player].region.as_deref(),
            |name| name,
        ));
        segments
    }

    /// By the size of their parties, where the pool has any of two and more; else no parts at all. It is what
    /// [`of_round`](Self::of_round) has beside the other parts, and [`of_pool`](Self::of_pool) has not.
    ///
    /// # Complexity
    /// O(n log n).
    pub fn by_party(pool: &Pool) -> Vec<Self> {
        let mut size_of = vec![1; pool.len()];
        for party in pool.parties() {
            party.iter().for_each(|&player| size_of[player] = party.len());
        }
        by_party_size(&size_of)
    }

    /// The same for a round, by skill; and where there are parties, by the size of these. Ways to write a [`Region`] are one
    /// region, which is called as its first player calls it.
    ///
    /// # Complexity
    /// O(n log n).
    pub fn of_round(round: &Round) -> Vec<Self> {
        let players = round.players();
        let mut segments = vec![Self::everybody(players.len())];
        segments.extend(by_rating(players.len(), |player| players[player].skill));
        segments.extend(by_region(
            players.len(),
            |player| players[player].region.as_deref(),
            |name| Region::from_name(name).map_or(name, |region| region.name()),
        ));
        let party_size = |player: usize| round.parties()[round.party_of(player)].len();
        segments.extend(by_party_size(&(0..players.len()).map(party_size).collect::<Vec<_>>()));
        segments
    }

    fn everybody(len: usize) -> Self {
        Self {
            kind: SegmentKind::Everybody,
            players: (0..len).collect(),
        }
    }
}

fn by_rating(len: usize, rating: impl Fn(usize) -> f64) -> Vec<Segment> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|&i, &j| rating(i).total_cmp(&rating(j)));
    let mut segments = Vec::new();
    let mut begin = 0;
    for band in 1..=BANDS {
        let mut end = begin.max(band * len / BANDS);
        while end > begin && end < len && rating(order[end]) == rating(order[end - 1]) {
            end += 1;
        }
        if let [first, .., last] | [first @ last] = &order[begin..end] {
            segments.push(Segment {
                kind: SegmentKind::Rating(rating(*first), rating(*last)),
                players: order[begin..end].to_vec(),
            });
        }
        begin = end;
    }
    segments
}

/// Names that `known` makes the same are of one region.
fn by_region<'a>(len: usize, region: impl Fn(usize) -> Option<&'a str>, known: fn(&str) -> &str) -> Vec<Segment> {
    // Many services write a text that is not set as an empty one.
    let region = |player: usize| region(player).filter(|name| !name.is_empty());
    if (0..len).all(|player| region(player).is_none()) {
        return Vec::new();
    }
    // Whoever has none comes last.
    let key = |player: usize| (region(player).is_none(), region(player).map(known));
    by_key(len, key, |first| SegmentKind::Region(region(first).map(str::to_owned)))
}

/// By the number of members of each one's party.
fn by_party_size(size_of: &[usize]) -> Vec<Segment> {
    if size_of.iter().all(|&size| size == 1) {
        return Vec::new();
    }
    by_key(
        size_of.len(),
        |player| size_of[player],
        |first| SegmentKind::Party(size_of[first]),
    )
}

/// Those of one key together, in the order of keys; `kind` is asked about the first of them.
fn by_key<K: Ord>(len: usize, key: impl Fn(usize) -> K, kind: impl Fn(usize) -> SegmentKind) -> Vec<Segment> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by_key(|&player| key(player));
    let alike = order.chunk_by(|&i, &j| key(i) == key(j));
    alike
        .map(|players| Segment {
            kind: kind(players[0]),
            players: players.to_vec(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::{Player, SymmetricMatrix};

    fn pool(ratings: &[f64], regions: &[&str]) -> Pool {
        let mut players = Pool::synthetic(ratings.len(), 3).players().to_vec();
        for (player, (rating, region)) in players.iter_mut().zip(ratings.iter().zip(regions.iter().cycle())) {
            player.rating = *rating;
            player.region = (!region.is_empty()).then(|| (*region).to_owned());
        }
        Pool::new(players).expect("the ratings are numbers")
    }

    fn bands(ratings: &[f64]) -> Vec<(f64, f64, usize)> {
        let segments = Segment::of_pool(&pool(ratings, &[""]));
        assert_eq!(segments[0].players, (0..ratings.len()).collect::<Vec<_>>());
        let bands = segments[1..].iter().map(|segment| match segment.kind {
            SegmentKind::Rating(from, to) => (from, to, segment.players.len()),
            _ => panic!("{segment:?}"),
        });
        bands.collect()
    }

    #[test]
    fn equal_ratings_are_never_parted() {
        assert_eq!(bands(&[]), []);
        assert_eq!(bands(&[7.0]), [(7.0, 7.0, 1)]);
        assert_eq!(bands(&[7.0; 12]), [(7.0, 7.0, 12)]);
        assert_eq!(bands(&[3.0, 1.0, 2.0]), [(1.0, 1.0, 1), (2.0, 2.0, 1), (3.0, 3.0, 1)]);
        assert_eq!(
            bands(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.0]),
            [
                (0.0, 1.0, 2),
                (2.0, 3.0, 2),
                (4.0, 5.0, 2),
                (6.0, 7.0, 2),
                (8.0, 9.0, 2)
            ]
        );
        // The second part would end amid the fours.
        assert_eq!(
            bands(&[0.0, 1.0, 4.0, 4.0, 4.0, 4.0, 4.0, 7.0, 8.0, 9.0]),
            [(0.0, 1.0, 2), (4.0, 4.0, 5), (7.0, 7.0, 1), (8.0, 9.0, 2)]
        );
    }

    #[test]
    fn regions_stand_by_name_and_nobody_is_left_out() {
        let ratings: Vec<f64> = (0..7).map(f64::from).collect();
        let segments = Segment::of_pool(&pool(&ratings, &["us", "", "eu"]));
        let regions = segments.iter().filter_map(|segment| match &segment.kind {
            SegmentKind::Region(name) => Some((name.as_deref(), segment.players.as_slice())),
            _ => None,
        });
        let expected = [(Some("eu"), &[2, 5][..]), (Some("us"), &[0, 3, 6]), (None, &[1, 4])];
        assert_eq!(regions.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn pools_have_parties_where_these_are_asked_for() {
        let mut players = Pool::synthetic(6, 3).players().to_vec();
        assert_eq!(Segment::by_party(&Pool::new(players.clone()).expect("a pool")), []);
        for (player, party) in players.iter_mut().zip(["a", "", "b", "a", "c", "a"]) {
            player.party = Some(party.to_owned());
        }
        let segments = Segment::by_party(&Pool::new(players).expect("a pool"));
        let parts: Vec<(&SegmentKind, &[usize])> = segments
            .iter()
            .map(|segment| (&segment.kind, segment.players.as_slice()))
            .collect();
        assert_eq!(
            parts,
            [
                (&SegmentKind::Party(1), &[1, 2, 4][..]),
                (&SegmentKind::Party(3), &[0, 3, 5])
            ]
        );
    }

    #[test]
    fn rounds_have_parties_as_well() {
        let player = |number: usize| {
            let mut player = Player::new(format!("p{number}"), 1000.0 - number as f64);
            player.party =
                [Some("a"), None, Some("b"), Some("a"), Some(""), Some("b"), Some("a")][number].map(str::to_owned);
            player.region = Some(if number < 2 { "EU-W" } else { "" }.to_owned());
            player
        };
        let (pings, reach) = (
            SymmetricMatrix::from_fn(7, |_, _| 40.0),
            SymmetricMatrix::from_fn(7, |_, _| true),
        );
        let round = Round::new((0..7).map(player).collect(), pings, reach).expect("a round");
        let segments = Segment::of_round(&round);
        assert_eq!(segments[0].players, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(segments[1].kind, SegmentKind::Rating(994.0, 994.0));
        let rest: Vec<(SegmentKind, &[usize])> = segments[6..]
            .iter()
            .map(|segment| (segment.kind.clone(), segment.players.as_slice()))
            .collect();
        let expected = [
            (SegmentKind::Region(Some("EU-W".to_owned())), &[0, 1][..]),
            (SegmentKind::Region(None), &[2, 3, 4, 5, 6]),
            (SegmentKind::Party(1), &[1, 4]),
            (SegmentKind::Party(2), &[2, 5]),
            (SegmentKind::Party(3), &[0, 3, 6]),
        ];
        assert_eq!(rest, expected);
    }
}
