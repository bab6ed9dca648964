//! Sets of roles against augmenting paths, and both against all ways to give roles.

use super::*;
use crate::random::draw;
use crate::roles::Casting;

/// Sets of roles against augmenting paths, and these against all ways to give roles.
#[test]
fn sets_paths_and_trying_all_agree() {
    let mut state = 5;
    let mut met = 0;
    for _ in 0..20_000 {
        let count = 1 + draw(&mut state, 3);
        let players = 1 + draw(&mut state, 5);
        let roles: Vec<Role> = (0..count)
            .map(|_| {
                let least = draw(&mut state, 3);
                let most = least + draw(&mut state, 3);
                Role::new("any", &(least..=most), &[], players).expect("in order")
            })
            .collect();
        let mut skills: Vec<Skill> = Vec::new();
        for _ in 0..players {
            let roles = draw(&mut state, 1 << count) as u16;
            let must_play = roles != 0 && draw(&mut state, 4) > 0;
            skills.push(Skill { roles, must_play });
        }
        let quotas = Quotas::new(&roles, skills.iter().map(|&skill| vec![skill])).expect("there are roles");
        let units: Vec<u16> = (0..players as u16).collect();
        let all = by_trying_all(&roles, &skills, &mut vec![0; count]);
        assert_eq!(quotas.are_met(&units), all, "{roles:?} {skills:?}");
        let casting = Casting::new(&roles, skills.clone()).complete();
        assert_eq!(casting.is_some(), all, "{roles:?} {skills:?}");
        if let Some(casting) = casting {
            met += 1;
            for (skill, role) in skills.iter().zip(&casting) {
                assert!(role.map_or(!skill.must_play, |role| skill.roles >> role & 1 == 1));
            }
            for (number, role) in roles.iter().enumerate() {
                let play = casting.iter().filter(|role| **role == Some(number)).count();
                assert!((role.least()..=role.most()).contains(&play));
            }
        }
        let more = draw(&mut state, 3);
        let joker = Skill::anything(&roles);
        let later: Vec<Skill> = skills
            .iter()
            .copied()
            .chain(core::iter::repeat_n(joker, more))
            .collect();
        let is_open = by_trying_all(&roles, &later, &mut vec![0; count]);
        assert_eq!(Casting::new(&roles, skills.clone()).leaves_open(more), is_open);
        let mut team = quotas.start();
        for &unit in &units[1..] {
            quotas.join(&mut team, usize::from(quotas.type_of[usize::from(unit)]));
        }
        assert_eq!(
            quotas.admits(&team, usize::from(quotas.type_of[0]), more as u32),
            is_open
        );
    }
    assert!(met > 2_000, "{met}");
}

fn by_trying_all(roles: &[Role], skills: &[Skill], count: &mut Vec<usize>) -> bool {
    let Some((skill, others)) = skills.split_first() else {
        return roles
            .iter()
            .zip(count)
            .all(|(role, count)| (role.least()..=role.most()).contains(count));
    };
    if !skill.must_play && by_trying_all(roles, others, count) {
        return true;
    }
    for role in 0..roles.len() {
        if skill.roles >> role & 1 == 1 {
            count[role] += 1;
            let works = by_trying_all(roles, others, count);
            count[role] -= 1;
            if works {
                return true;
            }
        }
    }
    false
}

/// Numbers were cut off at 32,767, and a larger party whose members all play one role was called impossible.
#[test]
fn numbers_are_as_large_as_there_are_players() {
    const PLAYERS: usize = 33_000;
    let plays = Skill {
        roles: 1,
        must_play: true,
    };
    let role = |least: usize| Role::new("any", &(least..), &[], PLAYERS).expect("a number");
    for (least, is_met) in [
        (1, true),
        (PLAYERS, true),
        (PLAYERS + 1, false),
        (usize::MAX - 1, false),
    ] {
        let party = core::iter::once(vec![plays; PLAYERS]);
        let quotas = Quotas::new(&[role(least)], party).expect("there are roles");
        assert_eq!(quotas.are_met(&[0]), is_met, "{least}");
        assert_eq!(quotas.admits(&quotas.start(), 0, 0), is_met, "{least}");
    }
    // One alone, with as many others to come as there are.
    let one = Quotas::new(&[role(PLAYERS)], core::iter::once(vec![plays])).expect("there are roles");
    assert!(one.admits(&one.start(), 0, PLAYERS as u32 - 1));
    assert!(!one.admits(&one.start(), 0, PLAYERS as u32 - 2));
}
