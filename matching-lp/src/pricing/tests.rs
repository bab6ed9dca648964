//! Teams of small reduced cost by the search, by the checker's search and by trying all, with cuts of every kind.

use std::collections::BTreeSet;
use std::sync::Arc;

use matching_core::cost::{CondensedMatrix, Cost as _};
use matching_core::{GroupBound, GroupCost};

use crate::cut::{Cut, Tally};
use crate::duals::Duals;
use crate::grid::Grid;
use crate::limits::{Clock, Limits};
use crate::model::{Kind, Model, SCALE};
use crate::pool::Pool;
use crate::random::draw;
use crate::verify::light_teams;
use crate::{Groups, Halves, Problem};

const PLAYERS: usize = 12;

/// Some set of units, ascending.
fn some(units: u16, share: usize, state: &mut u64) -> Vec<u16> {
    (0..units).filter(|_| draw(state, 4) < share).collect()
}

/// Cuts that count whole teams, nested, apart and overlapping, and others; with any duals.
fn cuts(model: &Model<'_>, size: u32, state: &mut u64) -> Vec<(Arc<Cut>, i64)> {
    let units = model.len() as u16;
    let mut cuts = Vec::new();
    for _ in 0..draw(state, 7) {
        let from = draw(state, usize::from(units)) as u16;
        let (set, divisor) = match draw(state, 5) {
            0 => (some(units, 2, state), size),
            1 => (some(units, 2, state), 2 + draw(state, 3) as u32),
            2 => ((from..units).collect(), size),
            3 => ((0..=from).collect(), size),
            _ => ((from..units.min(from + 6)).collect(), size),
        };
        let mut cut = Cut::of_players(model, &set, divisor);
        if draw(state, 4) == 0 {
            cut.units.iter_mut().for_each(|unit| unit.1 = 1 + draw(state, 3) as u32);
        }
        cuts.push((Arc::new(cut), -(draw(state, 300) as i64) * SCALE));
    }
    cuts
}

/// All teams of the model for the classes they fit, of reduced cost up to `limit`.
fn by_trying_all(model: &Model<'_>, duals: &Duals, limit: i64) -> BTreeSet<(u16, Vec<u16>)> {
    let mut tally = Tally::new(model.len(), &duals.cuts);
    let mut found = BTreeSet::new();
    for bits in 1_u32..1 << model.len() {
        let team: Vec<u16> = (0..model.len() as u16).filter(|unit| bits >> unit & 1 == 1).collect();
        let meets = |a: &u16, b: &u16| a == b || model.is_allowed(usize::from(*a), usize::from(*b));
        let is_allowed = team.iter().all(|a| team.iter().all(|b| meets(a, b)));
        let plays = team.iter().all(|&unit| model.may_play[usize::from(unit)]);
        let roles = model.quotas.as_ref().is_none_or(|quotas| quotas.are_met(&team));
        let is_forbidden = model.whole_cost(&team).is_none();
        if !is_allowed || !plays || !roles || is_forbidden {
            continue;
        }
        for class in (0..model.classes.len() as u16).filter(|&class| model.fits(&team, class)) {
            let reduced = duals.reduced(model, Kind::Team(class), &team, model.team_cost(&team)) + tally.of(&team);
            if reduced <= limit {
                found.insert((class, team.clone()));
            }
        }
    }
    found
}

/// The ratings of a team, taken off its cost.
struct Welcome {
    ratings: Vec<i64>,
}

impl GroupCost for Welcome {
    type Value = i64;

    fn len(&self) -> usize {
        self.ratings.len()
    }

    fn group(&self, members: &[usize]) -> i64 {
        -members.iter().map(|&player| self.ratings[player]).sum::<i64>()
    }

    fn group_bound(&self, members: &[usize], more: usize) -> GroupBound<i64> {
        let greatest = self.ratings.iter().max().expect("players");
        GroupBound::AtLeast(self.group(members) - greatest * more as i64)
    }
}

/// How many teams were found, and how many cuts there were.
fn check(problem: &Problem<'_, i64>, size: u32, state: &mut u64) -> (usize, usize) {
    let model = Model::new(problem, &Grid::new(problem).expect("integers")).expect("well formed");
    let mut duals = Duals {
        rows: (0..model.rows()).map(|_| draw(state, 400) as i64 * SCALE).collect(),
        cuts: cuts(&model, size, state),
    };
    duals.rows[model.bench_row()] = 0;
    let limit = (draw(state, 600) as i64 - 400) * SCALE;
    let expected = by_trying_all(&model, &duals, limit);
    let limits = Limits::default();
    let mut clock = Clock::new(&limits, std::time::Instant::now());
    let pool = Pool::enumerate(&model, &duals, limit, usize::MAX, &mut clock).expect("room for all");
    let teams = (0..pool.len() as u32).filter_map(|column| match pool.kind(column) {
        Kind::Team(class) => Some((class, pool.units(column).to_vec())),
        _ => None,
    });
    let teams: Vec<(u16, Vec<u16>)> = teams.collect();
    let once: BTreeSet<(u16, Vec<u16>)> = teams.iter().cloned().collect();
    assert_eq!(once.len(), teams.len(), "a team twice");
    assert_eq!(once, expected, "{:?}", duals.cuts);
    // The checker's search may report more.
    let mut reported = BTreeSet::new();
    light_teams(&model, &duals, limit, &mut |units, class| {
        assert!(reported.insert((class, units.to_vec())), "a team twice for the checker");
    });
    assert!(expected.is_subset(&reported), "{:?}", duals.cuts);
    (expected.len(), duals.cuts.len())
}

