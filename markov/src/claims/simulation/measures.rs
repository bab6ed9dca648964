//! Which simulation measures what a claim's points were computed to be.

use crate::claims::Paper;
use crate::simulate::{Order, Policy};

/// What is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Model {
    /// Wu's pool.
    Pool(Policy),
    /// So many single players per game.
    Together,
    /// One queue for singles, one for teams.
    TwoQueues,
    /// One queue for both.
    Battle(Order),
    /// Players that choose sides.
    Sides,
    /// Players that choose zones.
    Zones,
}

impl Model {
    /// A name that seeds are made of: another name is another seed.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pool(Policy::Greedy) => "greedy pool",
            Self::Pool(Policy::Patient) => "patient pool",
            Self::Together => "one queue",
            Self::TwoQueues => "two queues",
            Self::Battle(Order::Fifo) => "battle, first in first out",
            Self::Battle(Order::Packing) => "battle, packing",
            Self::Battle(Order::Lifo) => "battle, last in first out",
            Self::Sides => "sides",
            Self::Zones => "two zones",
        }
    }

    /// Its parameters; one that a point does not name is zero.
    pub(super) fn parameters(self) -> &'static [&'static str] {
        match self {
            Self::Pool(_) => &["n", "q", "alpha"],
            Self::Together => &["k", "lambda"],
            Self::TwoQueues | Self::Battle(_) => &["lambda_1", "lambda_2"],
            Self::Sides | Self::Zones => &["lambda_A", "lambda_B", "lambda_C"],
        }
    }
}

/// Whose waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// Every player, a team counting as two.
    All,
    /// The arrivals of this class.
    Class(usize),
}

/// What is read off a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Cost per period.
    Cost,
    /// Waiting cost per period.
    Waiting,
    /// Waiting cost per `2n` periods.
    WaitingOfCycle,
    /// Imbalance cost per period.
    Imbalance,
    /// Imbalance cost per `2n` periods.
    ImbalanceOfCycle,
    /// Mean wait.
    Mean(Who),
    /// Variance of the wait.
    Variance(Who),
}

/// What measures the computed values of the claim with this label, if anything does.
pub(super) fn measure(paper: Paper, label: &str) -> Option<(Model, Quantity)> {
    match paper {
        Paper::Wu => wu(label),
        Paper::Xu => xu(label),
        Paper::Schlup | Paper::Eomm => None,
    }
}

fn wu(label: &str) -> Option<(Model, Quantity)> {
    let (policy, quantity) = match label {
        "1/(4n) x 0 + 1/(2n) x (1 + 2 + ... + 2n - 1) + 1/(4n) x 2n" | "= n" => (Policy::Patient, Quantity::Waiting),
        "patient policy produces no imbalance cost" => (Policy::Patient, Quantity::Imbalance),
        "its total expected matching cost per period is n" | "the total waiting cost is independent of q: patient" => {
            (Policy::Patient, Quantity::Cost)
        }
        "1 + 2 + 3 + ... + 2n - 1 = n(2n - 1)" => (Policy::Greedy, Quantity::WaitingOfCycle),
        "2n alpha sum for k = 1 to n" | "= 2n alpha (1 - (2q-1)^(2n))/2" => {
            (Policy::Greedy, Quantity::ImbalanceOfCycle)
        }
        "1/(2n) (n(2n-1) + 2n alpha (1 - (2q-1)^(2n))/2)" | "= n - 1/2 + alpha (1 - (2q-1)^(2n))/2" => {
            (Policy::Greedy, Quantity::Cost)
        }
        "the total waiting cost is independent of q: greedy" => (Policy::Greedy, Quantity::Waiting),
        _ => return None,
    };
    Some((Model::Pool(policy), quantity))
}

fn xu(label: &str) -> Option<(Model, Quantity)> {
    let mean = Quantity::Mean(Who::All);
    let variance = Quantity::Variance(Who::All);
    let of = |class| Quantity::Mean(Who::Class(class));
    Some(match label {
        "(1)" => (Model::Together, mean),
        "(3)" | "(8) FIFO" | "lambda_1 = 0" => (Model::Battle(Order::Fifo), mean),
        "(4)" => (Model::TwoQueues, of(0)),
        "(5)" => (Model::TwoQueues, of(1)),
        "(6)" => (Model::TwoQueues, mean),
        "(7)" => (Model::TwoQueues, variance),
        "(8) packing" => (Model::Battle(Order::Packing), mean),
        "(8) LIFO" => (Model::Battle(Order::Lifo), mean),
        "(9) FIFO" => (Model::Battle(Order::Fifo), variance),
        "(9) packing" => (Model::Battle(Order::Packing), variance),
        "(10)" => (Model::Battle(Order::Lifo), variance),
        "(13)" | "(31)" => (Model::Sides, of(0)),
        "(14)" | "(32)" => (Model::Sides, of(1)),
        "(15)" | "(33)" => (Model::Sides, of(2)),
        "(16)" | "(34)" => (Model::Sides, mean),
        "(19)" | "(40)" => (Model::Zones, of(0)),
        "(20)" | "(20) by symmetry" => (Model::Zones, of(1)),
        "(21)" => (Model::Zones, of(2)),
        "(22)" => (Model::Zones, mean),
        _ => return None,
    })
}
