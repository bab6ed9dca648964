//! The formulations, solved by `microlp`, against the solver and against trying all.

use std::collections::HashMap;

use good_lp::{Expression, Solution, SolverModel, Variable, constraint, variable};
use matching_core::cost;
use matching_lp::formulations::{Formulation, Pairs, Roles, Split, Teams, Values};
use matching_lp::{Error, Groups, GroupsError, Overflow, Place, Problem, SetPartitioning, Solver};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::mixtures::{Built, random};
use crate::oracle::Plain;

const NONE: Error = Error::Unsolved(good_lp::ResolutionError::Infeasible);

fn matrix(rng: &mut ChaCha8Rng, n: usize, low: i64) -> cost::CondensedMatrix<i64> {
    let data = (0..n * (n - 1) / 2).map(|_| rng.random_range(low..50)).collect();
    cost::CondensedMatrix::new(n, data).unwrap()
}

fn total(costs: &cost::CondensedMatrix<i64>, groups: &[Vec<usize>]) -> i128 {
    use matching_core::Cost;
    let pairs = |group: &Vec<usize>| -> i128 {
        let pair = |(at, &i): (usize, &usize)| group[at + 1..].iter().map(move |&j| (i, j)).collect::<Vec<_>>();
        let pairs = group.iter().enumerate().flat_map(pair);
        pairs.map(|(i, j)| i128::from(costs.pair(i, j))).sum()
    };
    groups.iter().map(pairs).sum()
}

