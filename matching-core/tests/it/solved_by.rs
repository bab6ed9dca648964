//! Every answer says who found it, whichever way it came; a program that worked it out by a rule of its own said
//! `small` where the small engine had handed the pool on.

use matching_core::cost::Points;
use matching_core::{
    Blossom, Budget, Cost, EdgeList, Engine, Error, Instance, Objective, Precision, Session, SolvedBy, Status,
    TutteBerge, Workspace, cost,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Costs of which most rows have a best partner of their own.
fn varied(n: usize) -> impl Cost<Value = i64> {
    cost::from_fn(n, |i, j| {
        ((i.min(j) * 7919 + i.max(j) * 104_729 + i * j * 31) % 1_000_003) as i64
    })
}

/// Costs that are products of two players' traits: all want the same few partners.
fn crowded(n: usize) -> impl Cost<Value = i64> {
    let trait_of = move |i: usize| ((i * 37) % n) as i64;
    cost::from_fn(n, move |i, j| trait_of(i) * trait_of(j))
}

/// Products and noise: the 32 rows that are asked first name 16 best partners, and trees span everything all the same.
fn noisy(n: usize) -> impl Cost<Value = i64> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let traits: Vec<i64> = (0..n).map(|_| rng.random_range(-1_000..1_000)).collect();
    let noise: Vec<i64> = (0..n * n).map(|_| rng.random_range(-100_000..100_000)).collect();
    cost::from_fn(n, move |i, j| traits[i] * traits[j] + noise[i.min(j) * n + i.max(j)])
}

/// Only vertices whose numbers are less than so far apart may be paired.
fn banded(n: usize, apart: usize) -> impl Cost<Value = i64> {
    varied(n).restricted(move |i, j| i.abs_diff(j) < apart)
}

fn complete(n: usize) -> EdgeList<i64> {
    varied(n).to_edges().expect("costs are in order").into_owned()
}

