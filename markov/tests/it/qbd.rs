//! Infinite chains against formulas of queueing theory.

use markov::{Csr, Error, Qbd, QbdBlocks, QbdSolution};

type Outcome = Result<(), Error>;

fn matrix(rows: usize, width: usize, entries: &[(usize, usize, f64)]) -> Csr<f64> {
    Csr::from_rows(
        width,
        (0..rows).map(|row| {
            let of_row = entries.iter().filter(move |entry| entry.0 == row);
            of_row.map(|&(_, column, value)| (column, value)).collect::<Vec<_>>()
        }),
    )
}

#[track_caller]
fn close(what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs().max(1e-300);
    assert!(error < 1e-12, "{what}: {found}, expected {expected}, off by {error:e}");
}

#[track_caller]
fn is_sound(solution: &QbdSolution) {
    assert!(solution.residual() < 1e-14, "{}", solution.residual());
    assert!(solution.estimated_error() < 1e-9, "{}", solution.estimated_error());
    close("all levels", solution.tail(0), 1.0);
}

/// Servers, each with rate one, and a repeating part from the level at which all are busy.
fn many_servers(arrivals: f64, servers: usize) -> Result<Qbd, Error> {
    let last = servers - 1;
    let ups = (0..last).map(|level| (level, level + 1, arrivals));
    let downs = (1..servers).map(|level| (level, level - 1, level as f64));
    let boundary: Vec<_> = ups.chain(downs).collect();
    Qbd::new(QbdBlocks {
        levels: (0..servers).collect(),
        first: servers,
        boundary: matrix(servers, servers, &boundary),
        enter: matrix(servers, 1, &[(last, 0, arrivals)]),
        leave: matrix(1, servers, &[(0, last, servers as f64)]),
        up: matrix(1, 1, &[(0, 0, arrivals)]),
        local: matrix(1, 1, &[]),
        down: matrix(1, 1, &[(0, 0, servers as f64)]),
    })
}

#[test]
fn one_server() -> Outcome {
    for load in [1e-6, 0.3, 0.9, 0.999] {
        let solution = many_servers(load, 1)?.solve()?;
        close("idle", solution.boundary()[0], 1.0 - load);
        close("mean", solution.mean_level(), load / (1.0 - load));
        close("decay", solution.decay(), load);
        close("third level", solution.level(3), (1.0 - load) * load.powi(3));
        close("tail", solution.tail(7), load.powi(7));
        is_sound(&solution);
    }
    Ok(())
}

/// The formulas divide by what is left of the capacity, of which a millionth knows ten digits.
#[test]
fn next_to_no_capacity_left() -> Outcome {
    let load = 1.0 - 1e-6;
    let solution = many_servers(load, 1)?.solve()?;
    let relative = |found: f64, expected: f64| (found / expected - 1.0).abs();
    assert!(
        relative(solution.boundary()[0], 1.0 - load) < 1e-9,
        "{}",
        solution.boundary()[0]
    );
    assert!(
        relative(solution.mean_level(), load / (1.0 - load)) < 1e-9,
        "{}",
        solution.mean_level()
    );
    assert!(
        solution.estimated_error() > 1e-6,
        "nobody knows more than the residual tells"
    );
    Ok(())
}

#[test]
fn a_chain_without_a_boundary() -> Outcome {
    let chain = Qbd::new(QbdBlocks {
        levels: vec![],
        first: 0,
        boundary: matrix(0, 0, &[]),
        enter: matrix(0, 1, &[]),
        leave: matrix(1, 0, &[]),
        up: matrix(1, 1, &[(0, 0, 2.0)]),
        local: matrix(1, 1, &[(0, 0, -5.0)]),
        down: matrix(1, 1, &[(0, 0, 3.0)]),
    })?;
    let solution = chain.solve()?;
    close("empty", solution.level(0), 1.0 / 3.0);
    close("mean", solution.mean_level(), 2.0);
    is_sound(&solution);
    Ok(())
}

