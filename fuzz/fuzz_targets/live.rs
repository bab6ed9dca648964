//! Players who arrive, leave and are served one by one under every policy: nobody is lost, and nobody plays twice.
#![no_main]

use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matchmaking::online::{Matchmaker, Policy, PolicyKind, Ranges, Setting};

/// Most wakes after everybody has come.
const MOST_WAKES: usize = 10_000;

fn float(data: &mut Unstructured<'_>) -> Result<f64> {
    let kind: u8 = data.arbitrary()?;
    Ok(match kind % 8 {
        0..4 => f64::from(kind >> 2) / 8.0,
        4 => data.arbitrary::<u16>()?.into(),
        5 => *data.choose(&[
            0.0,
            1.0,
            1e-9,
            1e9,
            1e300,
            5e-324,
            f64::MAX,
            f64::NAN,
            f64::INFINITY,
            -1.0,
        ])?,
        6 => f64::from(data.arbitrary::<u16>()?) / 65_535.0,
        _ => data.arbitrary()?,
    })
}

fn kind(data: &mut Unstructured<'_>) -> Result<PolicyKind> {
    let count = usize::from(data.arbitrary::<u8>()?);
    Ok(match data.int_in_range(0..=9)? {
        0 => PolicyKind::Greedy,
        1 => PolicyKind::Periodic(Some(count)),
        2 => PolicyKind::Periodic(None),
        3 => PolicyKind::MultiQueue(Some(count)),
        4 => PolicyKind::MultiQueue(None),
        5 => PolicyKind::DifferenceWait(float(data)?),
        6 => PolicyKind::Threshold {
            base: float(data)?,
            growth: float(data)?,
        },
        7 => PolicyKind::Ticks(float(data)?),
        8 => PolicyKind::Slack,
        _ => match Ranges::new(&[count, usize::from(data.arbitrary::<u8>()?)]) {
            Ok(ranges) => PolicyKind::MultiQueueRanges(ranges),
            // A criterion has a range at least.
            Err(_) => PolicyKind::MultiQueue(None),
        },
    })
}

fn check(data: &mut Unstructured<'_>) -> Result<()> {
    let (players, criteria) = (data.int_in_range(1..=4)?, data.int_in_range(0..=2)?);
    let kind = kind(data)?;
    let Ok(setting) = Setting::new(players, float(data)?, criteria) else {
        return Ok(());
    };
    let Ok(policy) = kind.build(&setting) else {
        return Ok(());
    };
    let mut matchmaker = Matchmaker::new(setting, policy).expect("built for it");
    // Of each player, how often it plays or has left.
    let mut served: Vec<u32> = Vec::new();
    let mut now = 0.0;
    while !data.is_empty() {
        let time = if data.arbitrary::<u8>()? < 200 {
            now + float(data)?.abs()
        } else {
            float(data)?
        };
        match data.int_in_range(0..=9)? {
            0 => {
                if matchmaker.advance(time).is_ok() {
                    now = time;
                }
            }
            1 => {
                let player: u8 = data.arbitrary()?;
                if let Ok(has_waited) = matchmaker.leave(time, player.into()) {
                    served[usize::from(player)] += u32::from(has_waited);
                    now = time;
                }
            }
            _ => {
                let place = (0..criteria).map(|_| float(data)).collect::<Result<Vec<f64>>>()?;
                if let Ok(player) = matchmaker.arrive(time, &place) {
                    assert_eq!(player as usize, served.len());
                    served.push(0);
                    now = time;
                }
            }
        }
        take(&mut matchmaker, &mut served, players);
    }
    for wake in 0.. {
        let Some(due) = matchmaker.next_wake() else { break };
        assert!(
            wake < MOST_WAKES && due.is_finite(),
            "{due}, of {} players",
            served.len()
        );
        matchmaker.advance(due).expect("not before now");
        take(&mut matchmaker, &mut served, players);
    }
    assert!(served.iter().all(|&times| times == 1), "{served:?}");
    Ok(())
}

fn take<P: Policy>(matchmaker: &mut Matchmaker<P>, served: &mut [u32], players: usize) {
    for game in matchmaker.take_games().iter() {
        assert!((1..=players).contains(&game.players.len()), "{game:?}");
        for &player in game.players {
            served[player as usize] += 1;
            assert_eq!(served[player as usize], 1, "player {player}");
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes end it early.
    let _ = check(&mut Unstructured::new(bytes));
});
