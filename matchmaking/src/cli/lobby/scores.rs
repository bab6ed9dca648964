//! The scores of a match, by the names of the command line.

use matchmaking::lobby::{Breakdown, Weights};

/// Their names, in the order in which they are listed everywhere.
pub(in crate::cli) const RULES: [&str; 7] = [
    "team-skill",
    "player-skill",
    "premade",
    "enemy-ping",
    "variation",
    "servers",
    "company",
];

/// What each counts where the command line says it of some of them.
pub(super) fn weights_of(
    [
        team_skill,
        player_skill,
        premade,
        enemy_ping,
        variation,
        servers,
        company,
    ]: [f64; 7],
) -> Weights {
    Weights {
        team_skill,
        player_skill,
        premade,
        enemy_ping,
        variation,
        servers,
        company,
    }
}

/// The rule that costs a match most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weakest {
    /// Its name.
    pub(super) rule: &'static str,
    /// How much higher the match's score would be if this one were 1.
    pub(super) loss: f64,
}

/// The first of the rules that cost most; `None` if none costs anything.
pub(super) fn weakest(breakdown: &Breakdown, weights: &Weights) -> Option<Weakest> {
    let weights = weights.all();
    let sum: f64 = weights.iter().sum();
    let mut worst: Option<Weakest> = None;
    for ((rule, score), weight) in RULES.into_iter().zip(breakdown.scores()).zip(weights) {
        let loss = weight / sum * (1.0 - score);
        if loss > worst.map_or(0.0, |worst| worst.loss) {
            worst = Some(Weakest { rule, loss });
        }
    }
    worst
}

#[cfg(test)]
mod tests {
    use matchmaking::lobby::{Breakdown, Weights};

    use super::{Weakest, weakest};

    #[test]
    fn weights_decide_which_rule_is_weakest() {
        let mut breakdown = Breakdown {
            team_skill: 1.0,
            player_skill: 0.5,
            premade: 1.0,
            enemy_ping: 1.0,
            variation: 1.0,
            servers: 0.0,
            company: 1.0,
            total: 0.8,
        };
        let weights = Weights {
            team_skill: 1.0,
            player_skill: 5.0,
            premade: 1.0,
            enemy_ping: 1.0,
            variation: 0.0,
            servers: 2.0,
            company: 0.0,
        };
        let rule = "player-skill";
        assert_eq!(weakest(&breakdown, &weights), Some(Weakest { rule, loss: 0.25 }));
        breakdown.player_skill = 1.0;
        assert_eq!(
            weakest(&breakdown, &weights).map(|weakest| weakest.rule),
            Some("servers")
        );
        breakdown.servers = 1.0;
        assert_eq!(weakest(&breakdown, &weights), None);
    }
}
