//! How parts of a pool fare by its groups.

use matching_core::{Cost, CostValue};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::Segment;
use crate::pool::Pool;

/// How some players fare by groups. Means are over those who are in a group; there are none where nobody is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct GroupMetrics {
    /// How many there are.
    pub players: usize,
    /// How many of them are in a group.
    pub playing: usize,
    /// What their group costs, the sum of its pairs, in the units of the cost.
    pub mean_group_cost: Option<f64>,
    /// Their own share of that: half of what they cost with each of the others. The shares of all in a group add up to
    /// what it costs.
    pub mean_share: Option<f64>,
    /// How far the rating of another one of the group is from their own, in points; none where everybody is alone.
    pub mean_rating_gap: Option<f64>,
}

/// The figures of one player who is in a group.
#[derive(Clone, Copy)]
struct Placed {
    group_cost: f64,
    share: f64,
    /// None for who is alone in the group.
    rating_gap: Option<f64>,
}

/// How each of the segments fares by groups of a pool that cost the sum of their pairs; whoever is in none waits.
/// Forbidden pairs are looked at as others are, so that groups that nobody would play can be compared with. Sums are of floats.
///
/// # Panics
/// If somebody of a group or a segment is not in the pool, or in groups twice; if the cost has not as many rows as the
/// pool has players.
///
/// # Complexity
/// O(Σ m²) costs of pairs for groups of m, and the players of all segments.
///
/// # Examples
/// ```
/// use matchmaking::fairness::{self, Segment};
/// use matchmaking::{Pool, SkillCost};
///
/// # fn main() -> Result<(), matchmaking::Error> {
/// let csv = "id,rating,deviation,outcomes\nAnn,1500,60,\nBen,1480,45,\nCho,1720,80,\nDee,1390,90,\n";
/// let pool = Pool::read_csv(csv.as_bytes())?;
/// let cost = SkillCost::new(&pool); // in millionths of a point
/// let segments = Segment::of_pool(&pool);
///
/// let groups = [vec![0, 2], vec![1, 3]];
/// let by_rating = fairness::groups_by_rating(&pool, &groups);
/// assert_eq!(by_rating, [[3, 1], [0, 2]]);
/// let metrics = fairness::groups_by_segment(&pool, &cost, &groups, &segments);
/// assert_eq!(metrics[0].mean_group_cost, Some(155e6)); // 220 and 90 points
/// assert_eq!(metrics[0].mean_share, Some(77.5e6));
/// # Ok(())
/// # }
/// ```
#[track_caller]
pub fn groups_by_segment<C: Cost>(
    pool: &Pool,
    cost: &C,
    groups: &[Vec<usize>],
    segments: &[Segment],
) -> Vec<GroupMetrics> {
    let (len, rows) = (pool.len(), cost.len());
    assert_eq!(rows, len, "a cost of {rows} players where the pool has {len}");
    let mut placed = vec![None; len];
    for members in groups {
        for &player in members {
            assert!(player < len, "player {player} where the pool has {len}");
        }
        for (&player, figures) in members.iter().zip(figures(pool, cost, members)) {
            let before = placed[player].replace(figures);
            assert!(before.is_none(), "player {player} is in the groups twice");
        }
    }
    segments
        .iter()
        .map(|segment| measured(&placed, &segment.players))
        .collect()
}

/// The figures of each member of a group.
fn figures<C: Cost>(pool: &Pool, cost: &C, members: &[usize]) -> Vec<Placed> {
    let rating = |player: usize| pool.players()[player].rating;
    let (mut sums, mut gaps) = (vec![0.0; members.len()], vec![0.0; members.len()]);
    for (at, &i) in members.iter().enumerate() {
        for (other, &j) in members.iter().enumerate().skip(at + 1) {
            let (paid, gap) = (cost.pair(i, j).to_f64(), (rating(i) - rating(j)).abs());
            for end in [at, other] {
                sums[end] += paid;
                gaps[end] += gap;
            }
        }
    }
    let group_cost = sums.iter().sum::<f64>() / 2.0;
    let others = (members.len() > 1).then(|| (members.len() - 1) as f64);
    let figures = sums.iter().zip(&gaps).map(|(sum, gaps)| Placed {
        group_cost,
        share: sum / 2.0,
        rating_gap: others.map(|others| gaps / others),
    });
    figures.collect()
}

