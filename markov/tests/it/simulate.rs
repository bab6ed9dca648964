//! Simulations against closed forms that follow from the rules in a few lines.

use markov::simulate::{
    Estimate, Moments, Order, Policy, Report, Run, Sampler, exponential, k_player_queue, pool, sides, two_queues,
    two_v_two, two_zones,
};
use markov::{Csr, Ctmc, Dtmc, Error};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

type Outcome = Result<(), Error>;

#[track_caller]
pub(super) fn agree(what: &str, estimate: Estimate, expected: f64) {
    let z = estimate.z(expected);
    assert!(z.abs() < 4.5, "{what}: {estimate:?}, expected {expected}, z = {z}");
    assert!(
        estimate.error <= 0.05 * expected.abs().max(1.0),
        "{what}: {estimate:?} tells nothing"
    );
}

#[track_caller]
pub(super) fn moments_agree(what: &str, moments: Option<Moments>, mean: f64, second: f64) {
    let Some(moments) = moments else {
        panic!("{what}: nobody left")
    };
    agree(what, moments.mean, mean);
    agree(what, moments.second, second);
    agree(what, moments.variance, second - mean * mean);
}

/// The `j`-th of `k` players waits for `k - j` more, and every place is equally likely.
pub(super) fn erlang_mixture(k: usize, rate: f64) -> (f64, f64) {
    let k = k as f64;
    ((k - 1.0) / (2.0 * rate), (k * k - 1.0) / (3.0 * rate * rate))
}

#[test]
fn waits_for_k_players_are_a_mixture_of_erlang_times() -> Outcome {
    for (k, rate) in [(2, 1.0), (4, 0.5), (5, 3.0), (10, 1.0)] {
        let report = k_player_queue(k, rate, Run::new(1_000_000, 11)?)?;
        let (mean, second) = erlang_mixture(k, rate);
        moments_agree(&format!("{k} players"), report.all(), mean, second);
    }
    let alone = k_player_queue(1, 2.0, Run::new(10_000, 1)?)?.all();
    assert!(alone.is_some_and(|waits| waits.mean.value == 0.0 && waits.variance.value == 0.0));
    Ok(())
}

#[test]
fn two_queues_do_not_meet() -> Outcome {
    let (singles, teams) = (0.6, 0.2);
    let report = two_queues(singles, teams, Run::new(1_000_000, 3)?)?;
    let (single, team) = (erlang_mixture(4, singles), erlang_mixture(2, teams));
    moments_agree("singles", report.class(0), single.0, single.1);
    moments_agree("teams", report.class(1), team.0, team.1);
    // Three in five of the players came alone.
    let share = singles / (singles + 2.0 * teams);
    let mix = |a: f64, b: f64| share * a + (1.0 - share) * b;
    moments_agree("all", report.all(), mix(single.0, team.0), mix(single.1, team.1));
    assert_eq!(report.class(2), None);
    Ok(())
}

#[test]
fn every_order_of_the_central_queue_has_the_same_mean() -> Outcome {
    for (singles, teams) in [(0.2, 0.4), (0.5, 0.25), (0.8, 0.1)] {
        let run = Run::new(1_000_000, 21)?;
        let reports = [Order::Fifo, Order::Packing, Order::Lifo].map(|order| two_v_two(singles, teams, order, run));
        let [fifo, packing, lifo] = reports;
        let (fifo, packing, lifo) = (fifo?, packing?, lifo?);
        for report in [&fifo, &packing, &lifo] {
            let Some(all) = report.all() else { panic!("nobody left") };
            agree("all", all.mean, 1.5 / (singles + 2.0 * teams));
        }
        // The same players meet the same others, although the packs are kept in another way.
        assert_eq!(fifo, packing);
        let variance = |report: &Report| report.all().map(|all| all.variance.value);
        assert!(variance(&lifo) > variance(&fifo));
    }
    Ok(())
}

#[test]
fn singles_alone_or_teams_alone_are_one_queue() -> Outcome {
    for order in [Order::Fifo, Order::Packing, Order::Lifo] {
        let singles = two_v_two(2.0, 0.0, order, Run::new(500_000, 5)?)?;
        let (mean, second) = erlang_mixture(4, 2.0);
        moments_agree("singles", singles.all(), mean, second);
        assert_eq!(singles.class(1), None);
        let teams = two_v_two(0.0, 2.0, order, Run::new(500_000, 5)?)?;
        let (mean, second) = erlang_mixture(2, 2.0);
        moments_agree("teams", teams.all(), mean, second);
        assert_eq!(teams.class(0), None);
    }
    Ok(())
}

