//! Lumping against symmetries that are known, and against the definition.

use std::collections::HashMap;

use markov::{Csr, Ctmc, Dtmc, Error, Limits, Rational, Scalar, explore, labels_of};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

type Outcome = Result<(), Error>;

/// Queues side by side, each with room for some and rates of its own class; states are lists of lengths.
fn queues<T: Scalar>(count: usize, room: u8) -> Result<(Ctmc<T>, Vec<Vec<u8>>), Error> {
    let chain = explore(
        vec![0_u8; count],
        |lengths| {
            let mut steps = Vec::new();
            for at in 0..lengths.len() {
                let mut next = lengths.clone();
                if lengths[at] < room {
                    next[at] += 1;
                    steps.push((next.clone(), T::ratio(7, 10)));
                }
                if lengths[at] > 0 {
                    next[at] = lengths[at] - 1;
                    steps.push((next, T::ratio(11, 10)));
                }
            }
            steps
        },
        Limits::default(),
    )?;
    Ok((Ctmc::new(&chain.steps)?, chain.states.names().to_vec()))
}

/// Blocks must be the multisets of lengths, if lengths' multisets of some kind are told apart.
fn lump_queues<T: Scalar>(count: usize, multisets: usize) -> Outcome {
    let (chain, names) = queues::<T>(count, 3)?;
    assert_eq!(chain.len(), 4_usize.pow(count as u32));
    let totals: Vec<usize> = names
        .iter()
        .map(|lengths| lengths.iter().map(|&length| usize::from(length)).sum())
        .collect();
    let lumped = chain.lump(&totals)?;
    assert_eq!(lumped.blocks().len(), multisets);
    assert_eq!(lumped.chain().len(), multisets);
    for block in lumped.blocks() {
        let sorted = |state: &usize| {
            let mut lengths = names[*state].clone();
            lengths.sort_unstable();
            lengths
        };
        assert!(block.iter().all(|state| sorted(state) == sorted(&block[0])));
    }
    let sums = lumped.sums(&chain.stationary()?)?;
    for (sum, share) in sums.iter().zip(lumped.chain().stationary()?) {
        let gap = (sum.to_float() - share.to_float()).abs();
        assert!(if T::EXACT { *sum == share } else { gap < 1e-14 }, "{sum:?} {share:?}");
    }
    assert!(
        lumped.defect() <= if T::EXACT { 0.0 } else { 1e-14 },
        "{}",
        lumped.defect()
    );
    Ok(())
}

#[test]
fn queues_side_by_side_in_floats() -> Outcome {
    lump_queues::<f64>(5, 56) // 8 choose 5
}

#[test]
fn queues_side_by_side_in_fractions() -> Outcome {
    lump_queues::<Rational>(3, 20) // 6 choose 3
}

/// A chain, and the numbers of high and low players in its states.
type Pool<T> = (Dtmc<T>, Vec<(usize, usize)>);

/// The pool of high and low players under the policy that waits for even games, after each arrival and decision.
fn patient<T: Scalar>(n: usize, high: &T) -> Result<Pool<T>, Error> {
    let decide = move |(u, v): (usize, usize)| match u + v {
        size if size == 2 * n && u % 2 == 0 => (0, 0),
        size if size > 2 * n => (u % 2, v % 2),
        _ => (u, v),
    };
    let chain = explore(
        (0, 0),
        |&(u, v)| {
            [
                (decide((u + 1, v)), high.clone()),
                (decide((u, v + 1)), T::one() - high.clone()),
            ]
        },
        Limits::default(),
    )?;
    Ok((Dtmc::new(&chain.steps)?, chain.states.names().to_vec()))
}

