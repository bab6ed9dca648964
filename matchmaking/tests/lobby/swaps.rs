//! Exchanges that are scored from notes.

use matching_core::{GroupBound, GroupCost};
use matchmaking::lobby::{Error, LobbyCost, Round, Rules, start};
use rand::seq::{IteratorRandom, index};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::fast::rules;
use crate::support::{of_parties, sizes};

/// Players of other groups who come in the place of `leave`, whether or not that divides a party.
fn replaced(members: &[usize], leave: &[usize], join: &[usize]) -> Vec<usize> {
    let mut replaced = members.to_vec();
    leave.iter().zip(join).for_each(|(&at, &player)| replaced[at] = player);
    replaced.sort_unstable();
    replaced
}

fn bits(cost: Option<f64>) -> Option<u64> {
    cost.map(f64::to_bits)
}

/// Exchanges of one player or several, asked from notes and afresh; how many were allowed and how many not.
pub(crate) fn ask(cost: &LobbyCost, members: &[usize], exchanges: usize, rng: &mut ChaCha8Rng) -> [usize; 2] {
    let mut notes = vec![1, 2, 3];
    cost.take_notes(members, &mut notes);
    let mut seen = [0; 2];
    for exchange in 0..exchanges {
        let several = if exchange % 4 == 3 { 1 + members.len() / 3 } else { 1 };
        let leave = index::sample(rng, members.len(), several).into_vec();
        let join = (0..cost.len())
            .filter(|i| !members.contains(i))
            .choose_multiple(rng, several);
        let found = cost.group_if_exchanged(members, &notes, &leave, &join);
        let afresh = cost.group_if_allowed(&replaced(members, &leave, &join));
        assert_eq!(bits(found), bits(afresh), "{members:?} {leave:?} {join:?}");
        seen[usize::from(found.is_some())] += 1;
    }
    in_turn(cost, members, &notes, rng);
    seen
}

/// Many sets in the place of the same members, all at once and one by one.
fn in_turn(cost: &LobbyCost, members: &[usize], notes: &[i32], rng: &mut ChaCha8Rng) {
    let others: Vec<usize> = (0..cost.len()).filter(|i| !members.contains(i)).collect();
    let mut costs = vec![None];
    for several in 1..=(members.len() / 2).min(4).min(others.len()) {
        let leave = index::sample(rng, members.len(), several).into_vec();
        let sets = rng.random_range(0..200 / members.len());
        let join: Vec<usize> = (0..sets)
            .flat_map(|_| others.iter().copied().choose_multiple(rng, several))
            .collect();
        cost.groups_if_exchanged(members, notes, &leave, &join, &mut costs);
        assert_eq!(costs.len(), sets);
        for (set, &found) in join.chunks(several).zip(&costs) {
            let one = cost.group_if_exchanged(members, notes, &leave, set);
            assert_eq!(bits(found), bits(one), "{members:?} {leave:?} {set:?}");
        }
    }
}

#[test]
fn no_match_costs_less_than_its_bound() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for at in 0..24 {
        let rules = rules(at % 6, 3, &mut rng);
        let round = of_parties(&[1; 12], &mut rng);
        let cost = LobbyCost::new(&round, &rules)?;
        let GroupBound::AtLeast(bound) = cost.group_bound(&[], 6) else {
            panic!("a match of six is allowed");
        };
        assert_eq!(cost.group_bound(&[1], 4), GroupBound::Forbidden);
        for _ in 0..20 {
            let members = index::sample(&mut rng, 12, 6).into_vec();
            assert!(cost.group_if_allowed(&members).is_none_or(|cost| cost >= bound));
        }
    }
    Ok(())
}

#[test]
fn notes_say_what_asking_afresh_says() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for (team_size, rounds, exchanges) in [
        (1, 24, 60),
        (2, 48, 60),
        (3, 96, 60),
        (4, 48, 60),
        (5, 24, 60),
        (6, 6, 30),
        (7, 2, 10),
        (8, 2, 8),
    ] {
        let mut seen = [0; 2];
        for at in 0..rounds {
            let rules = rules(at % 6, team_size, &mut rng);
            let n = 2 * team_size * rng.random_range(2..=4);
            // Some rounds without parties, in which every exchange is allowed unless nobody can be the server.
            let sizes = if at % 3 == 0 {
                vec![1; n]
            } else {
                sizes(n, team_size, &mut rng)
            };
            let round = of_parties(&sizes, &mut rng);
            let cost = LobbyCost::new(&round, &rules)?;
            for group in start(&round, &rules, 3000.0, at as u64).unwrap_or_default() {
                let [forbidden, allowed] = ask(&cost, &group, exchanges, &mut rng);
                seen = [seen[0] + forbidden, seen[1] + allowed];
            }
            // Players who are no match yet may become one.
            let somebody = index::sample(&mut rng, n, 2 * team_size).into_vec();
            ask(&cost, &somebody, exchanges, &mut rng);
        }
        let has_parties = (2..=7).contains(&team_size);
        assert!(
            seen[1] > rounds && (seen[0] > rounds || !has_parties),
            "{team_size} {seen:?}"
        );
    }
    Ok(())
}

#[test]
fn what_is_no_match_has_no_notes() -> Result<(), Error> {
    let round = Round::named("nauts-60-s1")?;
    let cost = LobbyCost::new(&round, &Rules::new(3))?;
    let mut notes = vec![7];
    cost.take_notes(&[1, 2, 3], &mut notes);
    assert!(notes.is_empty(), "{notes:?}");
    Ok(())
}

/// A hundred thousand swaps of a round: whatever is made, what is kept of the matches is what a recount gives.
#[test]
fn kept_values_of_a_hundred_thousand_moves() -> Result<(), Error> {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for team_size in [3, 5] {
        let round = of_parties(&vec![1; 300], &mut rng);
        let rules = Rules::new(team_size);
        let cost = LobbyCost::new(&round, &rules)?;
        let mut groups = start(&round, &rules, 0.0, 0)?;
        let mut notes = vec![Vec::new(); groups.len()];
        groups.iter_mut().for_each(|group| group.sort_unstable());
        for (group, notes) in groups.iter().zip(&mut notes) {
            cost.take_notes(group, notes);
        }
        for _ in 0..100_000 {
            let pair = index::sample(&mut rng, groups.len(), 2).into_vec();
            let (a, b) = (pair[0], pair[1]);
            let (x, y) = (rng.random_range(0..2 * team_size), rng.random_range(0..2 * team_size));
            let (leaves, joins) = (groups[a][x], groups[b][y]);
            for (group, at, player) in [(a, x, joins), (b, y, leaves)] {
                let kept = cost.group_if_exchanged(&groups[group], &notes[group], &[at], &[player]);
                groups[group][at] = player;
                groups[group].sort_unstable();
                cost.take_notes(&groups[group], &mut notes[group]);
                assert_eq!(bits(kept), bits(cost.group_if_allowed(&groups[group])));
            }
        }
    }
    Ok(())
}