/// What the solver says, `None` where there is no grouping.
fn solver(problem: &Problem<'_, i64>) -> Option<i128> {
    match Solver::new().solve(problem) {
        Ok(solution) => Some(solution.cost()),
        Err(Error::Infeasible(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

/// All teams; `None` where wishes contradict each other at sight.
fn all_teams(problem: &Problem<'_, i64>) -> Option<Teams> {
    match SetPartitioning::new(problem, 10_000) {
        Ok(program) => Some(Teams::all(&program)),
        Err(Error::PartyTooLarge { .. } | Error::PinsDisagree { .. } | Error::TooManyPinned { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn all_teams_cost_what_the_solver_says() {
    let mut solved = 0;
    for seed in 2_000_000..2_000_080 {
        let plain = random(&mut ChaCha8Rng::seed_from_u64(seed), 8);
        let built = Built::new(&plain);
        let problem = built.problem().unwrap();
        let Some(teams) = all_teams(&problem) else { continue };
        match (solver(&problem), teams.using(good_lp::microlp).solve()) {
            (Some(least), Ok(solution)) => {
                assert_eq!(teams.cost(&solution).round() as i128, least, "seed {seed}: {plain:?}");
                let answer = teams.read(&solution).unwrap();
                let mut players: Vec<usize> = answer.groups().concat();
                players.extend(answer.bench());
                players.sort_unstable();
                assert!(players.into_iter().eq(0..plain.players) && answer.bench().len() <= plain.bench);
                solved += 1;
            }
            (None, Err(error)) => assert_eq!(error, good_lp::ResolutionError::Infeasible, "seed {seed}"),
            (least, _) => panic!("seed {seed}: {least:?}, the formulation says otherwise: {plain:?}"),
        }
    }
    assert!(solved > 20, "{solved}");
}

#[test]
fn all_groups_but_one_may_be_empty() {
    let plain = Plain {
        players: 4,
        cost: vec![-5; 16],
        bounds: vec![(0, 4); 4],
        bench: 0,
        waiting: vec![0; 4],
        ..Plain::default()
    };
    let built = Built::new(&plain);
    let problem = built.problem().unwrap();
    let program = SetPartitioning::new(&problem, 100).unwrap();
    let answer = Teams::all(&program).solve().unwrap();
    assert_eq!(answer.groups(), [[0, 1, 2, 3]]);
    assert_eq!(solver(&problem), Some(-30));
    assert!(program.to_lp().contains("General\n") && program.to_mps().contains(" UP BND "));
}

#[test]
fn a_rule_of_ones_own_is_kept() {
    for seed in 0..15 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let costs = matrix(&mut rng, 9, -10);
        let groups = Groups::of_size(9, 3).unwrap();
        let problem = Problem::new(&costs, groups).unwrap();
        let mut teams = Teams::all(&SetPartitioning::new(&problem, 100).unwrap());
        // Keepers 0, 3 and 8 in three teams, said as a rule about teams and as pairs apart.
        let crowded = [[0, 3], [0, 8], [3, 8]]
            .iter()
            .flat_map(|pair| teams.with_players(pair));
        let crowded: Expression = crowded.map(|team| teams.variable(team)).sum();
        teams.add_constraint(constraint!(crowded <= 0));
        let answer = teams.solve().unwrap();
        let problem = problem.apart(0, 3).unwrap().apart(0, 8).unwrap().apart(3, 8).unwrap();
        assert_eq!(Some(total(&costs, answer.groups())), solver(&problem), "seed {seed}");
    }
}

#[test]
fn pairs_cost_what_the_solver_says() {
    for seed in 0..8 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for (n, k) in [(6, 2), (6, 3), (8, 4), (9, 3)] {
            let costs = matrix(&mut rng, n, -20);
            let problem = Problem::new(&costs, Groups::of_size(n, k).unwrap()).unwrap();
            let pairs = Pairs::new(&costs, k..=k).unwrap();
            let answer = pairs.solve().unwrap();
            assert!(answer.groups().iter().all(|group| group.len() == k));
            assert_eq!(Some(total(&costs, answer.groups())), solver(&problem), "seed {seed}");
        }
        // Any number of groups of two or three: seven players make two and a half, so 3 + 2 + 2.
        let costs = matrix(&mut rng, 7, 0);
        let groups = Groups::with_bounds([2..=2, 2..=2, 3..=3]).unwrap();
        let answer = Pairs::new(&costs, 2..=3).unwrap().solve().unwrap();
        let problem = Problem::new(&costs, groups).unwrap();
        assert_eq!(Some(total(&costs, answer.groups())), solver(&problem), "seed {seed}");
    }
}

#[test]
fn one_role_is_grouping_with_a_bench() {
    for seed in 0..10 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = 6 + (seed % 2) as usize;
        let costs = matrix(&mut rng, n, -20);
        let groups = Groups::of_size(6, 3).unwrap().with_bench(n - 6);
        let problem = Problem::new(&costs, groups).unwrap();
        let mut roles = Roles::new(n, 2, &[3], |_, _| Some(0.0)).unwrap();
        roles.add_pairs(&costs).unwrap();
        let lineup = roles.solve().unwrap();
        assert_eq!(Some(total(&costs, lineup.teams())), solver(&problem), "seed {seed}");
    }
}

/// The least cost of `player` and all after, by trying every place; `left[team][role]` are the places there are.
fn least_lineup(like: &[[Option<f64>; 2]], skill: &[f64], left: &mut [[usize; 2]], strength: &mut [f64]) -> f64 {
    let Some((first, others)) = like.split_first() else {
        let is_full = left.iter().flatten().all(|&places| places == 0);
        return if is_full {
            (strength[0] - strength[1]).abs()
        } else {
            f64::INFINITY
        };
    };
    let mut least = least_lineup(others, &skill[1..], left, strength);
    for team in 0..left.len() {
        for role in 0..2 {
            if let Some(cost) = first[role].filter(|_| left[team][role] > 0) {
                left[team][role] -= 1;
                strength[team] += skill[0];
                least = least.min(cost + least_lineup(others, &skill[1..], left, strength));
                strength[team] -= skill[0];
                left[team][role] += 1;
            }
        }
    }
    least
}

#[test]
fn roles_are_those_of_trying_all() {
    let mut solved = 0;
    for seed in 0..30 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n = rng.random_range(5..=7);
        let like: Vec<[Option<f64>; 2]> = (0..n)
            .map(|_| [(); 2].map(|()| rng.random_bool(0.7).then(|| f64::from(rng.random_range(0..20)))))
            .collect();
        let skill: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(0..40))).collect();
        let mut roles = Roles::new(n, 2, &[1, 2 - n % 2], |player, role| like[player][role]).unwrap();
        roles.balance(|player, _| skill[player], 1.0).unwrap();
        let least = least_lineup(&like, &skill, &mut [[1, 2 - n % 2]; 2], &mut [0.0; 2]);
        if least.is_infinite() {
            assert_eq!(roles.solve(), Err(NONE), "seed {seed}");
            continue;
        }
        let solution = roles.using(good_lp::microlp).solve().unwrap();
        assert!((roles.cost(&solution) - least).abs() < 1e-6, "seed {seed}: {least}");
        let lineup = roles.read(&solution).unwrap();
        for team in lineup.teams() {
            for (role, quota) in [1, 2 - n % 2].into_iter().enumerate() {
                let have = team.iter().filter(|&&player| lineup.role(player) == Some(role)).count();
                assert_eq!(have, quota, "seed {seed}");
            }
        }
        solved += 1;
    }
    assert!(solved > 15, "{solved}");
}

#[test]
fn an_even_split_has_the_least_sum_of_products() {
    // (a + b)² is fixed, so |a - b| is least where a² + b² is, which is where products within teams are.
    for seed in 0..12 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let skill: Vec<i64> = (0..8).map(|_| rng.random_range(0..100)).collect();
        let products = cost::from_symmetric_fn(8, |i, j| skill[i] * skill[j]);
        let problem = Problem::new(&products, Groups::of_size(8, 4).unwrap()).unwrap();
        let by_solver = Solver::new().solve(&problem).unwrap();
        let mut split = Split::new(8, 4);
        let floats: Vec<f64> = skill.iter().map(|&skill| skill as f64).collect();
        split.balance(&floats, 1.0).unwrap();
        let by_split = split.solve().unwrap();
        let difference = |groups: &[Vec<usize>]| {
            let sum = |team: &Vec<usize>| team.iter().map(|&player| skill[player]).sum::<i64>();
            (sum(&groups[0]) - sum(&groups[1])).abs()
        };
        assert_eq!(
            difference(by_split.groups()),
            difference(by_solver.groups()),
            "seed {seed}"
        );

        // Pairs instead: two teams of sizes 3 and 5.
        let costs = matrix(&mut rng, 8, -20);
        let groups = Groups::with_bounds([3..=3, 5..=5]).unwrap();
        let mut split = Split::new(8, 3);
        split.add_pairs(&costs).unwrap();
        let answer = split.solve().unwrap();
        let problem = Problem::new(&costs, groups).unwrap();
        assert_eq!(Some(total(&costs, answer.groups())), solver(&problem), "seed {seed}");
    }
}

#[test]
fn forbidden_pairs_are_in_no_team() {
    let forbidden = Plain {
        players: 4,
        cost: vec![1; 16],
        bounds: vec![(2, 2); 2],
        bench: 0,
        waiting: vec![0; 4],
        forbidden: vec![(0, 1), (0, 2)],
        ..Plain::default()
    };
    let expected = [[0, 3], [1, 2]];
    assert_eq!(
        Pairs::new(&forbidden, 2..=2).unwrap().solve().unwrap().groups(),
        expected
    );
    let mut split = Split::new(4, 2);
    split.add_pairs(&forbidden).unwrap();
    split.add_constraint(constraint!(split.variable(0) == 1));
    assert_eq!(split.solve().unwrap().groups(), expected);
    let mut roles = Roles::new(4, 2, &[2], |_, _| Some(0.0)).unwrap();
    roles.add_pairs(&forbidden).unwrap();
    roles.add_constraint(constraint!(roles.is_in(0, 0) == 1));
    assert_eq!(roles.solve().unwrap().teams(), expected);
}

#[test]
fn groups_of_nobody_hold_nobody() {
    let costs = cost::from_symmetric_fn(2, |_, _| 1_i64);
    assert_eq!(Pairs::new(&costs, 0..=0).err(), Some(Error::Groups(GroupsError::Empty)));
    #[allow(clippy::reversed_empty_ranges)] // That is the mistake.
    let crossed = Pairs::new(&costs, 2..=1).err();
    let (group, least, most) = (0, 2, 1);
    assert_eq!(
        crossed,
        Some(Error::Groups(GroupsError::BoundsCrossed { group, least, most }))
    );
    let alone = [[0], [1]];
    assert_eq!(Pairs::new(&costs, 0..=1).unwrap().solve().unwrap().groups(), alone);
    let nobody = cost::from_symmetric_fn(0, |_, _| 1_i64);
    assert!(Pairs::new(&nobody, 0..=0).unwrap().solve().unwrap().groups().is_empty());
}

#[test]
fn errors_give_their_reasons() {
    use std::error::Error as _;
    let costs = cost::from_symmetric_fn(3, |_, _| 1_i64);
    let unsolved = Pairs::new(&costs, 2..=2).unwrap().solve().unwrap_err();
    let reason = unsolved.source().expect("why").to_string();
    assert!(unsolved.to_string().ends_with(&reason), "{unsolved}: {reason}");
}

#[test]
fn what_cannot_be_is_said() {
    let costs = cost::from_symmetric_fn(4, |_, _| 1_i64);
    let mut pairs = Pairs::new(&costs, 2..=2).unwrap();
    let zeros = |model: &matching_lp::formulations::Model| -> HashMap<Variable, f64> {
        model
            .variables()
            .iter_variables_with_def()
            .map(|(variable, _)| (variable, 0.0))
            .collect()
    };
    // One pair of three is no grouping.
    let mut values = zeros(pairs.model());
    values.insert(pairs.variable(0, 1), 1.0);
    values.insert(pairs.variable(2, 1), 1.0);
    assert_eq!(pairs.read(&values), Err(Error::NotAGrouping { player: 2 }));
    pairs.add_constraint(constraint!(
        pairs.variable(0, 1) + pairs.variable(0, 2) + pairs.variable(0, 3) == 0
    ));
    assert_eq!(pairs.solve(), Err(NONE));

    let teams = Teams::given(3, [(vec![0, 1], 1.0), (vec![2, 1], 1.0)]).unwrap();
    assert_eq!(
        teams.read(&zeros(teams.model())),
        Err(Error::NotAGrouping { player: 0 })
    );
    assert_eq!(teams.solve(), Err(NONE));
    let given = |team: Vec<usize>, cost: f64| Teams::given(3, [(team, cost)]).unwrap_err();
    assert_eq!(given(vec![0, 3], 1.0), Error::NoSuchPlayer { player: 3, players: 3 });
    assert_eq!(given(vec![1, 0, 1], 1.0), Error::Twice { player: 1 });
    for team in [vec![0, 2], vec![]] {
        assert_eq!(given(team.clone(), f64::NAN), Error::GroupNotANumber { members: team });
    }
    assert_eq!(
        given(vec![], f64::INFINITY).to_string(),
        "the cost of a group without members is not a finite number"
    );

    let mut split = Split::new(4, 2);
    assert_eq!(
        split.balance(&[1.0], 1.0),
        Err(Error::WrongLength { given: 1, players: 4 })
    );
    assert_eq!(
        split.balance(&[1.0, 2.0, f64::INFINITY, 0.0], 1.0),
        Err(Error::NotANumber { player: 2 })
    );
    let small = cost::from_symmetric_fn(3, |_, _| 1_i64);
    assert_eq!(
        split.add_pairs(&small),
        Err(Error::WrongLength { given: 3, players: 4 })
    );
    let roles = Roles::new(2, 1, &[1], |player, _| Some(if player == 1 { f64::NAN } else { 0.0 }));
    assert_eq!(roles.unwrap_err(), Error::NotANumber { player: 1 });
}

/// Without any bound, `microlp` called the first unbounded and came to no end with the second, as `Formulation::add_variable` says.
#[test]
fn variables_of_ones_own_with_a_bound_need_no_cost() {
    let from_above = variable().max(0);
    for definition in [variable().min(0), from_above] {
        let mut split = Split::new(4, 2);
        split.balance(&[5.0, 4.0, 2.0, 1.0], 1.0).unwrap();
        let idle = split.add_variable(definition.clone());
        let held = split.add_variable(definition);
        split.add_constraint(constraint!(held <= split.variable(0)));
        split.add_constraint(constraint!(held >= split.variable(1) - 1));
        let solution = split.using(good_lp::microlp).solve().unwrap();
        assert!(split.cost(&solution).abs() < 1e-6, "{}", solution.value(idle));
    }
}

/// Solvers print what is not zero, and good_lp's own table of values panicked where one was missing.
#[test]
fn values_that_are_not_given_are_zero() {
    let costs = cost::from_symmetric_fn(4, |_, _| 1_i64);
    let mut split = Split::new(4, 2);
    split.balance(&[4.0, 3.0, 2.0, 1.0], 1.0).unwrap();
    let values: Values = [(split.variable(1), 1.0), (split.variable(2), 1.0)]
        .into_iter()
        .collect();
    assert_eq!(split.read(&values).unwrap().groups(), [[1, 2], [0, 3]]);
    assert_eq!(split.cost(&values), 0.0);
    let pairs = Pairs::new(&costs, 2..=2).unwrap();
    let values: Values = [(pairs.variable(0, 3), 1.0), (pairs.variable(1, 2), 1.0)]
        .into_iter()
        .collect();
    assert_eq!(pairs.read(&values).unwrap().groups(), [[0, 3], [1, 2]]);
    assert_eq!(pairs.cost(&values), 2.0);
    let teams = Teams::given(3, [(vec![0, 1], 1.0), (vec![2], 1.0), (vec![1, 2], 1.0)]).unwrap();
    let values: Values = [0, 1].map(|team| (teams.variable(team), 1.0)).into_iter().collect();
    assert_eq!(teams.read(&values).unwrap().groups(), [vec![0, 1], vec![2]]);
    assert_eq!(teams.read(&Values::default()), Err(Error::NotAGrouping { player: 0 }));
}

/// Values that no grouping of the wanted sizes has were read as if they were one.
#[test]
fn groups_of_other_sizes_are_no_answer() {
    let ones = |variables: &[Variable]| -> Values { variables.iter().map(|&variable| (variable, 1.0)).collect() };
    let split = Split::new(4, 2);
    let error = split.read(&Values::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "by the values of the solution, group 0 has 0 members instead of 2; does it belong to this model?"
    );
    assert!(
        split
            .read(&ones(&[0, 1, 2].map(|player| split.variable(player))))
            .is_err()
    );

    let roles = Roles::new(4, 1, &[1, 2], |_, _| Some(0.0)).unwrap();
    assert!(roles.read(&Values::default()).is_err());
    let plays = |player: usize, role: usize| roles.variable(player, 0, role).unwrap();
    let error = roles.read(&ones(&[plays(3, 0), plays(1, 1)])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "by the values of the solution, group 0 has 1 player of role 1 (1) instead of 2; does it belong to this model?"
    );
    let lineup = roles.read(&ones(&[plays(0, 0), plays(1, 1), plays(2, 1)])).unwrap();
    assert_eq!(lineup.teams(), [[0, 1, 2]]);

    let costs = cost::from_symmetric_fn(4, |_, _| 1_i64);
    let pairs = Pairs::new(&costs, 2..=3).unwrap();
    assert!(pairs.read(&Values::default()).is_err());
    let pair = |i: usize, j: usize| pairs.variable(i, j);
    let all = [pair(0, 1), pair(0, 2), pair(0, 3), pair(1, 2), pair(1, 3), pair(2, 3)];
    let error = pairs.read(&ones(&all)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "by the values of the solution, group 0 has 4 members (0, 1, 2, 3) instead of 2 to 3; does it belong to this model?"
    );
}

/// Everybody in one team was enough, however many teams of a kind that took, and however many waited.
#[test]
fn other_numbers_of_groups_are_no_answer() {
    let costs = cost::from_symmetric_fn(6, |_, _| 1_i64);
    let read = |groups: Groups, chosen: &[(usize, &[usize])], waiting: &[usize]| {
        let problem = Problem::new(&costs, groups).unwrap();
        let program = SetPartitioning::new(&problem, 1_000).unwrap();
        let teams = Teams::all(&program);
        let number = |players: &[usize], place: Place| {
            let columns = &mut program.columns().iter();
            let number = columns.position(|column| column.players == players && column.place == place);
            teams.variable(number.expect("there is such a column"))
        };
        let groups = chosen
            .iter()
            .map(|(kind, players)| number(players, Place::Group(*kind)));
        let waiting = waiting.iter().map(|&player| number(&[player], Place::Bench));
        let values: Values = groups.chain(waiting).map(|variable| (variable, 1.0)).collect();
        teams.read(&values).map_err(|error| error.to_string())
    };
    let said = "by the values of the solution, ";
    let asked = "; does it belong to this model?";
    let threes = || Groups::with_bounds([2..=4, 2..=4]).unwrap();
    assert!(read(threes(), &[(0, &[0, 1, 2]), (0, &[3, 4, 5])], &[]).is_ok());
    let error = read(threes(), &[(0, &[0, 1]), (0, &[2, 3]), (0, &[4, 5])], &[]).unwrap_err();
    assert_eq!(
        error,
        format!("{said}there are 3 groups of 2 to 4 members instead of 2{asked}")
    );

    let loose = || Groups::with_bounds([0..=6, 0..=6, 2..=2]).unwrap();
    assert!(read(loose(), &[(1, &[0, 1]), (0, &[2, 3, 4, 5])], &[]).is_ok());
    let error = read(loose(), &[(0, &[0, 1, 2, 3, 4, 5])], &[]).unwrap_err();
    assert_eq!(
        error,
        format!("{said}there are 0 groups of 2 members instead of 1{asked}")
    );
    let error = read(loose(), &[(0, &[0]), (0, &[1]), (0, &[2, 3]), (1, &[4, 5])], &[]).unwrap_err();
    assert_eq!(
        error,
        format!("{said}there are 3 groups of 0 to 6 members instead of 0 to 2{asked}")
    );

    let bench = || Groups::of_size(6, 4).unwrap();
    assert!(read(bench(), &[(0, &[0, 1, 2, 5])], &[3, 4]).is_ok());
    let few = || Groups::with_bounds([3..=4]).unwrap().with_bench(2);
    let error = read(few(), &[(0, &[0, 1, 2])], &[3, 4, 5]).unwrap_err();
    assert_eq!(
        error,
        format!("{said}3 players wait (3, 4, 5) instead of 2 at most{asked}")
    );
}

/// Set partitioning as airlines have it: teams of a few rows, a cover that is sure to be there, costs that grow with
/// size.
fn airline(rng: &mut ChaCha8Rng, rows: usize, columns: usize) -> Vec<(Vec<usize>, f64)> {
    let cost = |team: &[usize], rng: &mut ChaCha8Rng| (100 * team.len() + rng.random_range(0..400)) as f64;
    let mut teams: Vec<(Vec<usize>, f64)> = (0..rows.div_ceil(3))
        .map(|at| (3 * at..rows.min(3 * at + 3)).collect::<Vec<_>>())
        .map(|team| (team.clone(), 300.0 + cost(&team, rng)))
        .collect();
    for _ in 0..columns {
        let members = rng.random_range(1..=5);
        let mut team: Vec<usize> = (0..members).map(|_| rng.random_range(0..rows)).collect();
        team.sort_unstable();
        team.dedup();
        let cost = cost(&team, rng);
        teams.push((team, cost));
    }
    teams
}

/// The least cost by dynamic programming over sets of rows.
fn least_cover(rows: usize, teams: &[(Vec<usize>, f64)]) -> f64 {
    let mut least = vec![f64::INFINITY; 1 << rows];
    least[0] = 0.0;
    for covered in 0..(1_usize << rows) - 1 {
        let first = covered.trailing_ones() as usize;
        for (team, cost) in teams.iter().filter(|(team, _)| team[0] == first) {
            let mask: usize = team.iter().map(|row| 1 << row).sum();
            if covered & mask == 0 {
                least[covered | mask] = least[covered | mask].min(least[covered] + cost);
            }
        }
    }
    least[(1 << rows) - 1]
}

#[test]
fn teams_that_are_given_cover_everybody_at_least_cost() {
    for seed in 0..6 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let teams = airline(&mut rng, 12, 150);
        let formulation = Teams::given(12, teams.clone()).unwrap();
        let solution = formulation.using(good_lp::microlp).solve().unwrap();
        assert_eq!(
            formulation.cost(&solution).round(),
            least_cover(12, &teams),
            "seed {seed}"
        );
        assert_eq!(formulation.read(&solution).unwrap().groups().concat().len(), 12);
    }
}

