//! Whether parties can be packed: the answer is right for every small case, and hard ones come to an end.

use matching_core::cost::{self, Pairwise};
use matching_heuristics::{Error, Groups, Instance, Search};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::support::{ENGINES, Rules};

#[test]
fn parties_are_packed_exactly_where_that_is_possible() {
    let (mut fitting, mut failing) = (0, 0);
    for seed in 0..6_000 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let rules = Rules::random(8, 4, rng);
        let mut is_feasible = false;
        rules.enumerate(&mut |_| is_feasible = true);
        let nothing = cost::from_symmetric_fn(rules.players, |_, _| 0_i32);
        let Some(instance) = rules.complete(Instance::pairwise(&nothing, rules.groups()).expect("sizes add up")) else {
            assert!(!is_feasible, "{rules:?}");
            continue;
        };
        match Search::auto(&instance).work(1).seed(seed).run() {
            Ok(found) => {
                rules.check(&found);
                fitting += 1;
            }
            Err(Error::PartiesDoNotFit { parties, .. }) => {
                assert!(!is_feasible, "{rules:?}");
                // Single players always fit, so that there is somebody to name.
                assert!(!parties.is_empty() && parties.iter().all(|party| party.len() > 1));
                failing += 1;
            }
            Err(error) => panic!("{error} of {rules:?}"),
        }
    }
    assert!(fitting > 1_000 && failing > 100, "{fitting} fit, {failing} do not");
}

fn try_to_pack(players: usize, groups: Groups, sizes: &[usize]) -> Result<(), Error> {
    let nothing = cost::from_symmetric_fn(players, |_, _| 0_i32);
    let mut next = 0;
    let parties: Vec<Vec<usize>> = sizes
        .iter()
        .map(|size| {
            next += size;
            (next - size..next).collect()
        })
        .collect();
    let instance = Instance::pairwise(&nothing, groups)
        .expect("sizes add up")
        .parties(parties)
        .expect("parties");
    Search::auto(&instance).work(1).run().map(|_| ())
}

#[test]
fn three_parties_of_two_do_not_fit_into_two_groups_of_three() {
    let found = try_to_pack(6, Groups::of_size(6, 3).expect("sizes"), &[2, 2, 2]);
    let parties = vec![vec![0, 1], vec![2, 3], vec![4, 5]];
    let pinned = Vec::new();
    assert_eq!(found, Err(Error::PartiesDoNotFit { parties, pinned }));
}

#[test]
fn pins_that_are_in_the_way_of_parties_are_named() -> Result<(), Error> {
    // Without the pins each pair has a group with one of the others.
    let nothing = cost::from_symmetric_fn(6, |_, _| 0_i32);
    let pairs = Instance::pairwise(&nothing, Groups::of_size(6, 3)?)?.parties([vec![0, 1], vec![2, 3]])?;
    Search::auto(&pairs).work(1).run()?;
    let error = Search::auto(&pairs.pins([(5, 0), (4, 0)])?).work(1).run();
    let error = error.expect_err("one seat is left beside them");
    assert_eq!(
        error,
        Error::PartiesDoNotFit {
            parties: vec![vec![0, 1], vec![2, 3]],
            pinned: vec![4, 5]
        }
    );
    assert!(
        error
            .to_string()
            .ends_with("[0, 1] [2, 3], while players [4, 5] are pinned")
    );
    Ok(())
}

#[test]
fn a_party_that_no_group_can_hold_waits_if_the_bench_can() {
    let gap = cost::from_symmetric_fn(10, |i, j| -((i * j) as i64));
    let groups = || Groups::of_size(6, 3).expect("sizes").with_bench(4);
    let party = vec![vec![0, 3, 6, 9]];
    let by_pairs = Instance::pairwise(&gap, groups()).expect("sizes add up");
    let sum = Pairwise(&gap);
    let by_group = Instance::by_group(&sum, groups()).expect("sizes add up");
    for instance in [by_pairs, by_group] {
        let instance = instance.parties(party.clone()).expect("the bench holds it");
        for engine in ENGINES {
            let found = Search::with(&instance, engine).work(20_000).run().expect("groups");
            assert_eq!((found.bench(), found.cost()), (&[0, 3, 6, 9][..], -145), "{engine:?}");
        }
    }
    let error = Instance::pairwise(&gap, groups().with_bench(3)).expect_err("nine seats");
    assert!(matches!(error, Error::SizesDoNotAddUp { .. }));
    let more = Groups::of_size(9, 3).expect("sizes").with_bench(3);
    let error = Instance::pairwise(&gap, more).expect("sizes add up").parties(party);
    let expected = Error::PartyTooLarge {
        party: vec![0, 3, 6, 9],
        most: 3,
    };
    assert_eq!(error.expect_err("nobody holds four"), expected);
}

#[test]
fn even_parties_never_make_odd_groups_however_many_there_are() {
    // Sums of even sizes that are odd: nothing to find among very many sums.
    let sizes: Vec<usize> = (1..=19).map(|half| 2 * half).collect();
    let players: usize = sizes.iter().sum();
    let odd = Groups::with_bounds([189..=189, players - 189..=players - 189]).expect("bounds");
    let found = try_to_pack(players, odd, &sizes);
    assert!(matches!(found, Err(Error::PartiesDoNotFit { .. })), "{found:?}");
}

#[test]
fn hard_mixes_end_in_an_answer_or_in_a_limit() {
    // Three parties to a bin, each a bit off a third: the classical hard case of packing.
    let sizes: Vec<usize> = (0..60).map(|at| 20 + (at * 7) % 13).collect();
    let players: usize = sizes.iter().sum();
    let bounds = |spare: usize| {
        let size = players / 20;
        let rest = players - 19 * (size + spare);
        Groups::with_bounds((0..20).map(|group| {
            if group == 0 {
                rest..=rest
            } else {
                size + spare..=size + spare
            }
        }))
        .expect("bounds")
    };
    for spare in [0, 1, 2] {
        let found = try_to_pack(players, bounds(spare), &sizes);
        assert!(
            matches!(
                found,
                Ok(()) | Err(Error::PartiesDoNotFit { .. } | Error::PackingUnknown { .. })
            ),
            "{found:?}"
        );
    }
}
