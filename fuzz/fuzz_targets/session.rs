//! A pool that changes between solves: each answer is verified, and as good as a solve from scratch.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matching_core::{Blossom, Budget, Error, Objective, Session, verify};

/// Most players.
const MOST: usize = 24;

fn cost(data: &mut Unstructured<'_>) -> Result<i64> {
    let kind: u8 = data.arbitrary()?;
    Ok(match kind % 8 {
        0..5 => i64::from(kind >> 3),
        5 => data.arbitrary::<i16>()?.into(),
        6 => *data.choose(&[i64::MIN, i64::MAX, 1 << 27, 1 << 31, -(1 << 40), 1 << 57, 1 << 62])?,
        _ => data.arbitrary()?,
    })
}

/// Costs with so many others; some pairs are forbidden.
fn row(data: &mut Unstructured<'_>, others: usize) -> Result<Vec<Option<i64>>> {
    let density: u8 = data.arbitrary()?;
    (0..others)
        .map(|_| {
            Ok(if data.arbitrary::<u8>()? <= density {
                Some(cost(data)?)
            } else {
                None
            })
        })
        .collect()
}

/// The objective of a session, kept beside it.
#[derive(Clone, Copy, PartialEq)]
enum Alone {
    Never,
    Bye,
    Penalty,
}

fn check(data: &mut Unstructured<'_>) -> Result<()> {
    let alone = *data.choose(&[Alone::Never, Alone::Bye, Alone::Penalty])?;
    let session = Session::empty().threads(1);
    let mut session = match alone {
        Alone::Never => session,
        Alone::Bye => session.byes(vec![]).expect("nobody"),
        Alone::Penalty => session.penalties(vec![]).expect("nobody"),
    };
    let mut singles: Vec<i64> = Vec::new();
    while !data.is_empty() {
        let n = session.len();
        match data.int_in_range(0..=7)? {
            0..=2 if n < MOST => {
                let (row, single) = (row(data, n)?, cost(data)?);
                match alone {
                    Alone::Never => session.add(|other| row[other]),
                    Alone::Bye => session.add_with_bye(single, |other| row[other]),
                    Alone::Penalty => session.add_with_penalty(single, |other| row[other]),
                };
                singles.push(single);
            }
            3 if n > 0 => {
                let player = data.choose_index(n)?;
                session.remove(player);
                singles.swap_remove(player);
            }
            4 if n > 1 => {
                let i = data.choose_index(n)?;
                let j = (i + 1 + data.choose_index(n - 1)?) % n;
                let cost = if data.arbitrary()? { Some(cost(data)?) } else { None };
                session.set_pair(i, j, cost);
            }
            5 if n > 0 => {
                let (player, row) = (data.choose_index(n)?, row(data, n)?);
                session.set_row(player, |other| row[other]);
            }
            6 if n > 0 => {
                let (player, single) = (data.choose_index(n)?, cost(data)?);
                match alone {
                    Alone::Never => {}
                    Alone::Bye => session.set_bye(player, single),
                    Alone::Penalty => session.set_penalty(player, single),
                }
                singles[player] = single;
            }
            _ => {
                if data.arbitrary::<u8>()? < 32 {
                    session.set_budget(Budget::new().work(data.arbitrary::<u8>()?.into()));
                    if let Ok(solution) = session.solve() {
                        solution
                            .verify(&session)
                            .unwrap_or_else(|error| panic!("{error}: {solution:?}"));
                    }
                    session.set_budget(Budget::new());
                }
                solve(&mut session, alone, &singles);
            }
        }
    }
    solve(&mut session, alone, &singles);
    Ok(())
}

fn solve(session: &mut Session, alone: Alone, singles: &[i64]) {
    let objective = match alone {
        Alone::Never => Objective::MinPerfect,
        Alone::Bye => Objective::MinBye(singles.to_vec()),
        Alone::Penalty => Objective::MinOptOut(singles.to_vec()),
    };
    let found = session.solve();
    let cold = Blossom::new().objective(objective.clone()).threads(1).solve(session);
    match (found, cold) {
        (Ok(found), Ok(cold)) => {
            found
                .verify(session)
                .unwrap_or_else(|error| panic!("{error}: {found:?}"));
            assert!(found.is_optimal() && *found.objective() == objective, "{found:?}");
            assert_eq!(found.cost(), cold.cost());
        }
        (Err(Error::NoPerfectMatching(witness)), Err(Error::NoPerfectMatching(_))) => {
            let checked = verify::infeasibility(session, &objective, &witness);
            checked.unwrap_or_else(|error| panic!("{error}: {witness:?}"));
        }
        (found, cold) => panic!("{found:?}, and from scratch {cold:?}"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes end it early.
    let _ = check(&mut Unstructured::new(bytes));
});