/// Whoever insists on a side and finds `i >= 0` waiting for it waits for `i + 1` opponents, and `i` is geometric.
#[test]
fn sides_are_two_queues_back_to_back() -> Outcome {
    for (a, b, free) in [(0.3, 0.3, 0.4), (0.2, 0.4, 0.4)] {
        let total = a + b + free;
        let (serve_a, serve_b): (f64, f64) = (b + free, a + free);
        let (load_a, load_b) = (a / serve_a, b / serve_b);
        let empty = 1.0 / (1.0 / (1.0 - load_a) + load_b / (1.0 - load_b) + free / total);
        let report = sides(a, b, free, Run::new(4_000_000, 8)?)?;
        let expected = |serve: f64, load: f64| {
            let mean = empty / (serve * (1.0 - load).powi(2));
            (mean, 2.0 * empty / (serve.powi(2) * (1.0 - load).powi(3)))
        };
        let (of_a, of_b) = (expected(serve_a, load_a), expected(serve_b, load_b));
        moments_agree("A", report.class(0), of_a.0, of_a.1);
        moments_agree("B", report.class(1), of_b.0, of_b.1);
        moments_agree("free", report.class(2), empty / total, 2.0 * empty / (total * total));
    }
    let run = Run::new(10_000, 0)?;
    assert_eq!(sides(1.0, 1.0, 0.0, run), Err(Error::Unstable { drift: 0.0 }));
    assert!(matches!(sides(2.0, 1.0, 1.0, run), Err(Error::Unstable { drift }) if drift == 0.0));
    assert!(matches!(sides(1.0, 4.0, 1.0, run), Err(Error::Unstable { drift }) if drift > 0.3));
    Ok(())
}

#[test]
fn the_pool_costs_what_its_games_and_waits_cost() -> Outcome {
    for (n, q, alpha) in [(1_u32, 0.5, 2.0), (2, 0.3, 1.5), (5, 0.2, 0.7)] {
        let run = Run::new(1_000_000, 31)?;
        let half_games = (n * 2) as usize;
        let patient = pool(n as usize, q, alpha, Policy::Patient, run)?;
        agree("patient", patient.cost, f64::from(n));
        assert_eq!(
            patient.imbalance_cost,
            Estimate {
                value: 0.0,
                error: 0.0,
                correlation: 0.0
            }
        );
        let greedy = pool(n as usize, q, alpha, Policy::Greedy, run)?;
        // An odd number of high players among 2n.
        let odd = 0.5 * (1.0 - (2.0 * q - 1.0_f64).powi(half_games as i32));
        agree("greedy", greedy.imbalance_cost, alpha * odd);
        agree("greedy", greedy.cost, f64::from(n) - 0.5 + alpha * odd);
        for report in [&patient, &greedy] {
            agree("games", report.games, 1.0 / half_games as f64);
            let Some(all) = report.waits.all() else {
                panic!("nobody left")
            };
            let gap = (all.mean.value - report.waiting_cost.value).abs();
            assert!(gap < 1e-3, "one player a period: mean wait = mean number, {gap}");
        }
    }
    Ok(())
}

#[test]
fn a_seed_fixes_every_bit() -> Outcome {
    let run = Run::new(50_000, 99)?;
    assert_eq!(sides(0.3, 0.3, 0.4, run), sides(0.3, 0.3, 0.4, run));
    let other = Run::new(50_000, 100)?;
    assert_ne!(sides(0.3, 0.3, 0.4, run), sides(0.3, 0.3, 0.4, other));
    assert_eq!((run.seed(), run.arrivals()), (99, 49_980));
    // A figure taken down once, so that another machine would be found out.
    let mut rng = ChaCha8Rng::seed_from_u64(99);
    let sum: f64 = (0..1000).map(|_| exponential(&mut rng)).sum();
    assert_eq!(sum.to_bits(), 4_652_270_674_064_752_061);
    Ok(())
}

#[test]
fn intervals_cover_as_often_as_they_say() -> Outcome {
    let runs = 200;
    let (mean, second) = erlang_mixture(4, 1.0);
    let variance = second - mean * mean;
    // Births and deaths whose numbers are far from independent from step to step.
    let chain = Ctmc::new(&Csr::from_rows(
        6,
        (0..6_usize).map(|state| {
            let up = (state < 5).then_some((state + 1, 0.8));
            let down = (state > 0).then(|| (state - 1, 1.0));
            up.into_iter().chain(down)
        }),
    ))?;
    let number: Vec<f64> = (0..6).map(f64::from).collect();
    let truth: f64 = chain
        .stationary()?
        .iter()
        .zip(&number)
        .map(|(share, number)| share * number)
        .sum();
    let sampler = Sampler::ctmc(&chain);
    let mut covered = [0; 3];
    for seed in 0..runs {
        let Some(waits) = k_player_queue(4, 1.0, Run::new(10_000, seed)?)?.all() else {
            panic!("nobody left")
        };
        let average = sampler.average(0, &number, Run::new(40_000, seed)?)?;
        let pairs = [(waits.mean, mean), (waits.variance, variance), (average, truth)];
        for (count, (estimate, truth)) in covered.iter_mut().zip(pairs) {
            let (low, high) = estimate.interval(0.95)?;
            *count += usize::from(low <= truth && truth <= high);
        }
    }
    for count in covered {
        assert!((176..=198).contains(&count), "{covered:?} of {runs}");
    }
    Ok(())
}

