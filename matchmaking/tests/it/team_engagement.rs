//! Engagement of teams against the sums written out, and what engines make of it.

use std::sync::LazyLock;

use matching_core::{Cost, GroupBound, GroupCost};
use matching_heuristics::{Engine, Groups, Instance, Search};
use matchmaking::matching_lp::{Problem, Solver};
use matchmaking::{
    ChurnModel, DrawRule, DrawShare, EngagementCost, Error, Horizon, Outcome, OutcomeModel, Player, Pool, SkillModel,
    SyntheticChurn, TeamEngagement,
};
use rand::seq::{SliceRandom, index};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

static CHURN: LazyLock<SyntheticChurn> = LazyLock::new(|| SyntheticChurn::new(Horizon::EightHours, 3));

/// Risks without any order among results: what players of no game would do.
struct Wild(u64);

impl ChurnModel for Wild {
    fn after(&self, player: &Player, upcoming: Outcome) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(self.0);
        let bytes = player.id.bytes().map(u64::from);
        let number = bytes.fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte));
        rng.set_stream(
            number
                .wrapping_mul(3)
                .wrapping_add(u64::from(upcoming.letter() as u32 % 3)),
        );
        rng.random()
    }

    fn idle(&self, _: &Player) -> f64 {
        0.5
    }
}

/// Six rules of chances.
fn models() -> Vec<(SkillModel, DrawRule)> {
    let fitted = |share, width| DrawRule::Fitted(DrawShare::new(share, width).expect("a share"));
    let draws = [
        DrawRule::Constant,
        DrawRule::GapDependent,
        fitted(0.3, None),
        fitted(0.5, Some(300.0)),
    ];
    let with = |skill| draws.map(|draw| (skill, draw));
    [with(SkillModel::Elo), with(SkillModel::Glicko)].concat()
}

/// Chances of a team against another, from Glickman's and Elo's formulas and the words of the draw rules.
fn chances((skill, draws): (SkillModel, DrawRule), team: (f64, f64), other: (f64, f64)) -> [f64; 3] {
    let difference = team.0 - other.0;
    let flat = match skill {
        SkillModel::Glicko => {
            let q = 10.0_f64.ln() / 400.0;
            1.0 / (1.0 + 3.0 * q * q * (team.1 + other.1) / std::f64::consts::PI.powi(2)).sqrt()
        }
        _ => 1.0,
    };
    let score = 1.0 / (1.0 + 10.0_f64.powf(-flat * difference / 400.0));
    let falls = |width: f64| (-(difference / width).powi(2)).exp();
    match draws {
        DrawRule::Fitted(share) => {
            let draw = share.share() * share.width().map_or(1.0, falls);
            let win = (score - draw / 2.0).clamp(0.0, 1.0 - draw);
            [win, draw, 1.0 - draw - win]
        }
        other => {
            let draw = if other == DrawRule::Constant {
                0.2
            } else {
                0.2 * falls(400.0)
            };
            [(1.0 - draw) * score, draw, (1.0 - draw) * (1.0 - score)]
        }
    }
}

/// The least over all teams, by all subsets of half of the group: each split twice, once by either team.
fn by_force(pool: &Pool, model: (SkillModel, DrawRule), churn: &dyn ChurnModel, group: &[usize]) -> f64 {
    let mut least = f64::INFINITY;
    for subset in 0..1_u32 << group.len() {
        if 2 * subset.count_ones() as usize != group.len() {
            continue;
        }
        let is_first = |at: usize| subset & (1 << at) != 0;
        let skill = |first: bool| {
            let team = (0..group.len()).filter(|&at| is_first(at) == first);
            team.map(|at| &pool.players()[group[at]])
                .fold((0.0, 0.0), |sum, player| {
                    (sum.0 + player.rating, sum.1 + player.deviation.powi(2))
                })
        };
        let [win, draw, loss] = chances(model, skill(true), skill(false));
        let mut lost = 0.0;
        for (chance, own, theirs) in [
            (win, Outcome::Win, Outcome::Loss),
            (draw, Outcome::Draw, Outcome::Draw),
            (loss, Outcome::Loss, Outcome::Win),
        ] {
            for (at, &player) in group.iter().enumerate() {
                let outcome = if is_first(at) { own } else { theirs };
                lost += chance * churn.after(&pool.players()[player], outcome);
            }
        }
        least = least.min(lost);
    }
    least
}