/// Who found the answer, or the witness. The same question to the engine by name has the same answer to the last bit.
#[track_caller]
fn told<I: Instance<Value = i64> + ?Sized>(blossom: &Blossom<i64>, instance: &I) -> SolvedBy {
    match blossom.solve(instance) {
        Ok(solution) => {
            solution.verify(instance).expect("a proven answer");
            let engine = match solution.solved_by() {
                SolvedBy::Sparse => Engine::Sparse,
                SolvedBy::Dense => Engine::Dense,
                _ => Engine::Auto,
            };
            let again = blossom.clone().engine(engine).solve(instance);
            assert_eq!(again.as_ref(), Ok(&solution));
            solution.solved_by()
        }
        Err(Error::NoPerfectMatching(witness)) => witness.solved_by().expect("somebody found it"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn costs_on_all_pairs() {
    let auto = Blossom::new();
    for (n, expected) in [
        (0, SolvedBy::Sparse),
        (2, SolvedBy::Small),
        (128, SolvedBy::Small),
        (200, SolvedBy::Small),
        (202, SolvedBy::Dense),
    ] {
        assert_eq!(told(&auto, &varied(n)), expected, "{n}");
    }
    for n in [2, 10, 150] {
        let by = |engine| told(&Blossom::new().engine(engine), &varied(n));
        assert_eq!(
            (by(Engine::Sparse), by(Engine::Dense)),
            (SolvedBy::Sparse, SolvedBy::Dense)
        );
    }
    // Too crowded to try, too crowded once it was tried, too thin for a matrix.
    assert_eq!(told(&auto, &crowded(70)), SolvedBy::Small);
    for n in [80, 128, 130, 170, 200] {
        assert_eq!(told(&auto, &crowded(n)), SolvedBy::Dense, "{n}");
    }
    assert_eq!(told(&auto, &noisy(100)), SolvedBy::Dense);
    assert_eq!(told(&auto, &banded(100, 4)), SolvedBy::Small);
    assert_eq!(told(&auto, &banded(150, 4)), SolvedBy::Sparse);
    assert_eq!(told(&auto, &banded(300, 4)), SolvedBy::Sparse);
    assert_eq!(told(&auto, &banded(300, 100)), SolvedBy::Dense);
}

#[test]
fn numbers_and_limits_that_the_small_engine_refuses() {
    let auto = Blossom::new();
    let wide = |n| cost::from_fn(n, |i, j| if i + j == 3 { i64::MAX } else { i64::MIN });
    for (n, expected) in [(4, SolvedBy::Sparse), (128, SolvedBy::Sparse), (150, SolvedBy::Dense)] {
        assert_eq!(told(&auto, &wide(n)), expected, "{n}");
        let limited = Blossom::new().budget(Budget::new().work(u64::MAX));
        assert_eq!(told(&limited, &varied(n)), expected, "{n}");
    }
    // Stopped at once: with a full answer, and where nothing but the search knows whether there is one.
    let stopped = Blossom::new().budget(Budget::new().work(1));
    let rough = cost::from_symmetric_fn(60, |i, j| (i * 7919 + j * 104_729) as i64 % 1009);
    let lace = cost::from_fn(60, |i, j| (i * j) as i64 % 11).restricted(|i, j| i.abs_diff(j) % 29 < 2);
    let (mut full, mut open) = (0, 0);
    for (engine, expected) in [(Engine::Sparse, SolvedBy::Sparse), (Engine::Dense, SolvedBy::Dense)] {
        for cost in [&rough as &dyn Cost<Value = i64>, &lace] {
            let solution = stopped.clone().engine(engine).solve(cost).unwrap();
            assert_eq!(solution.solved_by(), expected);
            match solution.status() {
                Status::Feasible(_) => full += 1,
                Status::Unknown(_) => open += 1,
                status => panic!("{status:?}"),
            }
        }
    }
    assert_eq!((full, open), (2, 2));
    let floats = cost::from_fn(6, |i, j| if i + j == 5 { 1e-40 } else { 1e30 });
    let rounded = Blossom::new().precision(Precision::Quantised).solve(&floats).unwrap();
    assert_eq!(rounded.solved_by(), SolvedBy::Small);
}

#[test]
fn lists_of_edges() {
    let auto = Blossom::new();
    assert_eq!(told(&auto, &complete(128)), SolvedBy::Sparse);
    assert_eq!(told(&auto, &complete(130)), SolvedBy::Dense);
    let half = |most: usize| {
        let all = complete(200);
        let first = all.edges()[..most].iter();
        EdgeList::new(200, first.map(|edge| (edge.u as usize, edge.v as usize, edge.weight))).unwrap()
    };
    for (list, expected) in [(half(9950), SolvedBy::Sparse), (half(9951), SolvedBy::Dense)] {
        assert_eq!(Engine::Auto.is_dense_for(&list), expected == SolvedBy::Dense);
        assert_eq!(told(&Blossom::new().objective(Objective::MaxWeight), &list), expected);
    }
    for (engine, expected) in [(Engine::Sparse, SolvedBy::Sparse), (Engine::Dense, SolvedBy::Dense)] {
        assert_eq!(told(&Blossom::new().engine(engine), &complete(4)), expected);
        assert_eq!(told(&Blossom::new().engine(engine), &complete(200)), expected);
    }
}

#[test]
fn every_objective() {
    let asked = |n: usize| {
        [
            Objective::MinPerfect,
            Objective::MaxPerfect,
            Objective::MaxWeight,
            Objective::MaxCardinality,
            Objective::MinOptOut(vec![9; n]),
            Objective::MinBye(vec![9; n]),
        ]
    };
    for objective in asked(10) {
        let blossom = Blossom::new().objective(objective);
        assert_eq!(told(&blossom, &varied(10)), SolvedBy::Small);
        assert_eq!(told(&blossom, &complete(10)), SolvedBy::Sparse);
    }
    for objective in asked(150) {
        assert_eq!(
            told(&Blossom::new().objective(objective), &varied(150)),
            SolvedBy::Small
        );
    }
    for n in [9, 151] {
        for objective in asked(n).into_iter().skip(2) {
            assert_eq!(told(&Blossom::new().objective(objective), &varied(n)), SolvedBy::Small);
        }
    }
}

#[test]
fn whoever_proves_that_there_is_no_answer() {
    let auto = Blossom::new();
    let star = |n: usize| cost::from_fn(n, |_, _| 1_i64).restricted(|i, j| i == 0 || j == 0);
    assert_eq!(told(&auto, &star(6)), SolvedBy::Small);
    assert_eq!(told(&Blossom::new().engine(Engine::Sparse), &star(6)), SolvedBy::Sparse);
    assert_eq!(told(&Blossom::new().engine(Engine::Dense), &star(6)), SolvedBy::Dense);
    // An odd number of players, whom nobody has to search for.
    assert_eq!(told(&auto, &varied(9)), SolvedBy::Sparse);
    assert_eq!(told(&auto, &varied(151)), SolvedBy::Dense);
    assert_eq!(told(&auto, &varied(1)), SolvedBy::Sparse);
    // A list without edges comes back from the dense engine.
    let nothing = EdgeList::new(4, [(0, 1, 1_i64); 0]).unwrap();
    assert_eq!(told(&Blossom::new().engine(Engine::Dense), &nothing), SolvedBy::Sparse);

    // Who found a witness is no part of what it says.
    let witness = |engine| match Blossom::new().engine(engine).solve(&star(6)) {
        Err(Error::NoPerfectMatching(witness)) => witness,
        other => panic!("{other:?}"),
    };
    let (sparse, dense) = (witness(Engine::Sparse), witness(Engine::Dense));
    assert_ne!(sparse.solved_by(), dense.solved_by());
    assert_eq!(sparse, dense);
    let claimed = TutteBerge::new(sparse.removed().to_vec(), sparse.odd_components().to_vec());
    assert_eq!((claimed.solved_by(), &claimed), (None, &sparse));
}

#[test]
fn a_workspace_tells_of_its_last_answer() {
    let auto = Blossom::new();
    let mut workspace = Workspace::new();
    for _ in 0..2 {
        let mut by =
            |blossom: &Blossom<i64>, n: usize| blossom.solve_with(&crowded(n), &mut workspace).unwrap().solved_by();
        // It does not give up.
        assert_eq!(by(&auto, 150), SolvedBy::Small);
        assert_eq!(by(&auto, 202), SolvedBy::Dense);
        assert_eq!(by(&auto, 100), SolvedBy::Small);
        assert_eq!(by(&Blossom::new().engine(Engine::Dense), 100), SolvedBy::Dense);
        assert_eq!(by(&Blossom::new().engine(Engine::Sparse), 100), SolvedBy::Sparse);
        assert_eq!(
            by(&Blossom::new().budget(Budget::new().work(u64::MAX)), 100),
            SolvedBy::Sparse
        );
        assert_eq!(by(&auto, 0), SolvedBy::Sparse);
        let star = cost::from_fn(6, |_, _| 1_i64).restricted(|i, j| i == 0 || j == 0);
        let Err(Error::NoPerfectMatching(witness)) = auto.solve_with(&star, &mut workspace) else {
            panic!("a star has none");
        };
        assert_eq!(witness.solved_by(), Some(SolvedBy::Small));
    }
}

#[test]
fn a_session_is_dense_but_where_it_hands_on() {
    let mut session = Session::new(&varied(10)).unwrap();
    assert_eq!(session.solve().unwrap().solved_by(), SolvedBy::Dense);
    session.set_pair(0, 1, Some(-5));
    assert_eq!(session.solve().unwrap().solved_by(), SolvedBy::Dense, "warm");
    session.add(|_| Some(3));
    let Err(Error::NoPerfectMatching(witness)) = session.solve() else {
        panic!("an odd pool without byes");
    };
    assert_eq!(witness.solved_by(), Some(SolvedBy::Dense));
    session.add(|_| Some(i64::MIN));
    session.set_pair(0, 1, Some(i64::MAX));
    assert_eq!(session.solve().unwrap().solved_by(), SolvedBy::Sparse, "128 bits");
    assert_eq!(Session::empty().solve().unwrap().solved_by(), SolvedBy::Sparse);
    let mut alone = Session::new(&varied(1)).unwrap().byes(vec![7]).unwrap();
    assert_eq!(alone.solve().unwrap().solved_by(), SolvedBy::Sparse);
}

#[test]
fn points_are_searched_by_their_index_unless_far_pairs_are_asked_for() {
    let points = |n: usize| Points::new((0..n).map(|i| [(i * i % 17) as f64, i as f64]).collect()).unwrap();
    let by = |blossom: Blossom<i64>, n: usize| match blossom.solve_embedded(&points(n)) {
        Ok(solution) => solution.solved_by(),
        Err(Error::NoPerfectMatching(witness)) => witness.solved_by().expect("somebody found it"),
        Err(error) => panic!("{error}"),
    };
    for n in [2, 3, 10, 250] {
        assert_eq!(by(Blossom::new(), n), SolvedBy::Embedded, "{n}");
        let bye = Blossom::new().objective(Objective::MinBye(vec![0; n]));
        assert_eq!(by(bye, n), SolvedBy::Embedded, "{n}");
        let alone = Blossom::new().objective(Objective::MinOptOut(vec![2; n]));
        assert_eq!(by(alone, n), SolvedBy::Embedded, "{n}");
    }
    // An engine that is named is that of what is left to `solve`.
    for (engine, solved_by) in [(Engine::Sparse, SolvedBy::Sparse), (Engine::Dense, SolvedBy::Dense)] {
        let named = Blossom::new().engine(engine);
        assert_eq!(by(named.clone(), 10), SolvedBy::Embedded, "{engine:?}");
        assert_eq!(by(named.objective(Objective::MaxPerfect), 10), solved_by, "{engine:?}");
    }
    assert_eq!(by(Blossom::new(), 0), SolvedBy::Sparse);
    assert_eq!(by(Blossom::new().objective(Objective::MaxPerfect), 10), SolvedBy::Small);
    assert_eq!(
        by(Blossom::new().objective(Objective::MaxPerfect), 250),
        SolvedBy::Dense
    );
}

#[test]
fn names_are_words() {
    let all = [
        SolvedBy::Small,
        SolvedBy::Sparse,
        SolvedBy::Dense,
        SolvedBy::Embedded,
        SolvedBy::Cardinality,
    ];
    assert_eq!(
        all.map(SolvedBy::name),
        ["small", "sparse", "dense", "embedded", "cardinality"]
    );
    assert_eq!(format!("{:>6}|", SolvedBy::Dense), " dense|");
}