/// Two states by turns, each for its mean stay, leave nothing to chance but roundings, which batches share: the standard
/// error was some thousand times too small for them, or zero, and no interval covered the average.
#[test]
fn averages_without_chance_are_off_by_roundings() -> Outcome {
    for (up, down) in [(0.3, 0.7), (1.0, 3.0), (0.1, 0.2)] {
        for arrivals in [34_000, 3_400_000] {
            let chain = Ctmc::new(&Csr::from_rows(2, [[(1, up)], [(0, down)]]))?;
            let average = Sampler::ctmc(&chain).average(0, &[1.0, 2.5], Run::new(arrivals, 3)?)?;
            let expected = (down + 2.5 * up) / (up + down);
            let (low, high) = average.interval(0.95)?;
            assert!(low <= expected && expected <= high, "{average:?}, expected {expected}");
            assert!(average.error < 1e-10 && average.z(expected).abs() < 2.0, "{average:?}");
        }
    }
    Ok(())
}

/// States that are never met have no part in it, however long they would be kept: in units of such a stay squares of others
/// were no floats, and the standard error was that of roundings.
#[test]
fn stays_elsewhere_take_no_digits() -> Outcome {
    let walk = |elsewhere| {
        let rows = [
            vec![(1, 1.0), (2, 1.0)],
            vec![(0, 2.0)],
            vec![(0, 3.0)],
            vec![(0, elsewhere)],
        ];
        let chain = Ctmc::new(&Csr::from_rows(4, rows))?;
        Sampler::ctmc(&chain).average(0, &[1.0, 0.0, 5.0, 0.0], Run::new(34_000, 1)?)
    };
    let expected = walk(3.0)?;
    // Shares of time are as 1/2 to 1/4 to 1/6.
    assert!(
        expected.z(16.0 / 11.0).abs() < 4.5 && expected.error > 1e-3,
        "{expected:?}"
    );
    for elsewhere in [1e-10, 1e-200, 1e-307, 1e300] {
        assert_eq!(walk(elsewhere)?, expected, "{elsewhere}");
    }
    // One that is met in the end outweighs all that was before.
    let rows = [vec![(1, 1.0)], vec![(0, 1.0), (2, 1e-3)], vec![(0, 1e-290)]];
    let chain = Ctmc::new(&Csr::from_rows(3, rows))?;
    let late = Sampler::ctmc(&chain).average(0, &[1.0, 1.0, 2.0], Run::new(340_000, 1)?)?;
    assert!(late.z(2.0).abs() < 4.5 && (late.value - 2.0).abs() < 1e-12, "{late:?}");
    Ok(())
}

/// Another unit of time changes a figure and its error alike: errors of squares were zero, or infinite.
#[test]
fn errors_of_any_size_are_found() -> Outcome {
    let run = Run::new(34_000, 5)?;
    let at = |rate: f64| -> Result<Moments, Error> { Ok(k_player_queue(3, rate, run)?.all().expect("players left")) };
    let once = at(1.0)?;
    for rate in [1e-99, 1e-60, 1e60, 1e99] {
        let scaled = at(rate)?;
        for (found, expected, power) in [
            (scaled.mean, once.mean, 1),
            (scaled.second, once.second, 2),
            (scaled.variance, once.variance, 2),
        ] {
            let unit = rate.recip().powi(power);
            let is_near = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-9;
            assert!(is_near(found.value / unit, expected.value), "{rate}: {found:?}");
            assert!(is_near(found.error / unit, expected.error), "{rate}: {found:?}");
            assert!(
                (found.correlation - expected.correlation).abs() < 1e-9,
                "{rate}: {found:?}"
            );
        }
    }
    let dear = pool(1, 0.5, 1e250, Policy::Greedy, run)?.cost;
    let cheap = pool(1, 0.5, 1.0, Policy::Greedy, run)?.imbalance_cost;
    assert!(
        (dear.error / 1e250 / cheap.error - 1.0).abs() < 1e-9,
        "{dear:?} {cheap:?}"
    );
    Ok(())
}

