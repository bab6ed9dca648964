//! Why a few players are in their groups: each exchange is made, and is allowed, and changes the total, as was said; those
//! of one party for none or one are all there; and what is said to keep two apart does.
#![no_main]

use std::collections::BTreeSet;

use fuzz::number;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matching_core::cost::DenseMatrix;
use matching_heuristics::{Error, Exchange, Groups, Instance};

/// Most players and groups.
const MOST_PLAYERS: usize = 9;
const MOST_GROUPS: usize = 3;

/// Most players of whom all groupings are tried.
const MOST_TRIED: usize = 5;

/// Rules, and where everybody is; the bench is the last place.
#[derive(Debug)]
struct Case {
    len: usize,
    costs: Vec<Option<i64>>,
    bounds: Vec<(usize, usize)>,
    bench: usize,
    parties: Vec<Vec<usize>>,
    pins: Vec<(usize, usize)>,
    places: Vec<usize>,
}

impl Case {
    fn new(data: &mut Unstructured<'_>) -> Result<Self> {
        let len = data.int_in_range(1..=MOST_PLAYERS)?;
        let groups = data.int_in_range(1..=MOST_GROUPS)?;
        let has_bench: bool = data.arbitrary()?;
        let places = (0..len).map(|_| data.int_in_range(0..=groups - usize::from(!has_bench)));
        let places = places.collect::<Result<Vec<usize>>>()?;
        let size = |place| places.iter().filter(|&&other| other == place).count();
        let slack: u8 = data.int_in_range(0..=2)?;
        let mut bounds = Vec::new();
        for group in 0..groups {
            let (less, more) = (data.int_in_range(0..=slack)?, data.int_in_range(0..=slack)?);
            bounds.push((size(group).saturating_sub(less.into()), size(group) + usize::from(more)));
        }
        let bench = size(groups) + usize::from(data.int_in_range(0..=slack)?);
        let forbidden: u8 = data.int_in_range(0..=64)?;
        let mut costs = vec![None; len * len];
        for j in 0..len {
            for i in 0..j {
                // Who is together mostly may be.
                if data.arbitrary::<u8>()? >= forbidden >> (2 * u8::from(places[i] == places[j])) {
                    let cost = Some(number(data)?);
                    (costs[i * len + j], costs[j * len + i]) = (cost, cost);
                }
            }
        }
        let mut parties = Vec::new();
        for _ in 0..data.int_in_range(0..=3)? {
            let (i, j) = (data.choose_index(len)?, data.choose_index(len)?);
            if i != j && places[i] == places[j] {
                parties.push(vec![i, j]);
            }
        }
        let mut pins = Vec::new();
        for _ in 0..data.int_in_range(0..=2)? {
            let player = data.choose_index(len)?;
            if places[player] < groups {
                pins.push((player, places[player]));
            }
        }
        Ok(Self {
            len,
            costs,
            bounds,
            bench,
            parties,
            pins,
            places,
        })
    }

    fn instance<'a>(&self, matrix: &'a DenseMatrix<i64>) -> std::result::Result<Instance<'a, i64>, Error> {
        let bounds = self.bounds.iter().map(|&(least, most)| least..=most);
        let groups = Groups::with_bounds(bounds)?.with_bench(self.bench);
        Instance::pairwise(matrix, groups)?
            .parties(self.parties.clone())?
            .pins(self.pins.clone())
    }

    /// What it costs that everybody is there, if the rules allow it.
    fn cost(&self, places: &[usize]) -> Option<i128> {
        let count = |place| places.iter().filter(|&&other| other == place).count();
        let fits = |(group, &(least, most)): (usize, &(usize, usize))| (least..=most).contains(&count(group));
        let is_allowed = self.bounds.iter().enumerate().all(fits)
            && count(self.bounds.len()) <= self.bench
            && self.parties.iter().all(|party| places[party[0]] == places[party[1]])
            && self.pins.iter().all(|&(player, group)| places[player] == group);
        let groups = (0..self.bounds.len()).map(|group| self.group_cost(places, group));
        is_allowed.then(|| groups.sum()).flatten()
    }

    fn group_cost(&self, places: &[usize], group: usize) -> Option<i128> {
        let pairs = (0..self.len).flat_map(|j| (0..j).map(move |i| (i, j)));
        let pairs = pairs.filter(|&(i, j)| places[i] == group && places[j] == group);
        pairs.map(|(i, j)| self.costs[i * self.len + j].map(i128::from)).sum()
    }

    /// Who moves together: the least player of everybody's party.
    fn leaders(&self) -> Vec<usize> {
        let mut leader: Vec<usize> = (0..self.len).collect();
        for _ in 0..self.parties.len() {
            for party in &self.parties {
                let least = leader[party[0]].min(leader[party[1]]);
                party.iter().for_each(|&player| leader[player] = least);
            }
        }
        leader
    }

    fn groups(&self) -> Vec<Vec<usize>> {
        let members = |group| (0..self.len).filter(|&player| self.places[player] == group).collect();
        (0..self.bounds.len()).map(members).collect()
    }

    /// Everybody's place after an exchange, which must be as was said.
    #[track_caller]
    fn check_exchange(&self, exchange: &Exchange<i64>, before: i128) -> Vec<usize> {
        let at = |place: Option<usize>| place.unwrap_or(self.bounds.len());
        let (from, to) = (at(exchange.from()), at(exchange.to()));
        assert_ne!(from, to, "{exchange:?} of {self:?}");
        let mut places = self.places.clone();
        for (parties, from, to) in [(exchange.leave(), from, to), (exchange.come(), to, from)] {
            for &player in parties.iter().flatten() {
                assert_eq!(self.places[player], from, "{exchange:?} of {self:?}");
                places[player] = to;
            }
        }
        let change = self.cost(&places).map(|after| after - before);
        assert_eq!(exchange.outcome().ok(), change, "{exchange:?} of {self:?}");
        if let Err(flaw) = exchange.outcome() {
            assert!(!flaw.to_string().is_empty());
        }
        places
    }
}

