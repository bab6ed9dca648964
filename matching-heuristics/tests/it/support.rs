//! Random small problems, a literal enumerator of all groupings, and checks of what came out.

use matching_core::{CostValue, GroupCost};
use matching_heuristics::{Engine, Error, Grouping, Groups, Instance};
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Every engine there is.
pub(crate) const ENGINES: [Engine; 10] = Engine::ALL;

/// The engines that find the best of all in small problems, and those that climb at least.
pub(crate) const SURE: [Engine; 5] = [
    Engine::Auto,
    Engine::Annealing,
    Engine::Population,
    Engine::Climb,
    Engine::CachedClimb,
];

/// The other engines that walk on from local optima.
pub(crate) const OTHERS: [Engine; 5] = [
    Engine::IteratedMaxima,
    Engine::Tabu,
    Engine::LateAcceptance,
    Engine::Tempering,
    Engine::ForcedSwaps,
];

/// Whether an engine only climbs, and so may end in a grouping that no single move improves.
pub(crate) fn only_climbs(engine: Engine) -> bool {
    matches!(engine, Engine::Climb | Engine::CachedClimb)
}

/// Who is grouped, and under what rules.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) players: usize,
    pub(crate) bounds: Vec<(usize, usize)>,
    pub(crate) bench: usize,
    pub(crate) parties: Vec<Vec<usize>>,
    pub(crate) pins: Vec<(usize, usize)>,
}

impl Rules {
    /// Any rules whose sizes add up for up to `most` players in up to `groups` groups. Parties and pins may ask for the
    /// impossible.
    pub(crate) fn random(most: usize, groups: usize, rng: &mut ChaCha8Rng) -> Self {
        let players = rng.random_range(1..=most);
        let count = rng.random_range(1..=groups.min(players));
        let mut rules = Self {
            players,
            bounds: sizes(players, count, rng)
                .into_iter()
                .map(|size| (size, size))
                .collect(),
            bench: 0,
            parties: Vec::new(),
            pins: Vec::new(),
        };
        match rng.random_range(0..5) {
            0 => rules.loosen(rng),
            1 => rules.seat_some_on_the_bench(rng),
            2 => {
                rules.loosen(rng);
                rules.bench = rng.random_range(0..=players);
            }
            _ => {}
        }
        if rng.random() {
            rules.parties = parties(players, rng);
        }
        if rng.random_range(0..4) == 0 {
            let (pins, groups) = (rng.random_range(1..=2), rules.bounds.len());
            rules.pins = (0..pins)
                .map(|_| (rng.random_range(0..players), rng.random_range(0..groups)))
                .collect();
        }
        rules
    }

    fn loosen(&mut self, rng: &mut ChaCha8Rng) {
        for (least, most) in &mut self.bounds {
            *least -= rng.random_range(0..=*least).min(2);
            *most += rng.random_range(0..=2);
        }
    }

    fn seat_some_on_the_bench(&mut self, rng: &mut ChaCha8Rng) {
        if self.bounds.len() > 1 {
            self.bench = self.bounds.pop().map_or(0, |bound| bound.1) + rng.random_range(0..=1);
        }
    }

    /// The groups of these rules.
    pub(crate) fn groups(&self) -> Groups {
        let bounds = self.bounds.iter().map(|&(least, most)| least..=most);
        Groups::with_bounds(bounds)
            .expect("bounds in order")
            .with_bench(self.bench)
    }