#[test]
fn many_servers_wait_as_erlang_found() -> Outcome {
    for (offered, servers) in [(0.5, 2), (2.4, 3), (9.5, 10)] {
        let solution = many_servers(offered, servers)?.solve()?;
        // Terms offered^k / k!, and what Erlang's formula C makes of them.
        let mut term = 1.0;
        let mut sum = 0.0;
        for k in 0..servers {
            sum += term;
            term *= offered / (k + 1) as f64;
        }
        let load = offered / servers as f64;
        let all_busy = term / (1.0 - load) / (sum + term / (1.0 - load));
        close("all busy", solution.tail(servers), all_busy);
        close("mean", solution.mean_level(), offered + all_busy * load / (1.0 - load));
        close("decay", solution.decay(), load);
        close("empty", solution.level(0), 1.0 / (sum + term / (1.0 - load)));
        is_sound(&solution);
    }
    Ok(())
}

/// One server whose service takes stages of equal exponential times.
fn staged_service(arrivals: f64, stages: usize) -> Result<Qbd, Error> {
    let rate = stages as f64;
    let last = stages - 1;
    let next: Vec<_> = (0..last).map(|stage| (stage, stage + 1, rate)).collect();
    let ups: Vec<_> = (0..stages).map(|stage| (stage, stage, arrivals)).collect();
    Qbd::new(QbdBlocks {
        levels: vec![0],
        first: 1,
        boundary: matrix(1, 1, &[]),
        enter: matrix(1, stages, &[(0, 0, arrivals)]),
        leave: matrix(stages, 1, &[(last, 0, rate)]),
        up: matrix(stages, stages, &ups),
        local: matrix(stages, stages, &next),
        down: matrix(stages, stages, &[(last, 0, rate)]),
    })
}

#[test]
fn service_in_stages_waits_as_pollaczek_and_khinchine_found() -> Outcome {
    for stages in [1, 2, 7] {
        for load in [0.2, 0.8, 0.99] {
            let solution = staged_service(load, stages)?.solve()?;
            let variation = 1.0 / stages as f64;
            close("idle", solution.boundary()[0], 1.0 - load);
            let mean = load + load * load * (1.0 + variation) / (2.0 * (1.0 - load));
            close("mean", solution.mean_level(), mean);
            is_sound(&solution);
            let ratio = solution.level(60) / solution.level(59);
            assert!((solution.decay() - ratio).abs() < 1e-6 * ratio, "{ratio}");
        }
    }
    Ok(())
}

/// Arrivals that stop and go, at rate `arrivals` while on. With the rates of the switch far above all others it is
/// M/M/1.
fn switched_arrivals(arrivals: f64, switch: f64) -> Result<Qbd, Error> {
    let turns = [(0, 1, switch), (1, 0, switch)];
    Qbd::new(QbdBlocks {
        levels: vec![0, 0],
        first: 1,
        boundary: matrix(2, 2, &turns),
        enter: matrix(2, 2, &[(0, 0, arrivals)]),
        leave: matrix(2, 2, &[(0, 0, 1.0), (1, 1, 1.0)]),
        up: matrix(2, 2, &[(0, 0, arrivals)]),
        local: matrix(2, 2, &turns),
        down: matrix(2, 2, &[(0, 0, 1.0), (1, 1, 1.0)]),
    })
}

#[test]
fn arrivals_that_stop_and_go() -> Outcome {
    let solution = switched_arrivals(1.2, 0.5)?.solve()?;
    close("idle", solution.level(0), 0.4);
    is_sound(&solution);
    // Half of the time, and so of the weight of all levels, is on.
    let on: f64 = (1..400)
        .filter_map(|level| solution.phases(level))
        .map(|phases| phases[0])
        .sum();
    close("on", on + solution.boundary()[0], 0.5);
    let mean: f64 = (1..400).map(|level| level as f64 * solution.level(level)).sum();
    close("mean", solution.mean_level(), mean);
    assert!(
        solution.decay() > 0.6,
        "bursts make for longer queues: {}",
        solution.decay()
    );
    let fast = switched_arrivals(1.2, 1e7)?.solve()?;
    assert!((fast.mean_level() - 1.5).abs() < 1e-5, "{}", fast.mean_level());
    assert_eq!(solution.rate_matrix()[1], [0.0, 0.0], "nobody arrives while off");
    assert_eq!(
        switched_arrivals(2.0, 0.5)?.solve(),
        Err(Error::Unstable { drift: 0.0 })
    );
    Ok(())
}

