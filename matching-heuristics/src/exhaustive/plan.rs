//! In which order groups are filled, and what it would take to try everything.

use core::ops::RangeInclusive;
use std::collections::BTreeMap;

use crate::layout::Layout;

/// Units that may move, at most: there is a table of all their sets.
const MOST_UNITS: usize = 18;
/// Sets of units for all places together, at most: some 100 MB.
const MOST_SETS: usize = 1 << 22;
/// Looks at groups, at most: a few seconds.
const MOST_LOOKS: u64 = 1 << 30;

/// A group in the order in which groups are filled.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) group: u32,
    /// Players who may move that it takes.
    pub(super) takes: RangeInclusive<u32>,
    /// Players who may be left when its turn comes.
    pub(super) left: RangeInclusive<u32>,
    /// Whether it is one of several last groups that are alike.
    pub(super) is_ordered: bool,
    /// Its row in the table of costs; none for the bench.
    pub(super) row: Option<usize>,
    /// What filling it counts as.
    pub(super) work: u64,
}

/// Groups whose sets of units cost the same.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Players who are there in any case.
    pub(super) pinned: Vec<usize>,
    /// Players who may move that such groups take.
    takes: Vec<RangeInclusive<u32>>,
}

impl Row {
    pub(super) fn may_take(&self, players: u32) -> bool {
        self.takes.iter().any(|takes| takes.contains(&players))
    }
}

/// How all groupings would be tried.
#[derive(Clone, Debug)]
pub(crate) struct Plan<'a> {
    pub(super) layout: &'a Layout,
    /// Players in each set of units that may move.
    pub(super) players: Vec<u32>,
    pub(super) places: Vec<Place>,
    pub(super) rows: Vec<Row>,
    /// What the cost of one group counts as.
    pub(super) price: u64,
}

/// What things count as, in moves that take about as long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// The cost of a group.
    pub(crate) group: u64,
    /// So many looks at groups of known cost count as so many moves.
    pub(crate) looks: u64,
    pub(crate) moves: u64,
    /// Moves that take about a second.
    pub(crate) second: f64,
}

/// What trying everything may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// What it may count as.
    pub(crate) work: u64,
    /// Groups whose cost may be asked for.
    pub(crate) asked: u64,
}

impl<'a> Plan<'a> {
    /// None if there is no room for it, or it would take more than a few seconds.
    pub(crate) fn new(layout: &'a Layout, prices: Prices, room: Room) -> Option<Self> {
        let units = layout.movable();
        if units > MOST_UNITS || layout.groups() << units > MOST_SETS {
            return None;
        }
        let sizes = &layout.size[..units];
        let by_size = sets_by_size(sizes);
        let (mut places, rows) = order(layout);
        let mut looks = 0;
        for place in &mut places {
            let at_place = looks_at(place, &by_size);
            place.work = at_place * prices.moves / prices.looks;
            looks += at_place;
        }
        let count = |row: &Row| sets(&by_size, &|players| row.may_take(players), &|_| 1);
        let groups: u64 = rows.iter().map(count).sum();
        let asked = groups.saturating_mul(prices.group);
        let work = places.iter().map(|place| place.work).sum::<u64>().saturating_add(asked);
        (work <= room.work && groups <= room.asked && looks <= MOST_LOOKS).then(|| Self {
            layout,
            players: players(sizes),
            places,
            rows,
            price: prices.group,
        })
    }

    /// Number of sets of units that may move.
    pub(super) fn subsets(&self) -> usize {
        self.players.len()
    }
}