#[test]
fn groups_cost_what_all_splits_and_results_written_out_say() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut worst: f64 = 0.0;
    for team_size in 1..=5 {
        for model in models() {
            for churn in [&*CHURN as &dyn ChurnModel, &Wild(team_size as u64)] {
                let pool = Pool::synthetic(30, rng.random());
                let cost = TeamEngagement::new(&pool, team_size, &OutcomeModel::new(model.0, model.1), churn)?;
                for _ in 0..12 {
                    let group = index::sample(&mut rng, 30, 2 * team_size).into_vec();
                    let expected = by_force(&pool, model, churn, &group);
                    let found = cost.group(&group) as f64 / EngagementCost::SCALE as f64;
                    worst = worst.max((found - expected).abs());
                    let terms = cost.best_teams(&group).expect("a game");
                    assert!(
                        (terms.expected_churn() - expected).abs() < 1e-12 * 16.0,
                        "{terms:?} {expected}"
                    );
                    assert!((terms.outcomes.total() - 1.0).abs() < 1e-12);
                }
            }
        }
    }
    // Half a unit, and what sums are rounded by.
    assert!(worst < 0.500_001e-6, "{worst:e}");
    Ok(())
}

#[test]
fn teams_of_one_are_pairs_bit_for_bit() -> Result<(), Error> {
    for (skill, draws) in models() {
        for churn in [&*CHURN as &dyn ChurnModel, &Wild(9)] {
            let mut players = Pool::synthetic(50, 4).players().to_vec();
            for (i, rating) in [-1e9, 1e9, 0.0, 1e-9, 1500.0, 1500.0].into_iter().enumerate() {
                players[i].rating = rating;
                players[i].deviation = [0.0, 1e9, 1e-200, 350.0, 50.0, 50.0][i];
            }
            players[7].avoid = vec![players[8].id.clone()];
            let pool = Pool::new(players)?;
            let model = OutcomeModel::new(skill, draws);
            let pairs = EngagementCost::new(&pool, &model, churn)?;
            let groups = TeamEngagement::new(&pool, 1, &model, churn)?;
            for (i, j) in (0..50).flat_map(|i| (0..i).map(move |j| (j, i))) {
                let terms = groups.terms(&[i], &[j]);
                let pair = pairs.terms(i, j);
                assert_eq!(
                    (
                        terms.outcomes,
                        terms.first_churn.to_bits(),
                        terms.second_churn.to_bits()
                    ),
                    (
                        pair.outcomes,
                        pair.first_churn().to_bits(),
                        pair.second_churn().to_bits()
                    )
                );
                let expected = pairs.is_allowed(i, j).then(|| pairs.pair(i, j));
                assert_eq!(groups.group_if_allowed(&[i, j]), expected);
                assert_eq!(groups.group_if_allowed(&[j, i]), expected);
                assert_eq!(groups.is_group_allowed(&[i, j]), expected.is_some());
            }
            let everybody: Vec<Vec<usize>> = (0..50).step_by(2).map(|i| vec![i, (i + 1) % 50]).collect();
            let pairing = matchmaking::Pairing::new((0..50).step_by(2).map(|i| (i, i + 1)).collect(), Vec::new());
            let retained = groups.expected_retained(&everybody).expect("all may meet");
            assert!((retained - pairs.expected_retained(&pairing)).abs() < 1e-9);
        }
    }
    Ok(())
}