/// Those who wait are many, the boundary has levels of its own, and there are phases in which nobody arrives.
#[test]
fn solutions_of_busy_queues_pass_their_check() -> Outcome {
    let rate = |rate: f64| matrix(1, 1, &[(0, 0, rate)]);
    // One server, where nobody is level three and one is level five.
    let high = Qbd::new(QbdBlocks {
        levels: vec![3],
        first: 5,
        boundary: rate(0.0),
        enter: rate(0.5),
        leave: rate(1.0),
        up: rate(0.5),
        local: rate(0.0),
        down: rate(1.0),
    })?;
    close("mean", high.solve()?.mean_level(), 0.5 * 3.0 + 0.5 * 6.0);
    let mut queues = vec![high, switched_arrivals(1.2, 0.5)?, switched_arrivals(1.99, 0.5)?];
    for servers in [1, 2, 5] {
        for load in [0.3, 0.99, 0.99999] {
            queues.push(many_servers(load * servers as f64, servers)?);
        }
    }
    for queue in queues {
        let solution = queue.solve()?;
        let residual = solution.verify(&queue)?;
        assert!(residual <= solution.residual() + 1e-15, "{residual}");
    }
    Ok(())
}

/// Players who insist on a side wait for those who do not, and for the other side; folded, so that the level is the
/// number who wait and the phase the side.
fn sides(a: f64, b: f64, free: f64) -> Result<Qbd, Error> {
    Qbd::new(QbdBlocks {
        levels: vec![0, 0],
        first: 1,
        boundary: matrix(2, 2, &[(0, 1, free), (1, 0, a + b + free)]),
        enter: matrix(2, 2, &[(0, 0, a), (0, 1, b)]),
        leave: matrix(2, 2, &[(0, 0, b + free), (1, 0, a + free)]),
        up: matrix(2, 2, &[(0, 0, a), (1, 1, b)]),
        local: matrix(2, 2, &[]),
        down: matrix(2, 2, &[(0, 0, b + free), (1, 1, a + free)]),
    })
}

#[test]
fn phases_that_do_not_lead_to_each_other() -> Outcome {
    let (a, b, free) = (0.2, 0.45, 0.35);
    let solution = sides(a, b, free)?.solve()?;
    let (load_a, load_b): (f64, f64) = (a / (b + free), b / (a + free));
    let empty = 1.0 / (1.0 / (1.0 - load_a) + load_b / (1.0 - load_b) + free);
    close("empty", solution.boundary()[0], empty);
    close("one free", solution.boundary()[1], empty * free);
    let mean = empty * (load_a / (1.0 - load_a).powi(2) + load_b / (1.0 - load_b).powi(2));
    close("mean", solution.mean_level(), mean);
    close("decay", solution.decay(), load_b);
    is_sound(&solution);
    Ok(())
}

#[test]
fn chains_that_do_not_come_back() -> Outcome {
    assert_eq!(sides(0.5, 0.5, 0.0)?.solve(), Err(Error::Unstable { drift: 0.0 }));
    let drift = |a, b, free| match sides(a, b, free)?.solve() {
        Err(Error::Unstable { drift }) => Ok(drift),
        other => panic!("{other:?}"),
    };
    close("side b runs away", drift(0.2, 0.7, 0.1)?, 0.4);
    close("side a runs away", drift(0.7, 0.2, 0.1)?, 0.4);
    assert_eq!(many_servers(3.0, 3)?.solve(), Err(Error::Unstable { drift: 0.0 }));
    assert!(
        matches!(many_servers(4.0, 3)?.solve(), Err(Error::Unstable { drift }) if (drift - 1.0 / 7.0).abs() < 1e-15)
    );
    assert_eq!(staged_service(1.0, 5)?.solve(), Err(Error::Unstable { drift: 0.0 }));
    close("drift", staged_service(0.5, 2)?.drift()?, -1.0 / 3.0);
    Ok(())
}