/// Sizes alone are no chain, since games at an even number need even parts; sizes and parities are.
fn lump_patient<T: Scalar>(high: &T) -> Outcome {
    let n = 5;
    let (chain, names) = patient(n, high)?;
    let sizes: Vec<usize> = names.iter().map(|(u, v)| u + v).collect();
    let lumped = chain.lump(&sizes)?;
    for block in lumped.blocks() {
        let kind = |state: &usize| (sizes[*state], names[*state].0 % 2);
        assert!(block.iter().all(|state| kind(state) == kind(&block[0])));
    }
    // Two parities for each size from 1 to 2n - 1, one for none and one for 2n.
    assert_eq!(lumped.blocks().len(), 2 * (2 * n - 1) + 2);
    let shares = chain.stationary()?;
    let small = lumped.chain().stationary()?;
    for (sum, share) in lumped.sums(&shares)?.iter().zip(&small) {
        assert!((sum.to_float() - share.to_float()).abs() < 1e-14);
        assert!(!T::EXACT || sum == share);
    }
    // A pool of 0 or of 2n is half as likely as any other one.
    let mut by_size = vec![0.0; 2 * n + 1];
    for (block, share) in lumped.blocks().iter().zip(&small) {
        by_size[sizes[block[0]]] += share.to_float();
    }
    for (size, share) in by_size.into_iter().enumerate() {
        let expected = if size % (2 * n) == 0 { 0.25 } else { 0.5 } / n as f64;
        assert!((share - expected).abs() < 1e-14, "{size}: {share}");
    }
    Ok(())
}

#[test]
fn pools_by_size_and_parity() -> Outcome {
    lump_patient(&0.37)?;
    lump_patient(&Rational::ratio(37, 100))
}

/// At even odds the last player makes either parity as likely as the other, so that sizes alone are a chain.
#[test]
fn even_odds_leave_sizes_alone() -> Outcome {
    let (chain, names) = patient(3, &Rational::ratio(1, 2))?;
    let sizes: Vec<usize> = names.iter().map(|(u, v)| u + v).collect();
    let lumped = chain.lump(&sizes)?;
    assert_eq!(lumped.blocks().len(), 7, "{:?}", lumped.blocks());
    Ok(())
}

/// The definition, applied over and over: split by the rates into every block until nothing changes.
fn by_definition(rates: &Csr<f64>, labels: &[usize]) -> Vec<usize> {
    let mut block = labels.to_vec();
    loop {
        let mut numbers = HashMap::new();
        let signatures = (0..block.len()).map(|state| {
            let mut into = HashMap::new();
            for (to, rate) in rates.row(state).filter(|&(to, _)| block[to] != block[state]) {
                *into.entry(block[to]).or_insert(0) += *rate as i64;
            }
            let mut into: Vec<(usize, i64)> = into.into_iter().collect();
            into.sort_unstable();
            (block[state], into)
        });
        let next: Vec<usize> = signatures
            .map(|signature| {
                let count = numbers.len();
                *numbers.entry(signature).or_insert(count)
            })
            .collect();
        let same = |blocks: &[usize]| blocks.iter().max().copied();
        if same(&next) == same(&block) && next == block {
            return next;
        }
        block = next;
    }
}

#[test]
fn random_chains_lump_as_the_definition_says() -> Outcome {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    let mut lumped_some = 0;
    for _ in 0..400 {
        // Few rates and few targets, copied from a smaller chain, make for coincidences.
        let small = rng.random_range(1..5_usize);
        let copies = rng.random_range(1..5_usize);
        let n = small * copies;
        let pattern: Vec<Vec<u8>> = (0..small)
            .map(|_| (0..small).map(|_| rng.random_range(0..3)).collect())
            .collect();
        let rows: Vec<Vec<(usize, f64)>> = (0..n)
            .map(|state| {
                let mut row = Vec::new();
                for (target, &rate) in pattern[state % small].iter().enumerate() {
                    for _ in 0..rate {
                        row.push((target + small * rng.random_range(0..copies), 1.0));
                    }
                }
                if rng.random_ratio(1, 40) {
                    row.push((rng.random_range(0..n), 1.0));
                }
                row
            })
            .collect();
        let chain = Ctmc::new(&Csr::from_rows(n, rows))?;
        let labels: Vec<usize> = (0..n).map(|state| usize::from(state % small == 0)).collect();
        let lumped = chain.lump(&labels)?;
        let expected = by_definition(chain.rates(), &labels);
        for i in 0..n {
            for j in 0..n {
                let (found, expected) = (lumped.block_of()[i] == lumped.block_of()[j], expected[i] == expected[j]);
                assert_eq!(found, expected, "states {i} and {j} of {chain:?}");
            }
        }
        assert_eq!(lumped.defect(), 0.0);
        lumped_some += usize::from(lumped.blocks().len() < n && lumped.blocks().len() > 2);
    }
    assert!(lumped_some > 50, "{lumped_some}");
    Ok(())
}