    /// An instance with parties and pins; `None` if they contradict each other at sight.
    pub(crate) fn complete<'a, V: CostValue>(&self, instance: Instance<'a, V>) -> Option<Instance<'a, V>> {
        let with_parties = instance.parties(self.parties.clone());
        let with_pins = with_parties.and_then(|instance| instance.pins(self.pins.clone()));
        match with_pins {
            Ok(instance) => Some(instance),
            Err(
                Error::PartyTooLarge { .. }
                | Error::PinsDisagree { .. }
                | Error::TooManyPinned { .. }
                | Error::PinsLeaveTooFew { .. },
            ) => None,
            Err(error) => panic!("{error} of {self:?}"),
        }
    }

    /// Calls `visit` with every grouping, as sets of players in bits: the groups, then the bench.
    pub(crate) fn enumerate(&self, visit: &mut impl FnMut(&[u32])) {
        let everybody = (1_u32 << self.players) - 1;
        self.deal(everybody, &mut Vec::new(), visit);
    }

    fn deal(&self, left: u32, dealt: &mut Vec<u32>, visit: &mut impl FnMut(&[u32])) {
        let group = dealt.len();
        if group == self.bounds.len() {
            if left.count_ones() as usize <= self.bench && self.keeps_parties(left) {
                dealt.push(left);
                visit(dealt);
                dealt.pop();
            }
            return;
        }
        let (least, most) = self.bounds[group];
        let mut set = left;
        loop {
            let size = set.count_ones() as usize;
            if least <= size && size <= most && self.keeps_parties(set) && self.keeps_pins(set, group) {
                dealt.push(set);
                self.deal(left & !set, dealt, visit);
                dealt.pop();
            }
            if set == 0 {
                return;
            }
            set = (set - 1) & left;
        }
    }

    fn keeps_parties(&self, set: u32) -> bool {
        self.parties.iter().all(|party| {
            let inside = party.iter().filter(|&&player| set >> player & 1 == 1).count();
            inside == 0 || inside == party.len()
        })
    }

    fn keeps_pins(&self, set: u32, group: usize) -> bool {
        self.pins
            .iter()
            .all(|&(player, pin)| (set >> player & 1 == 1) == (pin == group))
    }

    /// Checks a grouping: everybody once, sizes within bounds, parties whole, pins kept.
    pub(crate) fn check<V: CostValue>(&self, found: &Grouping<V>) {
        self.check_groups(found.groups(), found.bench());
    }

    /// The same for groups in lists.
    pub(crate) fn check_groups(&self, groups: &[Vec<usize>], bench: &[usize]) {
        assert_eq!(groups.len(), self.bounds.len());
        assert!(bench.len() <= self.bench, "bench of {groups:?} {bench:?} {self:?}");
        let mut seat = vec![None; self.players];
        for (group, members) in groups.iter().chain([&bench.to_vec()]).enumerate() {
            assert!(members.is_sorted(), "members ascend");
            if let Some(&(least, most)) = self.bounds.get(group) {
                assert!((least..=most).contains(&members.len()), "sizes of {groups:?} {self:?}");
            }
            for &player in members {
                assert_eq!(seat[player].replace(group), None, "{player} twice in {groups:?}");
            }
        }
        assert!(seat.iter().all(Option::is_some), "somebody is missing in {groups:?}");
        for party in &self.parties {
            assert!(
                party.iter().all(|&player| seat[player] == seat[party[0]]),
                "{party:?} parted"
            );
        }
        for &(player, group) in &self.pins {
            assert_eq!(seat[player], Some(group), "pin of {player}");
        }
    }
}

/// Sizes of groups that hold everybody: equal ones where that is possible, every other time.
fn sizes(players: usize, count: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut sizes = vec![players / count; count];
    let mut left = players % count;
    for size in sizes.iter_mut().take(left) {
        *size += 1;
    }
    if rng.random() {
        left = rng.random_range(0..=players);
        for _ in 0..left {
            let (from, to) = (rng.random_range(0..count), rng.random_range(0..count));
            if sizes[from] > 1 {
                sizes[from] -= 1;
                sizes[to] += 1;
            }
        }
    }
    sizes
}

/// Some parties of two to four, which do not overlap.
fn parties(players: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let mut everybody: Vec<usize> = (0..players).collect();
    everybody.shuffle(rng);
    let mut parties = Vec::new();
    for _ in 0..rng.random_range(1..=4) {
        let size = rng.random_range(2..=4);
        if everybody.len() >= size {
            parties.push(everybody.split_off(everybody.len() - size));
        }
    }
    parties
}

/// The members of a set in bits.
pub(crate) fn members(set: u32) -> Vec<usize> {
    (0..32).filter(|player| set >> player & 1 == 1).collect()
}

/// The set of members, in bits.
pub(crate) fn set_of(members: &[usize]) -> u32 {
    members.iter().map(|&player| 1 << player).sum()
}

/// A cost for every set of players; `None` where it is forbidden.
pub(crate) struct Table<V> {
    pub(crate) players: usize,
    pub(crate) costs: Vec<Option<V>>,
}

impl<V: CostValue> GroupCost for Table<V> {
    type Value = V;

    fn len(&self) -> usize {
        self.players
    }

    fn group(&self, members: &[usize]) -> V {
        self.costs[set_of(members) as usize].unwrap_or(V::zero())
    }

    fn is_group_allowed(&self, members: &[usize]) -> bool {
        self.costs[set_of(members) as usize].is_some()
    }

    fn has_forbidden_groups(&self) -> bool {
        self.costs.iter().any(Option::is_none)
    }
}