/// Weights went into the model as they were: NaN made it infeasible, or fail in the solver, and a negative one
/// unbounded.
#[test]
fn weights_that_are_none_are_refused_before_they_are_solved() {
    let numbers = [5.0, 4.0, 2.0, 1.0];
    let split = |weight: f64| {
        let mut split = Split::new(4, 2);
        let result = split.balance(&numbers, weight);
        // What is refused leaves nothing in the model.
        let answer = split.solve().unwrap();
        let sum: f64 = answer.groups()[0].iter().map(|&player| numbers[player]).sum();
        (result, sum)
    };
    let roles = |weight: f64| {
        let mut roles = Roles::new(4, 2, &[1, 1], |_, _| Some(0.0)).unwrap();
        let result = roles.balance(|player, _| numbers[player], weight);
        assert!(roles.solve().is_ok());
        result
    };
    for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = Err(Error::WeightNotANumber);
        assert_eq!((split(weight).0, roles(weight)), (error.clone(), error), "{weight}");
    }
    let error = Err(Error::NegativeWeight { weight: -1.0 });
    assert_eq!((split(-1.0).0, roles(-1.0)), (error.clone(), error));
    assert_eq!(
        Error::NegativeWeight { weight: -1.0 }.to_string(),
        "a weight is -1.0, but differences can only be made small: it says what each unit of one costs, 0 or more"
    );
    assert_eq!(
        Error::WeightNotANumber.to_string(),
        "a weight is not a finite number: it says what each unit of a difference costs, 0 or more"
    );
    for weight in [0.0, -0.0] {
        assert_eq!((split(weight).0, roles(weight)), (Ok(()), Ok(())));
    }
    // A sum that is no number held nothing: any split was called even.
    let mut split_of_giants = Split::new(4, 2);
    let error = Err(Error::CostOverflow(Overflow::Numbers { players: 4 }));
    assert_eq!(split_of_giants.balance(&[1e308, 1e308, 1.0, 1.0], 1.0), error);
    assert!(split_of_giants.solve().is_ok());
    assert_eq!(split(1.0), (Ok(()), 6.0));
    assert_eq!(roles(1.0), Ok(()));
}