#[test]
fn blocks_that_do_not_fit() -> Outcome {
    let good = many_servers(1.0, 2)?.blocks().clone();
    let broken = |change: fn(&mut QbdBlocks)| {
        let mut blocks = good.clone();
        change(&mut blocks);
        Qbd::new(blocks)
    };
    assert!(matches!(
        broken(|b| b.up = matrix(2, 2, &[])),
        Err(Error::LengthMismatch { what: "rows of up", .. })
    ));
    assert!(matches!(
        broken(|b| b.leave = matrix(1, 1, &[])),
        Err(Error::LengthMismatch {
            what: "columns of leave",
            expected: 2,
            found: 1
        })
    ));
    assert!(matches!(
        broken(|b| b.down = matrix(1, 1, &[(0, 0, -1.0)])),
        Err(Error::Negative { .. })
    ));
    assert!(matches!(
        broken(|b| b.up = matrix(1, 1, &[(0, 0, f64::NAN)])),
        Err(Error::NotANumber { .. })
    ));
    assert!(matches!(broken(|b| b.levels[1] = 2), Err(Error::Parameter { .. })));
    assert_eq!(broken(|b| b.local = matrix(0, 1, &[])), Err(Error::NoStates));
    // Nothing leads from the boundary into the levels but from one state, and nothing leads there.
    let apart = broken(|b| {
        b.boundary = matrix(2, 2, &[(1, 0, 1.0)]);
        b.leave = matrix(1, 2, &[(0, 1, 2.0)]);
    })?;
    let trapped = apart.solve()?;
    assert_eq!((trapped.boundary()[0], trapped.mean_level()), (1.0, 0.0));
    Ok(())
}

/// Levels as high as numbers go are one above the other, too, and far levels are not walked to one by one.
#[test]
fn levels_at_the_end_of_numbers() -> Outcome {
    let rates = |first: usize| QbdBlocks {
        levels: Vec::new(),
        first,
        boundary: matrix(0, 0, &[]),
        enter: matrix(0, 1, &[]),
        leave: matrix(1, 0, &[]),
        up: matrix(1, 1, &[(0, 0, 0.5)]),
        local: matrix(1, 1, &[]),
        down: matrix(1, 1, &[(0, 0, 1.0)]),
    };
    let highest = Qbd::new(rates(usize::MAX))?.solve()?;
    close("the first level", highest.level(usize::MAX), 0.5);
    assert_eq!(highest.phases(0), None);

    let load = 0.999_999_9_f64;
    let slow = many_servers(load, 1)?.solve()?;
    let level = 10_000_000;
    // That many steps bring their roundings with them.
    let expected = (1.0 - load) * (level as f64 * load.ln()).exp();
    assert!((slow.level(level) / expected - 1.0).abs() < 1e-6);
    assert_eq!(slow.tail(usize::MAX), 0.0);
    let two = staged_service(0.5, 2)?.solve()?;
    for level in [1, 2, 5, 6, 7, 64, 65] {
        let (here, next) = (two.tail(level), two.tail(level + 1));
        close(
            "a level is a difference of tails",
            (here - next) / here,
            two.level(level) / here,
        );
    }
    Ok(())
}

#[test]
fn rates_out_that_are_no_floats_are_refused() {
    let mut blocks = many_servers(1.0, 2).expect("a chain").blocks().clone();
    blocks.up = matrix(1, 1, &[(0, 0, f64::MAX)]);
    blocks.down = matrix(1, 1, &[(0, 0, f64::MAX)]);
    assert_eq!(Qbd::new(blocks).err(), Some(Error::NotANumber { from: 0, to: 0 }));
}

/// Times of one visit, which are one over rates, were infinite, and the mean level no number.
#[test]
fn rates_at_the_ends_of_floats() -> Outcome {
    let queue = |up, down| {
        Qbd::new(QbdBlocks {
            levels: vec![0],
            first: 1,
            boundary: matrix(1, 1, &[]),
            enter: matrix(1, 1, &[(0, 0, up)]),
            leave: matrix(1, 1, &[(0, 0, down)]),
            up: matrix(1, 1, &[(0, 0, up)]),
            local: matrix(1, 1, &[]),
            down: matrix(1, 1, &[(0, 0, down)]),
        })
    };
    let smallest = f64::from_bits(1);
    for up in [1e-310, smallest, f64::MIN_POSITIVE, 5e307] {
        let chain = queue(up, 2.0 * up)?;
        close("drift", chain.drift()?, -1.0 / 3.0);
        let solution = chain.solve()?;
        close("idle", solution.boundary()[0], 0.5);
        close("mean", solution.mean_level(), 1.0);
        is_sound(&solution);
    }
    // Phases that change 1e310 times as fast as levels: nothing is known, and that is said.
    let turns = [(0, 1, 1.0), (1, 0, 1.0)];
    let (up, down) = (1e-310, 2e-310);
    let apart = Qbd::new(QbdBlocks {
        levels: vec![0, 0],
        first: 1,
        boundary: matrix(2, 2, &turns),
        enter: matrix(2, 2, &[(0, 0, up), (1, 1, up)]),
        leave: matrix(2, 2, &[(0, 0, down), (1, 1, down)]),
        up: matrix(2, 2, &[(0, 0, up), (1, 1, up)]),
        local: matrix(2, 2, &turns),
        down: matrix(2, 2, &[(0, 0, down), (1, 1, down)]),
    })?;
    assert_eq!(apart.solve().err(), Some(Error::PrecisionLost));
    Ok(())
}