fn measured(placed: &[Option<Placed>], players: &[usize]) -> GroupMetrics {
    let playing: Vec<Placed> = players.iter().filter_map(|&player| placed[player]).collect();
    GroupMetrics {
        players: players.len(),
        playing: playing.len(),
        mean_group_cost: mean(playing.iter().map(|placed| placed.group_cost)),
        mean_share: mean(playing.iter().map(|placed| placed.share)),
        mean_rating_gap: mean(playing.iter().filter_map(|placed| placed.rating_gap)),
    }
}

fn mean(figures: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = figures.fold((0_usize, 0.0), |(count, sum), figure| (count + 1, sum + figure));
    (count > 0).then(|| sum / count as f64)
}

/// Groups of the same players and the same sizes by neighbours in rating: the players in order of rating (ties in the order of the
/// pool), cut where groups end. Wishes count for nothing: it is what others are measured by.
///
/// # Panics
/// If somebody is not in the pool.
#[track_caller]
pub fn groups_by_rating(pool: &Pool, groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut order = in_order(groups);
    order.sort_by(|&i, &j| pool.players()[i].rating.total_cmp(&pool.players()[j].rating));
    cut(&order, groups)
}

/// Groups of the same players and the same sizes by chance, which the seed decides, and the order of the pool; how the players
/// were grouped does not matter. Wishes count for nothing, as in [`groups_by_rating`].
///
/// # Examples
/// ```
/// use matchmaking::fairness::groups_at_random;
///
/// let groups = groups_at_random(&[vec![4, 2, 9], vec![1, 7]], 3);
/// assert_eq!(groups, groups_at_random(&[vec![1, 2, 4], vec![7, 9]], 3));
/// let mut players = groups.concat();
/// players.sort_unstable();
/// assert_eq!((players, groups[1].len()), (vec![1, 2, 4, 7, 9], 2));
/// ```
pub fn groups_at_random(groups: &[Vec<usize>], seed: u64) -> Vec<Vec<usize>> {
    let mut order = in_order(groups);
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    cut(&order, groups)
}

/// All players of groups, ascending.
fn in_order(groups: &[Vec<usize>]) -> Vec<usize> {
    let mut players = groups.concat();
    players.sort_unstable();
    players
}