/// HiGHS is C++: `cargo test --release -p matching-lp --features highs -- --ignored highs`, with cmake and libclang
/// (README.md).
/// Two variables that nothing held kept the solver busy for ever.
#[test]
fn a_balance_that_costs_nothing_is_none() {
    let costs = [
        [0_i64, -7, 7, 9, 16],
        [-7, 0, 1, -3, 5],
        [7, 1, 0, 8, -3],
        [9, -3, 8, 0, 10],
        [16, 5, -3, 10, 0],
    ];
    let pairs = cost::from_symmetric_fn(5, |i, j| costs[i][j]);
    let mut split = Split::new(5, 3);
    split.balance(&[4.0, -1.0, 1.0, 11.0, 4.0], 0.0).expect("a weight of 0");
    split.add_pairs(&pairs).expect("pairs");
    let answer = split.solve().expect("a split");
    let within = |group: &Vec<usize>| {
        let members = group.iter().flat_map(|&i| group.iter().map(move |&j| (i, j)));
        members.filter(|(i, j)| i < j).map(|(i, j)| costs[i][j]).sum::<i64>()
    };
    let found = answer.groups().iter().map(within).sum::<i64>();
    let problem = Problem::new(&pairs, Groups::with_bounds([3..=3, 2..=2]).unwrap()).unwrap();
    let best = Solver::new().solve(&problem).unwrap();
    assert_eq!(i128::from(found), best.cost());
}