#[test]
fn order_does_not_matter_and_exchanges_are_groups() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut players = Pool::synthetic(40, 6).players().to_vec();
    for i in (0..40).step_by(4) {
        players[i].avoid = vec![players[(i + 7) % 40].id.clone()];
    }
    for (i, player) in players.iter_mut().enumerate() {
        player.party = (i % 5 < 2).then(|| format!("party {}", i / 5));
    }
    let pool = Pool::new(players)?;
    let mut allowed = [0; 2];
    for team_size in 2..=4 {
        let cost = TeamEngagement::new(&pool, team_size, &OutcomeModel::default(), &*CHURN)?;
        for cost in [cost.clone(), cost.with_whole_parties()] {
            for _ in 0..200 {
                let mut group = index::sample(&mut rng, 40, 2 * team_size).into_vec();
                let expected = cost.group_if_allowed(&group);
                allowed[usize::from(expected.is_some())] += 1;
                group.shuffle(&mut rng);
                assert_eq!(cost.group_if_allowed(&group), expected);
                assert_eq!(cost.is_group_allowed(&group), expected.is_some());
                let everything = EngagementCost::SCALE * 2 * team_size as i64;
                assert_eq!(cost.group(&group), expected.unwrap_or(everything));
                let best = cost.best_teams(&group);
                assert_eq!(best.is_some(), expected.is_some());
                if let Some(best) = best {
                    let swapped = cost.terms(&best.second, &best.first);
                    assert!((swapped.expected_churn() - best.expected_churn()).abs() < 1e-12);
                    assert_eq!(Some((best.expected_churn() * 1e6).round() as i64), expected);
                }
                // Some leave, others come.
                let mut notes = Vec::new();
                cost.take_notes(&group, &mut notes);
                let count = rng.random_range(1..=team_size);
                let leave = index::sample(&mut rng, group.len(), count).into_vec();
                let others: Vec<usize> = (0..40).filter(|player| !group.contains(player)).collect();
                let join: Vec<usize> = index::sample(&mut rng, others.len(), count)
                    .iter()
                    .map(|at| others[at])
                    .collect();
                let mut exchanged = group.clone();
                leave
                    .iter()
                    .zip(&join)
                    .for_each(|(&at, &player)| exchanged[at] = player);
                assert_eq!(
                    cost.group_if_exchanged(&group, &notes, &leave, &join),
                    cost.group_if_allowed(&exchanged)
                );
            }
        }
    }
    assert!(allowed.iter().all(|&count| count > 100), "{allowed:?}");
    Ok(())
}

/// Whoever comes together is in one team, and three pairs make no two teams of three.
#[test]
fn parties_are_in_one_team_if_asked_for() -> Result<(), Error> {
    let mut players: Vec<Player> = (0..6)
        .map(|i| Player::new(format!("p{i}"), 1500.0 + 50.0 * f64::from(i), 60.0))
        .collect();
    players[0].party = Some("a".to_owned());
    players[5].party = Some("a".to_owned());
    let pool = Pool::new(players.clone())?;
    let cost = TeamEngagement::new(&pool, 3, &OutcomeModel::default(), &*CHURN)?;
    let group = [5, 1, 0, 2, 4, 3];
    let whole = cost.clone().with_whole_parties();
    let teams = whole.best_teams(&group).expect("a game");
    assert!(teams.first.starts_with(&[0]) && teams.first.ends_with(&[5]));
    // The best of those that leave the party whole, all of which are here.
    let others: Vec<usize> = (1..5).collect();
    let with = |third: usize| {
        let second: Vec<usize> = others.iter().copied().filter(|&other| other != third).collect();
        cost.terms(&[0, third, 5], &second).expected_churn()
    };
    let least = others.iter().map(|&third| with(third)).fold(f64::INFINITY, f64::min);
    assert_eq!(teams.expected_churn(), least);
    assert!(cost.group(&group) <= whole.group(&group));
    for (i, player) in players.iter_mut().enumerate() {
        player.party = Some(format!("pair {}", i / 2));
    }
    let pool = Pool::new(players)?;
    let pairs = TeamEngagement::new(&pool, 3, &OutcomeModel::default(), &*CHURN)?.with_whole_parties();
    assert_eq!((pairs.group_if_allowed(&group), pairs.best_teams(&group)), (None, None));
    assert!(!pairs.is_group_allowed(&group));
    Ok(())
}

/// No group costs less than what is said of its part.
#[test]
fn bounds_are_below_all_groups() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut gaps = Vec::new();
    for model in models() {
        for churn in [&*CHURN as &dyn ChurnModel, &Wild(2)] {
            for team_size in 1..=3 {
                let n = 9;
                let pool = Pool::synthetic(n, rng.random());
                let cost = TeamEngagement::new(&pool, team_size, &OutcomeModel::new(model.0, model.1), churn)?;
                let size = 2 * team_size;
                for known in 0..=size {
                    let members = index::sample(&mut rng, n, known).into_vec();
                    let mut least = i64::MAX;
                    for set in 0..1_u32 << n {
                        let group: Vec<usize> = (0..n).filter(|&player| set & 1 << player != 0).collect();
                        if group.len() == size && members.iter().all(|player| group.contains(player)) {
                            least = least.min(cost.group(&group));
                        }
                    }
                    let GroupBound::AtLeast(bound) = cost.group_bound(&members, size - known) else {
                        panic!("there are groups");
                    };
                    assert!(bound <= least, "{bound} {least} {members:?}");
                    gaps.push((least - bound) as f64 / least as f64);
                    assert_eq!(cost.group_bound(&members, size - known + 1), GroupBound::Forbidden);
                }
            }
        }
    }
    // Not only that nobody loses less than nothing.
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    assert!(mean < 0.25, "{mean}");
    Ok(())
}