/// What is allowed comes first, and of that the best.
#[track_caller]
fn check_order(exchanges: &[Exchange<i64>]) {
    let rank = |exchange: &Exchange<i64>| exchange.outcome().unwrap_or(i128::MAX);
    assert!(exchanges.is_sorted_by_key(rank), "{exchanges:?}");
}

fn check(data: &mut Unstructured<'_>) -> Result<()> {
    let case = Case::new(data)?;
    let matrix = DenseMatrix::from_options(case.len, case.len, &case.costs).expect("a square");
    let Ok(instance) = case.instance(&matrix) else {
        return Ok(());
    };
    let (groups, leaders) = (case.groups(), case.leaders());
    let before = case.cost(&case.places);
    for player in 0..case.len {
        let explanation = match (instance.explain(&groups, player), before) {
            (Ok(explanation), Some(_)) => explanation,
            (Err(_), None) => return Ok(()),
            (found, before) => panic!("{found:?}, and they cost {before:?}: {case:?}"),
        };
        let (places, place) = (&case.places, case.places[player]);
        assert_eq!(explanation.group(), (place < case.bounds.len()).then_some(place));
        let cost = explanation
            .group()
            .map_or(Some(0), |group| case.group_cost(&case.places, group));
        assert_eq!(Some(explanation.cost()), cost, "{explanation:?} of {case:?}");
        check_order(explanation.exchanges());
        let mut of_one = BTreeSet::new();
        for exchange in explanation.exchanges() {
            case.check_exchange(exchange, before.unwrap_or(0));
            assert_eq!(exchange.leave()[0], explanation.party());
            if let ([_], [] | [_]) = (exchange.leave(), exchange.come()) {
                let come = exchange.come().first().map(|party| party[0]);
                assert!(of_one.insert((exchange.to(), come)), "twice: {exchange:?} of {case:?}");
            }
        }
        let named = |place| (place < case.bounds.len()).then_some(place);
        let elsewhere = (0..=case.bounds.len()).filter(|&to| to != place && (named(to).is_some() || case.bench > 0));
        let moves = elsewhere.clone().map(|to| (named(to), None));
        let leading = (0..case.len).filter(|&other| leaders[other] == other);
        let swaps = elsewhere.flat_map(|to| {
            let leading = leading.clone().filter(move |&other| places[other] == to);
            leading.map(move |other| (named(to), Some(other)))
        });
        assert_eq!(of_one, moves.chain(swaps).collect(), "{player} of {case:?}");
    }
    let pair = [data.choose_index(case.len)?, data.choose_index(case.len)?];
    let explanation = instance
        .explain_pair(&groups, pair)
        .expect("groups that keep the rules");
    let are_together = |places: &[usize]| places[pair[0]] == places[pair[1]] && places[pair[0]] < case.bounds.len();
    assert_eq!(
        explanation.are_together(),
        are_together(&case.places),
        "{pair:?} of {case:?}"
    );
    check_order(explanation.exchanges());
    for exchange in explanation.exchanges() {
        let places = case.check_exchange(exchange, before.unwrap_or(0));
        assert_ne!(
            are_together(&places),
            are_together(&case.places),
            "{exchange:?} of {case:?}"
        );
    }
    if explanation.obstacle().is_some() && case.len <= MOST_TRIED {
        let count = case.bounds.len() + 1;
        for number in 0..count.pow(case.len as u32) {
            let place = |player: usize| number / count.pow(player as u32) % count;
            let places: Vec<usize> = (0..case.len).map(place).collect();
            let is_refused = !are_together(&places) || case.cost(&places).is_none();
            assert!(is_refused, "{places:?}: {explanation:?} of {case:?}");
        }
    }
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes end it early.
    let _ = check(&mut Unstructured::new(bytes));
});
