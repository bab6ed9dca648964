//! A few players in groups with bounds, parties, pins, people apart and a bench: verified, as good as exhaustive search
//! finds, and the same when it was written and read; and an answer in which numbers were changed is refused, or is right.
#![no_main]

use fuzz::forge;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matching_core::cost::DenseMatrix;
use matching_lp::{Error, Groups, Problem, Solution, Solver};

/// Most players and groups: exhaustive search tries 4^7 groupings.
const MOST_PLAYERS: usize = 7;
const MOST_GROUPS: usize = 3;

/// Steps of the exact method, which needs far fewer.
const WORK: u64 = 5_000_000;

/// What is asked.
#[derive(Debug)]
struct Wishes {
    len: usize,
    costs: Vec<Option<i64>>,
    bounds: Vec<(usize, usize)>,
    bench: usize,
    waiting: Vec<i64>,
    parties: Vec<Vec<usize>>,
    apart: Vec<(usize, usize)>,
    pins: Vec<(usize, usize)>,
}

fn cost(data: &mut Unstructured<'_>) -> Result<i64> {
    let kind: u8 = data.arbitrary()?;
    Ok(match kind % 16 {
        0..12 => i64::from(kind >> 4) - 2,
        12 | 13 => data.arbitrary::<i16>()?.into(),
        14 => *data.choose(&[i64::MIN, i64::MAX, 1 << 40, -(1 << 50), 1 << 58])?,
        _ => data.arbitrary()?,
    })
}

impl Wishes {
    fn new(data: &mut Unstructured<'_>) -> Result<Self> {
        let len = data.int_in_range(1..=MOST_PLAYERS)?;
        let forbidden: u8 = data.int_in_range(0..=128)?;
        let mut costs = vec![None; len * len];
        for j in 0..len {
            for i in 0..j {
                if data.arbitrary::<u8>()? >= forbidden {
                    let cost = Some(cost(data)?);
                    (costs[i * len + j], costs[j * len + i]) = (cost, cost);
                }
            }
        }
        let groups = data.int_in_range(1..=MOST_GROUPS)?;
        let bound = |data: &mut Unstructured<'_>| {
            let least = data.int_in_range(0..=len)?;
            Ok((least, data.int_in_range(least..=len)?))
        };
        let bounds = (0..groups).map(|_| bound(data)).collect::<Result<_>>()?;
        let bench = if data.arbitrary()? {
            data.int_in_range(0..=len)?
        } else {
            0
        };
        let waiting = (0..len)
            .map(|_| if bench > 0 { cost(data) } else { Ok(0) })
            .collect::<Result<_>>()?;
        let pairs = |data: &mut Unstructured<'_>, most| {
            let count = if data.arbitrary()? {
                data.int_in_range(0..=most)?
            } else {
                0
            };
            let pair = |_| {
                let i = data.choose_index(len)?;
                Ok((i, (i + 1 + data.choose_index(len.max(2) - 1)?) % len))
            };
            (0..count)
                .map(pair)
                .filter(|pair| !matches!(pair, Ok((i, j)) if i == j))
                .collect::<Result<Vec<_>>>()
        };
        let parties = pairs(data, 2)?.into_iter().map(|(i, j)| vec![i, j]).collect();
        let apart = pairs(data, 3)?;
        let count = if data.arbitrary()? {
            data.int_in_range(0..=2)?
        } else {
            0
        };
        let pins = (0..count).map(|_| Ok((data.choose_index(len)?, data.choose_index(groups)?)));
        let pins = pins.collect::<Result<_>>()?;
        Ok(Self {
            len,
            costs,
            bounds,
            bench,
            waiting,
            parties,
            apart,
            pins,
        })
    }

    fn problem<'a>(&self, matrix: &'a DenseMatrix<i64>) -> std::result::Result<Problem<'a, i64>, Error> {
        let groups =
            Groups::with_bounds(self.bounds.iter().map(|&(least, most)| least..=most)).expect("bounds in order");
        let mut problem = Problem::new(matrix, groups.with_bench(self.bench))?;
        for party in &self.parties {
            problem = problem.party(party)?;
        }
        for &(i, j) in &self.apart {
            problem = problem.apart(i, j)?;
        }
        for &(player, group) in &self.pins {
            problem = problem.pin(player, group)?;
        }
        for (player, &cost) in self.waiting.iter().enumerate() {
            problem = problem.waiting_cost(player, cost)?;
        }
        Ok(problem)
    }

    /// The least cost, by trying all groupings.
    fn least(&self) -> Option<i128> {
        let places = self.bounds.len() + 1;
        let all = (0..places.pow(self.len as u32)).map(|number| {
            let place = |player: usize| number / places.pow(player as u32) % places;
            (0..self.len).map(place).collect::<Vec<usize>>()
        });
        all.filter_map(|places| self.cost(&places)).min()
    }

    /// What it costs that everybody is in this group, or on the bench after the last one; if that may be.
    fn cost(&self, places: &[usize]) -> Option<i128> {
        let bench = self.bounds.len();
        let count = |place| places.iter().filter(|&&other| other == place).count();
        let fits = |(group, &(least, most)): (usize, &(usize, usize))| (least..=most).contains(&count(group));
        let is_wished = self.bounds.iter().enumerate().all(fits)
            && count(bench) <= self.bench
            && self.parties.iter().all(|party| places[party[0]] == places[party[1]])
            && self
                .apart
                .iter()
                .all(|&(i, j)| places[i] != places[j] || places[i] == bench)
            && self.pins.iter().all(|&(player, group)| places[player] == group);
        if !is_wished {
            return None;
        }
        let mut sum = 0;
        for j in 0..self.len {
            if places[j] == bench {
                sum += i128::from(self.waiting[j]);
                continue;
            }
            for i in (0..j).filter(|&i| places[i] == places[j]) {
                sum += i128::from(self.costs[i * self.len + j]?);
            }
        }
        Some(sum)
    }
}