#[test]
fn paths_follow_the_chain() -> Outcome {
    let coin = Dtmc::new(&Csr::from_rows(
        2,
        [vec![(0, 0.75), (1, 0.25)], vec![(0, 0.5), (1, 0.5)]],
    ))?;
    let sampler = Sampler::dtmc(&coin);
    agree(
        "in state 1",
        sampler.average(0, &[0.0, 1.0], Run::new(1_000_000, 2)?)?,
        1.0 / 3.0,
    );
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    assert_eq!(
        sampler
            .path(0, &mut rng)?
            .take(100)
            .map(|visit| visit.time)
            .sum::<f64>(),
        100.0
    );

    let trap = Ctmc::new(&Csr::from_rows(3, [vec![(1, 1.0), (2, 3.0)], vec![(0, 2.0)], vec![]]))?;
    let sampler = Sampler::ctmc(&trap);
    let mut times = 0.0;
    for _ in 0..100_000 {
        let path: Vec<_> = sampler.path(0, &mut rng)?.collect();
        let Some((last, before)) = path.split_last() else {
            panic!("paths begin somewhere")
        };
        assert_eq!((last.state, last.time), (2, f64::INFINITY));
        assert!(before.windows(2).all(|pair| pair[0].state != pair[1].state));
        times += before.iter().map(|visit| visit.time).sum::<f64>();
    }
    // Absorption takes 1/4 + (1/2 + itself) / 4, that is 1/2; its variance is below one.
    assert!((times / 1e5 - 0.5).abs() < 4.5 / 1e5_f64.sqrt());
    assert_eq!(sampler.average(0, &[0.0, 0.0, 7.0], Run::new(10_000, 1)?)?.value, 7.0);
    assert!(sampler.path(3, &mut rng).is_err());
    let huge = Ctmc::new(&Csr::from_rows(
        3,
        (0..3).map(|at| [((at + 1) % 3, 1e308), ((at + 2) % 3, 1e308)]),
    ))?;
    let overflow = Sampler::ctmc(&huge).average(0, &[1.0; 3], Run::new(10_000, 1)?);
    assert!(matches!(overflow, Err(Error::NotANumber { .. })), "{overflow:?}");
    // A mean stay that is infinite was taken for a state that is never left.
    let rare = Ctmc::new(&Csr::from_rows(2, [vec![(1, 1e-310)], vec![(0, 2e-310)]]))?;
    let rare = Sampler::ctmc(&rare).average(0, &[0.0, 1.0], Run::new(10_000, 1)?);
    assert!(matches!(rare, Err(Error::NotANumber { from: 0, .. })), "{rare:?}");
    // The squares of such stays leave the range.
    let slow = Ctmc::new(&Csr::from_rows(2, [vec![(1, 1e-300)], vec![(0, 2e-300)]]))?;
    let slow = Sampler::ctmc(&slow).average(0, &[0.0, 1.0], Run::new(10_000, 1)?)?;
    assert!(slow.error.is_finite() && slow.z(1.0 / 3.0).abs() < 4.5, "{slow:?}");
    let dear = Ctmc::new(&Csr::from_rows(2, [vec![(1, 1.0)], vec![(0, 1.0)]]))?;
    assert!(
        Sampler::ctmc(&dear)
            .average(0, &[f64::MAX; 2], Run::new(10_000, 1)?)
            .is_err()
    );
    assert!(sampler.average(0, &[1.0], Run::new(10_000, 1)?).is_err());
    Ok(())
}

#[test]
fn parameters_out_of_range_are_named() -> Outcome {
    let run = Run::new(5_000, 1)?;
    let named = |result: Result<(), Error>, expected: &str| {
        assert!(
            matches!(&result, Err(Error::Parameter { name, .. }) if *name == expected),
            "{result:?}"
        );
    };
    named(Run::new(3_399, 1).map(|_| ()), "arrivals");
    named(k_player_queue(0, 1.0, run).map(|_| ()), "k");
    for rate in [0.0, 1e-305, 1e300] {
        named(k_player_queue(2, rate, run).map(|_| ()), "total rate");
    }
    named(two_queues(1.0, f64::NAN, run).map(|_| ()), "teams");
    named(two_v_two(-1.0, 1.0, Order::Fifo, run).map(|_| ()), "singles");
    named(two_zones(1.0, 1.0, f64::INFINITY, run).map(|_| ()), "free");
    named(pool(0, 0.5, 1.0, Policy::Greedy, run).map(|_| ()), "n");
    named(pool(usize::MAX, 0.5, 1.0, Policy::Greedy, run).map(|_| ()), "n");
    named(pool(2, 1.5, 1.0, Policy::Greedy, run).map(|_| ()), "q");
    named(pool(2, 0.5, -1.0, Policy::Patient, run).map(|_| ()), "alpha");
    // What games cost was infinite, and its error no number.
    named(pool(1, 0.5, 1e307, Policy::Greedy, run).map(|_| ()), "alpha");
    Ok(())
}