/// The players in groups of the same sizes.
fn cut(players: &[usize], groups: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut rest = players;
    let sizes = groups.iter().map(Vec::len);
    sizes
        .map(|size| {
            let (members, others) = rest.split_at(size);
            rest = others;
            members.to_vec()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use matching_core::cost;

    use super::*;
    use crate::SkillCost;
    use crate::fairness::SegmentKind;

    /// Seven players, one of whom waits, of two regions; two are a party.
    fn pool() -> Pool {
        let csv = "id,rating,deviation,outcomes,region,party\nAnn,1500,60,,eu,x\nBen,1480,45,,us,\nCho,1720,80,,eu,\n\
                   Dee,1390,90,,us,x\nEve,1555,70,,eu,\nFay,1610,55,,us,\nGil,1480,50,,us,\n";
        Pool::read_csv(csv.as_bytes()).expect("a pool")
    }

    /// By the definition: each figure of each player from a loop of its own, then the mean.
    #[test]
    fn figures_are_what_the_definition_says() {
        let pool = pool();
        let price = |i: usize, j: usize| (7 * i.min(j) + 3 * i.max(j) + i * j) as i64;
        let cost = cost::from_symmetric_fn(7, price);
        let groups = [vec![0, 3, 6], vec![5, 1, 2]];
        let mut segments = Segment::of_pool(&pool);
        segments.extend(Segment::by_party(&pool));
        let metrics = groups_by_segment(&pool, &cost, &groups, &segments);
        assert_eq!(metrics.len(), segments.len());
        for (segment, found) in segments.iter().zip(&metrics) {
            let (mut playing, mut shares, mut costs, mut gaps) = (0, 0.0, 0.0, 0.0);
            for &player in &segment.players {
                let Some(members) = groups.iter().find(|members| members.contains(&player)) else {
                    continue;
                };
                playing += 1;
                for &one in members {
                    for &other in members {
                        if one < other {
                            costs += price(one, other) as f64;
                        }
                    }
                    if one != player {
                        shares += price(player, one) as f64 / 2.0;
                        let ratings = [player, one].map(|player| pool.players()[player].rating);
                        gaps += (ratings[0] - ratings[1]).abs() / 2.0;
                    }
                }
            }
            assert_eq!(
                (found.players, found.playing),
                (segment.players.len(), playing),
                "{segment:?}"
            );
            let figures = [
                (found.mean_share, shares),
                (found.mean_group_cost, costs),
                (found.mean_rating_gap, gaps),
            ];
            for (mean, sum) in figures {
                match mean {
                    None => assert_eq!(playing, 0, "{segment:?}"),
                    Some(mean) => assert!((mean * playing as f64 - sum).abs() < 1e-9, "{segment:?}"),
                }
            }
        }
        // Shares add up to the total, and whoever waits pays nothing.
        let total: i64 = groups
            .iter()
            .map(|group| price(group[0], group[1]) + price(group[0], group[2]) + price(group[1], group[2]))
            .sum();
        assert_eq!(metrics[0].mean_share.map(|share| 6.0 * share), Some(total as f64));
        let alone = segments.iter().position(|segment| segment.players == [4]);
        let alone = metrics[alone.expect("Eve's rating is a part of its own")];
        assert_eq!((alone.players, alone.playing), (1, 0));
        assert_eq!(
            (alone.mean_group_cost, alone.mean_share, alone.mean_rating_gap),
            (None, None, None)
        );
    }

    #[test]
    fn who_is_alone_in_a_group_pays_nothing_and_is_far_from_nobody() {
        let pool = pool();
        let cost = SkillCost::new(&pool);
        let everybody = Segment {
            kind: SegmentKind::Everybody,
            players: vec![2, 0],
        };
        let [found] = groups_by_segment(&pool, &cost, &[vec![2], vec![]], &[everybody])[..] else {
            panic!("one segment, one answer");
        };
        assert_eq!((found.players, found.playing, found.mean_share), (2, 1, Some(0.0)));
        assert_eq!((found.mean_group_cost, found.mean_rating_gap), (Some(0.0), None));
    }

    #[test]
    fn groups_to_compare_with_have_the_same_players_and_sizes() {
        let pool = pool();
        let groups = [vec![6, 2], vec![0, 1, 3], vec![], vec![5]];
        // Ben and Gil are rated the same; Eve is not among them.
        assert_eq!(
            groups_by_rating(&pool, &groups),
            [vec![3, 1], vec![6, 0, 5], vec![], vec![2]]
        );
        let chance = groups_at_random(&groups, 1);
        let sizes: Vec<usize> = chance.iter().map(Vec::len).collect();
        assert_eq!(sizes, [2, 3, 0, 1]);
        let mut players = chance.concat();
        players.sort_unstable();
        assert_eq!(players, [0, 1, 2, 3, 5, 6]);
        let seeds: std::collections::BTreeSet<Vec<Vec<usize>>> =
            (0..30).map(|seed| groups_at_random(&groups, seed)).collect();
        assert!(seeds.len() > 15, "{}", seeds.len());
        // Of all ways to make pairs, neighbours are closest to each other.
        let pairs = [vec![0, 1], vec![2, 3], vec![4, 5]];
        let (cost, segments) = (SkillCost::new(&pool), Segment::of_pool(&pool));
        let share = |groups: &[Vec<usize>]| groups_by_segment(&pool, &cost, groups, &segments)[0].mean_share;
        let least = share(&groups_by_rating(&pool, &pairs));
        assert!((0..30).all(|seed| share(&groups_at_random(&pairs, seed)) >= least));
    }

    #[test]
    #[should_panic(expected = "player 9 where the pool has 7")]
    fn nobody_is_in_a_group_who_is_not_there() {
        let pool = pool();
        groups_by_segment(&pool, &SkillCost::new(&pool), &[vec![0, 9]], &[]);
    }
}