/// Two phases that the level climbs in and falls in, with no boundary.
fn climbing(
    up: &[(usize, usize, f64)],
    local: &[(usize, usize, f64)],
    down: &[(usize, usize, f64)],
) -> Result<Qbd, Error> {
    Qbd::new(QbdBlocks {
        levels: vec![],
        first: 0,
        boundary: matrix(0, 0, &[]),
        enter: matrix(0, 2, &[]),
        leave: matrix(2, 0, &[]),
        up: matrix(2, 2, up),
        local: matrix(2, 2, local),
        down: matrix(2, 2, down),
    })
}

/// A phase that climbs 1e17 levels and more before it changes has 1 in `R`, as far as floats can tell: levels had
/// probabilities of 1e22 and of -1e19, or the chain was called unstable.
#[test]
fn climbs_that_floats_cannot_tell_from_endless_ones_have_no_answer() -> Outcome {
    for (rate, change) in [(1.0, 1e-20), (3.0, 1e-20), (0.7, 1e-20), (1.0, 1e-17), (0.7, 3e-17)] {
        for down in [vec![(1, 1, 1e30)], vec![(0, 1, change / 100.0), (1, 1, 1e30)]] {
            let chain = climbing(&[(0, 0, rate)], &[(0, 1, change), (1, 0, 1.0)], &down)?;
            assert!(chain.drift()? < -0.99, "{rate} {change}");
            match chain.solve() {
                Ok(solution) => {
                    for level in [0, 1, 2, 20] {
                        let chances = [solution.level(level), solution.tail(level)];
                        assert!(
                            chances.iter().all(|chance| (0.0..=1.0 + 1e-9).contains(chance)),
                            "{chances:?}"
                        );
                    }
                }
                Err(error) => assert_eq!(error, Error::PrecisionLost),
            }
        }
    }
    let chain = climbing(&[(0, 0, 1.0)], &[(0, 1, 1e-20), (1, 0, 1.0)], &[(1, 1, 1e30)])?;
    assert_eq!(chain.solve(), Err(Error::PrecisionLost));
    Ok(())
}

/// The level only falls, but in a phase whose share of time is 1e-350.
#[test]
fn rates_that_vanish_make_no_chain_unstable() -> Outcome {
    let chain = climbing(&[], &[(0, 1, 1e-300)], &[(1, 0, 1e50), (1, 1, 1e150)])?;
    assert_eq!(chain.drift(), Err(Error::PrecisionLost));
    assert_eq!(chain.solve(), Err(Error::PrecisionLost));
    Ok(())
}

/// Full matrices of so many phases are more than machines hold; the program ended where one was asked for.
#[test]
fn phases_that_no_full_matrix_has_room_for_are_refused() {
    let m = 100_000;
    let diagonal = |rate: f64| Csr::from_rows(m, (0..m).map(|phase| [(phase, rate)]));
    let turns = Csr::from_rows(m, (0..m).map(|phase| [((phase + 1) % m, 1.0)]));
    let chain = Qbd::new(QbdBlocks {
        levels: Vec::new(),
        first: 0,
        boundary: Csr::from_rows(0, Vec::<Vec<(usize, f64)>>::new()),
        enter: Csr::from_rows(m, Vec::<Vec<(usize, f64)>>::new()),
        leave: Csr::from_rows(0, (0..m).map(|_| Vec::new())),
        up: diagonal(1.0),
        local: turns,
        down: diagonal(2.0),
    })
    .expect("a chain");
    assert!((chain.drift().expect("stable") + 1.0 / 3.0).abs() < 1e-12);
    let refused = chain.solve().expect_err("too many phases");
    assert_eq!(refused.to_string(), "more entries than the limit of 50000000");
}