fn check(data: &mut Unstructured<'_>) -> Result<()> {
    let wishes = Wishes::new(data)?;
    let matrix = DenseMatrix::from_options(wishes.len, wishes.len, &wishes.costs).expect("a square");
    let Ok(problem) = wishes.problem(&matrix) else {
        return Ok(());
    };
    let least = wishes.least();
    match Solver::new().work(WORK).solve(&problem) {
        Ok(solution) => {
            let checked = solution.verify(&problem);
            checked.unwrap_or_else(|error| panic!("{error}: {solution:?} of {wishes:?}"));
            assert!(solution.is_optimal(), "{solution:?} of {wishes:?}");
            assert_eq!(Some(solution.cost()), least, "{solution:?} of {wishes:?}");
            let text = serde_json::to_string(&solution).expect("it can be written");
            let again: Solution<i64> = serde_json::from_str(&text).expect("it can be read");
            assert!(again.verify(&problem).is_ok(), "{text}");
            // A value holds no numbers beyond 64 bits.
            if let Ok(mut value) = serde_json::to_value(&solution) {
                forge(data, &mut value)?;
                if let Ok(forged) = serde_json::from_value::<Solution<i64>>(value)
                    && forged.verify(&problem).is_ok()
                {
                    let is_true = !forged.is_optimal() || Some(forged.cost()) == least;
                    let is_bound = least.is_none_or(|least| forged.bound() <= least);
                    assert!(is_true && is_bound, "{forged:?} of {wishes:?}");
                }
            }
        }
        Err(Error::Infeasible { .. }) => assert_eq!(least, None, "{wishes:?}"),
        Err(error) => {
            // Pins may disagree, costs be too great, and sizes not add up.
            assert!(!error.to_string().is_empty());
            let is_plain = wishes
                .costs
                .iter()
                .flatten()
                .chain(&wishes.waiting)
                .all(|cost| cost.abs_diff(0) < 1 << 30);
            assert!(
                least.is_none() || !is_plain,
                "{error}, and there are groups: {wishes:?}"
            );
        }
    }
    Ok(())
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes end it early.
    let _ = check(&mut Unstructured::new(bytes));
});