#[cfg(feature = "highs")]
mod highs {
    use super::*;

    #[test]
    #[ignore = "some minutes"]
    fn highs_says_the_same_of_five_thousand_problems() {
        let mut solved = 0;
        for seed in 3_000_000..3_005_000 {
            let plain = random(&mut ChaCha8Rng::seed_from_u64(seed), 10);
            let built = Built::new(&plain);
            let problem = built.problem().unwrap();
            let Some(teams) = all_teams(&problem) else { continue };
            let by_highs = teams.using_highs().solve();
            match solver(&problem) {
                Some(least) => {
                    let cost = by_highs.map(|solution| teams.cost(&solution).round() as i128);
                    assert_eq!(cost, Ok(least), "seed {seed}: {plain:?}");
                    solved += 1;
                }
                None => {
                    // Of a model without variables, HiGHS says no more than that.
                    let is_empty = teams.teams().is_empty();
                    let empty = is_empty.then_some(good_lp::ResolutionError::Other("ModelEmpty"));
                    let expected = empty.or(Some(good_lp::ResolutionError::Infeasible));
                    assert_eq!(by_highs.err(), expected, "seed {seed}");
                }
            }
        }
        println!("{solved} of 5000 have a grouping");
        assert!(solved > 1500 && solved < 5000, "{solved}");
    }

    #[test]
    #[ignore = "some minutes"]
    fn highs_and_microlp_agree_on_airlines() {
        for seed in 0..300 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let rows = rng.random_range(10..40);
            let columns = rng.random_range(50..500);
            let formulation = Teams::given(rows, airline(&mut rng, rows, columns)).unwrap();
            let by_highs = formulation.using_highs().solve().unwrap();
            let by_microlp = formulation.using(good_lp::microlp).solve().unwrap();
            let cost = formulation.cost(&by_highs).round();
            assert_eq!(formulation.cost(&by_microlp).round(), cost, "seed {seed}");
        }
    }
}
