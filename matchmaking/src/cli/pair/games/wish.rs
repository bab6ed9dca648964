//! What the command line says about several games, and what does not go with them.

use matchmaking::GamesWanted;

use crate::cli::args::{EngineArg, ObjectiveArg, PairArgs};
use crate::cli::failure::Failure;

/// How many games everybody should have.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli::pair) struct Wish {
    pub(super) everybody: GamesWanted,
}

impl Wish {
    /// The wish, if there is one.
    pub(in crate::cli::pair) fn read(args: &PairArgs) -> Result<Option<Self>, Failure> {
        let usage = |option, problem: String| Err(Failure::Usage { option, problem });
        let Some(everybody) = args.games else {
            if args.missing_cost.is_some() {
                let problem = "only with --games; for a bye of an odd pool there is --bye-cost".to_owned();
                return usage("--missing-cost", problem);
            }
            if args.rounds {
                return usage("--rounds", "only with --games; one game each is one round".to_owned());
            }
            return Ok(None);
        };
        let most = everybody.most();
        match args.objective {
            ObjectiveArg::MinPerfect | ObjectiveArg::MaxPerfect => {}
            ObjectiveArg::MaxWeight => {
                let problem = format!(
                    "max-weight is about one partner each; with --games write --objective max-perfect --games 0..{most}"
                );
                return usage("--objective", problem);
            }
            ObjectiveArg::MaxCardinality => {
                let problem = format!(
                    "max-cardinality is about one partner each; with --games write --objective max-perfect --games 0..{most}, and a \
                     --missing-cost above all weights"
                );
                return usage("--objective", problem);
            }
        }
        if args.bye_cost.is_some() {
            let problem = "only for one game each; with --games say what a missing game costs by --missing-cost";
            return usage("--bye-cost", problem.to_owned());
        }
        if args.engine == EngineArg::Dense {
            let problem = "the dense engine finds one partner each; with --games write auto or sparse".to_owned();
            return usage("--engine", problem);
        }
        Ok(Some(Self { everybody }))
    }
}
