//! Random chains and decision processes, their answers in floats against exact ones.

mod chain_checks;
mod chains;
mod exact;
mod process_checks;
mod processes;
mod tally;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

pub(crate) use tally::{Answer, Tally};

/// So many random cases, every kind in turn.
pub(crate) fn run(cases: usize, seed: u64) -> Tally {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut tally = Tally::default();
    let kinds = chains::KINDS.len() + processes::KINDS.len();
    for case in 0..cases {
        let kind = case % kinds;
        if let Some(&kind) = chains::KINDS.get(kind) {
            *tally.cases.entry(kind.name()).or_default() += 1;
            let rates = chains::random(kind, &mut rng);
            match case / kinds % 2 {
                0 => chain_checks::continuous(&mut tally, case, kind.name(), &rates, &mut rng),
                _ => chain_checks::discrete(&mut tally, case, kind.name(), &rates, &mut rng),
            }
        } else {
            let kind = processes::KINDS[kind - chains::KINDS.len()];
            *tally.cases.entry(kind.name()).or_default() += 1;
            let process = processes::random(kind, &mut rng);
            process_checks::check(&mut tally, case, kind.name(), &process, &mut rng);
        }
    }
    tally
}