#[test]
fn roundings_do_not_tell_states_apart_but_differences_do() -> Outcome {
    let chain = |third: f64| {
        let tenths = vec![(2, 0.1), (3, 0.2)];
        Ctmc::new(&Csr::from_rows(
            4,
            [tenths, vec![(2, third)], vec![(0, 1.0)], vec![(1, 1.0)]],
        ))
    };
    // 0.1 + 0.2 is not 0.3.
    let lumped = chain(0.3)?.lump(&[0, 0, 1, 1])?;
    assert_eq!(lumped.blocks(), [vec![0, 1], vec![2, 3]]);
    assert!(lumped.defect() > 0.0 && lumped.defect() < 1e-15);
    assert_eq!(chain(0.300_001)?.lump(&[0, 0, 1, 1])?.blocks().len(), 4);
    assert_eq!(labels_of(&[2.5, -1.0, 2.5, 7.0]), [1, 0, 1, 2]);
    assert!(matches!(
        chain(0.3)?.lump(&[0; 3]),
        Err(Error::LengthMismatch { what: "labels", .. })
    ));
    assert!(lumped.sums(&[1.0]).is_err());
    // Rates between blocks that overflow.
    let huge = Ctmc::new(&Csr::from_rows(
        9,
        (0..9).map(|at| (0..9).filter(move |&to| to != at).map(|to| (to, 1e308))),
    ))?;
    let overflow = huge.lump(&[0, 1, 0, 1, 0, 1, 0, 1, 0]);
    assert!(matches!(overflow, Err(Error::NotANumber { .. })), "{overflow:?}");
    Ok(())
}

/// Nothing tells the members of a block apart until the block that they lead to has fallen into many parts.
#[test]
fn every_part_of_a_block_tells_others_apart() -> Outcome {
    let (count, links) = (5, 4);
    // State 0 is where the first link leads to, at different rates; state `1 + count * link + at` leads down its own
    // line.
    let rows = (0..1 + count * links).map(|state| match state {
        0 => vec![],
        state if state <= count => vec![(0, state as f64)],
        state => vec![(state - count, 1.0)],
    });
    let chain = Ctmc::new(&Csr::from_rows(1 + count * links, rows))?;
    for is_reversed in [false, true] {
        let labels: Vec<usize> = (0..chain.len())
            .map(|state| state.div_ceil(count))
            .map(|link| if is_reversed { links - link } else { link })
            .collect();
        let lumped = chain.lump(&labels)?;
        assert_eq!(lumped.blocks().len(), chain.len(), "{:?}", lumped.blocks());
    }
    Ok(())
}

/// Rates are compared as parts of the rate out of a state: of one that is no float, all are equal parts.
#[test]
fn rates_out_that_are_no_floats_are_refused() -> Outcome {
    let rows = [vec![(2, 1e308), (3, 1e308)], vec![(2, 1.0)], vec![], vec![]];
    let chain = Ctmc::new(&Csr::from_rows(4, rows))?;
    let lumped = chain.lump(&[0, 0, 1, 2]);
    assert_eq!(lumped.err(), Some(Error::NotANumber { from: 0, to: 0 }));
    Ok(())
}
