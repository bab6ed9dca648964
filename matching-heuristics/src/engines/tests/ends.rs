//! What ends a search.

use std::time::Duration;

use matching_core::CancelToken;

use super::{ENGINES, Uneven, pairs};
use crate::{Engine, Error, Groups, Instance, Search, Stop};

#[test]
fn end_soon_after_the_work_is_spent() -> Result<(), Error> {
    let cost = pairs(30, 6);
    let instance = Instance::pairwise(&cost, Groups::of_size(30, 5)?)?;
    for engine in ENGINES {
        let found = Search::with(&instance, engine).work(50_000).run()?;
        // Of annealing, too, whose schedule ends with the work, though its climb comes to an end of its own.
        assert_eq!(found.stop(), Stop::Work, "{}", engine.name());
        assert!(found.work() < 60_000, "{}: {}", engine.name(), found.work());
        assert!(found.work() > 40_000, "{}: {}", engine.name(), found.work());
    }
    Ok(())
}

#[test]
fn a_second_walk_may_help_and_threads_change_nothing() -> Result<(), Error> {
    let cost = pairs(36, 7);
    let instance = Instance::pairwise(&cost, Groups::of_size(36, 6)?)?
        .party(&[0, 1])?
        .party(&[2, 3, 4])?;
    let whole = Uneven { len: 24, seed: 9 };
    let by_group = Instance::by_group(&whole, Groups::of_size(24, 4)?)?;
    for engine in ENGINES {
        let run = || -> Result<_, Error> {
            let one = Search::with(&instance, engine).walks(3).work(200_000).seed(3).run()?;
            let other = Search::with(&by_group, engine).walks(3).work(9_000).seed(3).run()?;
            Ok((
                (one.groups().to_vec(), one.work()),
                (other.groups().to_vec(), other.work()),
            ))
        };
        assert_eq!(on_threads(1, run)?, on_threads(4, run)?, "{}", engine.name());
    }
    Ok(())
}

#[test]
fn stop_by_time_target_and_token() -> Result<(), Error> {
    let cost = pairs(60, 8);
    let instance = Instance::pairwise(&cost, Groups::of_size(60, 5)?)?;
    let token = CancelToken::new();
    token.cancel();
    for engine in [
        Engine::IteratedMaxima,
        Engine::Tabu,
        Engine::LateAcceptance,
        Engine::Tempering,
        Engine::ForcedSwaps,
    ] {
        let limit = Duration::from_millis(60);
        let found = Search::with(&instance, engine).time(limit).run()?;
        assert_eq!(found.stop(), Stop::Time, "{}", engine.name());
        let target = found.cost() * 6 / 5;
        let found = Search::with(&instance, engine).work(50_000_000).target(target).run()?;
        assert_eq!(found.stop(), Stop::Target, "{}", engine.name());
        assert!(found.cost() <= target, "{}", engine.name());
        let found = Search::with(&instance, engine)
            .work(50_000_000)
            .cancel(token.clone())
            .run()?;
        assert_eq!(found.stop(), Stop::Cancelled, "{}", engine.name());
        assert!(found.work() < 1_000_000, "{}", engine.name());
    }
    Ok(())
}

/// Runs it in a pool of its own.
#[cfg(feature = "rayon")]
fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be made").install(run)
}

/// There is one thread: the same twice.
#[cfg(not(feature = "rayon"))]
fn on_threads<R: Send>(_: usize, run: impl FnOnce() -> R + Send) -> R {
    run()
}

#[test]
fn stop_where_nothing_can_move() -> Result<(), Error> {
    let cost = pairs(5, 1);
    let one_group = Instance::pairwise(&cost, Groups::of_size(5, 5)?)?;
    let pinned = Instance::pairwise(&cost, Groups::balanced(5, 2)?)?.pins((0..5).map(|player| (player, player % 2)))?;
    for engine in ENGINES {
        let found = Search::with(&one_group, engine).work(20_000).run()?;
        assert_eq!(found.groups(), [[0, 1, 2, 3, 4]], "{}", engine.name());
        // No work was limited, and none is done.
        let found = Search::with(&one_group, engine).time(Duration::from_secs(60)).run()?;
        assert_eq!((found.stop(), found.work()), (Stop::Finished, 0), "{}", engine.name());
        let found = Search::with(&pinned, engine).work(20_000).run()?;
        assert_eq!(found.groups(), [vec![0, 2, 4], vec![1, 3]], "{}", engine.name());
    }
    Ok(())
}