#[test]
fn both_searches_find_what_trying_all_finds() {
    let mut state = 11;
    let (mut teams, mut cuts) = (0, 0);
    for round in 0..400 {
        let costs = (0..PLAYERS * (PLAYERS - 1) / 2)
            .map(|_| draw(&mut state, 400) as i64 - 60)
            .collect();
        let costs = CondensedMatrix::new(PLAYERS, costs).expect("as many as there are pairs");
        let salt = draw(&mut state, 7);
        let cheap = costs.clone().restricted(move |i, j| !(i * j + salt).is_multiple_of(9));
        let healers: Vec<usize> = (0..PLAYERS).filter(|_| draw(&mut state, 2) == 0).collect();
        let ratings: Vec<i64> = (0..PLAYERS).map(|_| draw(&mut state, 90) as i64).collect();
        let halves = Halves::new(&ratings).expect("numbers");
        // Everybody lowers what a team costs, or everybody raises it.
        let sign = if round / 8 % 2 == 0 { 1 } else { -1 };
        let ratings = ratings.iter().map(|rating| sign * (60 + rating)).collect();
        let welcome = Welcome { ratings };
        let size = 2 + draw(&mut state, 4) as u32;
        let equal = Groups::with_bounds((0..3).map(|_| size as usize..=size as usize)).expect("in order");
        let unequal = Groups::with_bounds([1..=size as usize, 2..=4, 3..=3]).expect("in order");
        let large = Groups::with_bounds([4..=6, 2..=5, 5..=5]).expect("in order");
        let waiting = PLAYERS;
        let problem = match round % 8 {
            0 => Problem::new(&costs, equal.with_bench(waiting)),
            1 => Problem::new(&cheap, equal.with_bench(waiting)),
            2 => Problem::new(&costs, equal.with_bench(waiting))
                .and_then(|problem| problem.role("healer", 1.., &healers)),
            3 => Problem::new(&costs, unequal.with_bench(waiting)),
            4 => Problem::new(&costs, equal.with_bench(waiting)).and_then(|problem| problem.party(&[2, 7])),
            // Units of one and of two players, of whom it matters what they are together.
            5 => Problem::new(&costs, equal.with_bench(waiting))
                .and_then(|problem| problem.party(&[2, 7])?.party(&[0, 3])?.role("healer", 1..=2, &healers)),
            6 => Problem::new(&costs, unequal.with_bench(waiting))
                .and_then(|problem| problem.party(&[2, 7])?.party(&[0, 3])?.group_cost(&halves)),
            _ => Problem::new(&costs, large.with_bench(waiting))
                .and_then(|problem| problem.party(&[2, 7])?.party(&[0, 3])?.group_cost(&welcome)),
        };
        let (found, some) = check(&problem.expect("well formed"), size, &mut state);
        teams += found;
        cuts += some;
    }
    assert!(teams > 5_000 && cuts > 500, "{teams} {cuts}");
}

#[test]
fn a_cut_that_counts_no_team_hides_none() {
    // Teams of two parties of two; each party weighs one, and four are asked for.
    let costs = CondensedMatrix::new(8, vec![0; 28]).expect("as many as there are pairs");
    let groups = Groups::of_size(8, 4).expect("two groups");
    let problem = (0..4).fold(Problem::new(&costs, groups), |problem, party| {
        problem?.party(&[2 * party, 2 * party + 1])
    });
    let problem = problem.expect("well formed");
    let model = Model::new(&problem, &Grid::new(&problem).expect("integers")).expect("well formed");
    let cut = Cut {
        units: (0..4).map(|unit| (unit, 1)).collect(),
        divisor: 4,
    };
    let duals = Duals {
        rows: vec![0; model.rows()],
        cuts: vec![(Arc::new(cut), -100 * SCALE)],
    };
    let mut reported = BTreeSet::new();
    light_teams(&model, &duals, 0, &mut |units, _| {
        reported.insert(units.to_vec());
    });
    let all = (0..4).flat_map(|a| (a + 1..4).map(move |b| vec![a, b]));
    assert_eq!(reported, all.collect());
}