/// All ways to put players into groups of a size, cheapest first found.
fn cheapest(cost: &TeamEngagement<'_>, left: &[usize], size: usize) -> i64 {
    let Some((&first, others)) = left.split_first() else {
        return 0;
    };
    let mut least = i64::MAX;
    for set in 0..1_u32 << others.len() {
        if set.count_ones() as usize + 1 != size {
            continue;
        }
        let is_in = |at: usize| set & 1 << at != 0;
        let mates = (0..others.len()).filter(|&at| is_in(at)).map(|at| others[at]);
        let group: Vec<usize> = std::iter::once(first).chain(mates).collect();
        let rest: Vec<usize> = (0..others.len())
            .filter(|&at| !is_in(at))
            .map(|at| others[at])
            .collect();
        least = least.min(cost.group(&group) + cheapest(cost, &rest, size));
    }
    least
}

#[test]
fn engines_find_the_best_games_and_prove_them() -> Result<(), Box<dyn std::error::Error>> {
    for (n, team_size) in [(8, 1), (12, 2), (12, 3)] {
        for seed in 0..3 {
            let pool = Pool::synthetic(n, seed);
            let cost = TeamEngagement::new(&pool, team_size, &OutcomeModel::default(), &*CHURN)?;
            let expected = cheapest(&cost, &(0..n).collect::<Vec<_>>(), 2 * team_size);
            let groups = Groups::of_size(n, 2 * team_size)?;
            let instance = Instance::by_group(&cost, groups)?;
            let found = Search::with(&instance, Engine::Auto).run()?;
            assert_eq!(found.cost(), expected.into(), "{n} {team_size}");
            let problem = Problem::by_group(&cost, Groups::of_size(n, 2 * team_size)?)?;
            let proven = Solver::new().solve(&problem)?;
            assert!(proven.is_optimal());
            assert_eq!(proven.cost(), expected.into());
            proven.verify(&problem)?;
            // What groups cost is what they lose.
            let retained = cost.expected_retained(proven.groups()).expect("all are games");
            assert!((n as f64 - retained - expected as f64 / 1e6).abs() < 1e-5);
        }
    }
    Ok(())
}

#[test]
fn what_makes_no_sense_is_told() -> Result<(), Error> {
    let pool = Pool::synthetic(20, 1);
    let of = |size| TeamEngagement::new(&pool, size, &OutcomeModel::default(), &*CHURN);
    for size in [0, 9] {
        let error = of(size).expect_err("no such teams");
        assert_eq!(error, Error::TeamSize { found: size, limit: 8 });
        assert_eq!(error.to_string(), format!("teams of {size}: a team has 1 to 8 players"));
    }
    let cost = of(2)?;
    for group in [&[0, 1, 2][..], &[0, 1, 2, 2], &[0, 1, 2, 3, 4]] {
        assert!(!cost.is_group_allowed(group) && cost.group_if_allowed(group).is_none());
    }
    assert_eq!((cost.len(), cost.team_size()), (20, 2));
    assert!(cost.expected_retained(&[vec![0, 1, 2, 3], vec![3, 4, 5, 6]]).is_none());
    // Nobody plays.
    let idle: f64 = pool.players().iter().map(|player| CHURN.idle(player)).sum();
    assert!((cost.expected_retained(&[]).expect("no games") - (20.0 - idle)).abs() < 1e-12);
    assert!(of(8)?.group(&(0..16).collect::<Vec<_>>()) > 0);
    let few = Pool::read_ratings_csv("id,rating\na,1\nb,2\n".as_bytes())?;
    assert!(TeamEngagement::new(&few, 1, &OutcomeModel::default(), &*CHURN).is_err());
    Ok(())
}