/// The bench, groups with somebody pinned, others; last the most that are alike.
fn order(layout: &Layout) -> (Vec<Place>, Vec<Row>) {
    let groups = 0..layout.groups() as u32;
    let pinned = pinned(layout);
    let is_plain = |group: u32| layout.bench != Some(group) && pinned[group as usize].is_empty();
    let mut alike: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for group in groups.clone().filter(|&group| is_plain(group)) {
        *alike.entry(layout.bounds[group as usize]).or_default() += 1;
    }
    let mut sequence: Vec<u32> = groups.clone().collect();
    sequence.sort_by_key(|&group| {
        let (is_bench, is_plain) = (layout.bench == Some(group), is_plain(group));
        let bounds = layout.bounds[group as usize];
        let alike = if is_plain { alike[&bounds] } else { 0 };
        (!is_bench, is_plain, alike, bounds, group)
    });
    let last = sequence.last().copied().filter(|&group| is_plain(group));
    let last_bounds = last.map(|group| layout.bounds[group as usize]);
    let mut rows = vec![Row {
        pinned: Vec::new(),
        takes: Vec::new(),
    }];
    // Players who may be left for the groups from the last to the first.
    let (mut least_left, mut most_left) = (0_u32, 0_u32);
    let mut places = Vec::new();
    for &group in sequence.iter().rev() {
        let there = &pinned[group as usize];
        let (least, most) = layout.bounds[group as usize];
        let takes = least.saturating_sub(there.len() as u32)..=most - there.len() as u32;
        least_left += takes.start();
        // Each group may hold everybody, and there are no more than that.
        most_left = most_left.saturating_add(*takes.end());
        let row = if layout.bench == Some(group) {
            None
        } else if there.is_empty() {
            rows[0].takes.push(takes.clone());
            Some(0)
        } else {
            rows.push(Row {
                pinned: there.clone(),
                takes: vec![takes.clone()],
            });
            Some(rows.len() - 1)
        };
        places.push(Place {
            group,
            takes,
            left: least_left..=most_left,
            is_ordered: is_plain(group) && last_bounds == Some(layout.bounds[group as usize]),
            row,
            work: 0,
        });
    }
    places.reverse();
    limit_by_those_before(&mut places, layout);
    (places, rows)
}

/// Who is left at a place is also a matter of what the places before have taken.
fn limit_by_those_before(places: &mut [Place], layout: &Layout) {
    let everybody: u32 = layout.size[..layout.movable()].iter().sum();
    let (mut most, mut least) = (everybody, everybody);
    for place in places {
        place.left = least.max(*place.left.start())..=most.min(*place.left.end());
        least = least.saturating_sub(*place.takes.end());
        most = most.saturating_sub(*place.takes.start());
    }
}

/// Players pinned to each group.
fn pinned(layout: &Layout) -> Vec<Vec<usize>> {
    let mut pinned = vec![Vec::new(); layout.groups()];
    for (players, pin) in layout.players.iter().zip(&layout.pin) {
        if let Some(group) = *pin {
            pinned[group as usize].extend_from_slice(players);
        }
    }
    pinned
}

/// Players in each set of units.
fn players(sizes: &[u32]) -> Vec<u32> {
    let mut players = vec![0_u32];
    for &size in sizes {
        let with: Vec<u32> = players.iter().map(|others| others + size).collect();
        players.extend(with);
    }
    players
}

/// How many sets of units there are, by number of units and of players. Few numbers of players are met where parties
/// are large, and never more than there are sets.
type BySize = BTreeMap<(usize, u32), u64>;

fn sets_by_size(sizes: &[u32]) -> BySize {
    let mut sets = BySize::from([((0, 0), 1)]);
    for &size in sizes {
        for ((units, players), count) in sets.clone() {
            *sets.entry((units + 1, players + size)).or_default() += count;
        }
    }
    sets
}

/// A sum over all sets of some numbers of players, by the number of their units.
fn sets(by_size: &BySize, is_meant: &dyn Fn(u32) -> bool, worth: &dyn Fn(usize) -> u64) -> u64 {
    let meant = by_size.iter().filter(|((_, players), _)| is_meant(*players));
    meant.map(|((units, _), count)| count * worth(*units)).sum()
}

/// Looks at groups that filling a place takes: all subsets of all sets that may be left.
fn looks_at(place: &Place, by_size: &BySize) -> u64 {
    let subsets = |units: usize| 1 << units.saturating_sub(usize::from(place.is_ordered));
    sets(by_size, &|players| place.left.contains(&players), &subsets)
}
