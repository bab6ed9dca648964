//! Xu's figure 5: one queue or two, and who goes first.

use markov::Error;
use markov::models::xu::{Battle, Lobby, Moments, Order, Rule, Together};

use super::{Axis, Curve, Look, Panel, Picture, curve, steps};

/// Arrival rates of players who come alone and of teams of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    pub(super) one: f64,
    pub(super) two: f64,
}

impl Mix {
    /// The mix with this share of players who come alone, and one player a unit of time.
    pub(super) fn of_share(one: f64) -> Self {
        let two = (1.0 - one) / 2.0;
        Self { one, two }
    }

    fn total(self) -> f64 {
        self.one + 2.0 * self.two
    }

    /// The variance of any player's wait: a team counts twice.
    fn variance(self, alone: &Moments<f64>, team: &Moments<f64>) -> Result<f64, Error> {
        Ok(Moments::mixed([(self.one, alone), (2.0 * self.two, team)])?.variance())
    }

    /// Four players who come alone play with each other, and two teams with each other.
    pub(super) fn two_queues(self) -> Result<f64, Error> {
        let alone = Lobby::new(Together(4), vec![(1, self.one)])?.wait(1)?;
        let team = Lobby::new(Together(2), vec![(2, self.two)])?.wait(2)?;
        self.variance(&alone, &team)
    }

    /// All play with each other.
    pub(super) fn single_queue(self, rule: impl Rule) -> Result<f64, Error> {
        let lobby = Lobby::new(rule, vec![(1, self.one), (2, self.two)])?;
        self.variance(&lobby.wait(1)?, &lobby.wait(2)?)
    }

    /// Equation (7) as printed.
    pub(super) fn seven(self) -> f64 {
        let Self { one: a, two: b } = self;
        (3.0 * a * a - a * b + 11.0 * b * b) / (2.0 * self.total().powi(2) * a * b)
    }

    /// Equation (9) as printed.
    pub(super) fn nine(self) -> f64 {
        let Self { one: a, two: b } = self;
        let first = (7.0 * a * a + a * b + 4.0 * b * b) / (2.0 * a * (a + b).powi(3));
        let second = (2.0 * a * b.powi(3) + 3.0 * b.powi(4)) / (a * self.total() * (a + b).powi(4));
        first - second - self.mean().powi(2)
    }

    /// Equation (10) as printed.
    pub(super) fn ten(self) -> f64 {
        let Self { one: a, two: b } = self;
        let top = 5.0 * a.powi(3) * b + 7.0 * a * a * b * b + 10.0 * a * b.powi(3) + 2.0 * b.powi(4);
        let first = top / (2.0 * a * (a + b).powi(3) * (a * a + 2.0 * a * b + 2.0 * b * b));
        let second = (8.0 * a * a + 7.0 * a * b) / (2.0 * (a + b).powi(4));
        first + second - self.mean().powi(2)
    }

    /// The mean wait in a single queue, whoever goes first: equation (3).
    fn mean(self) -> f64 {
        1.5 / self.total()
    }
}

/// The rule of a single queue.
pub(super) fn battle(order: Order) -> Battle {
    Battle { size: 2, order }
}

pub(super) fn figure_5() -> Result<Picture, Error> {
    let shares = || steps(0.04, 0.96, 46);
    let chain = |name, colour, value: &dyn Fn(Mix) -> Result<f64, Error>| {
        curve(name, Look::Line(colour), shares(), |share| value(Mix::of_share(share)))
    };
    let printed = |name, colour, value: fn(Mix) -> f64| -> Result<Curve, Error> {
        curve(name, Look::Dashed(colour), shares(), |share| {
            Ok(value(Mix::of_share(share)))
        })
    };
    let curves = vec![
        chain("two queues", 0, &Mix::two_queues)?,
        chain("one queue, FIFO or packing", 2, &|mix| {
            mix.single_queue(battle(Order::First))
        })?,
        chain("one queue, LIFO", 1, &|mix| mix.single_queue(battle(Order::Last)))?,
        printed("two queues, (7) as printed", 0, Mix::seven)?,
        printed("FIFO or packing, (9) as printed", 2, Mix::nine)?,
        printed("LIFO, (10) as printed", 1, Mix::ten)?,
    ];
    Ok(Picture {
        file: "xu-figure-5.svg",
        title: "Xu, Yu, Wu, figure 5: variance of the waiting time, λ_total = 1".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis {
                label: "λ_1 / λ_total: share of players who come alone",
                from: 0.0,
                to: 1.0,
            },
            y: Axis {
                label: "Var[T] in (mean time between players)²",
                from: 0.0,
                to: 20.0,
            },
            curves,
        }],
    })
}
