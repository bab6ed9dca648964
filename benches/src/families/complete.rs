//! Complete graphs, and one that is nearly complete. All round `n` up to an even number unless they say otherwise.

use rand::Rng;
use rand_distr::{Distribution, Normal};

use super::{Instance, even, generator, rounded_distance, uniform_weight, unit_square};

/// What the EOMM weights need to know of one player.
struct Player {
    rating: f64,
    churn_after_win: f64,
    churn_after_draw: f64,
    churn_after_loss: f64,
}

impl Player {
    fn random(rng: &mut impl Rng) -> Self {
        let mut normal =
            |mean: f64, deviation: f64| Normal::new(mean, deviation).expect("a positive deviation").sample(rng);
        let rating = normal(1500.0, 300.0);
        let base = normal(-2.0, 0.7);
        let win = normal(0.5, 0.4).abs();
        let loss = normal(0.8, 0.5).abs();
        Self {
            rating,
            churn_after_win: logistic(base - win),
            churn_after_draw: logistic(base),
            churn_after_loss: logistic(base + loss),
        }
    }

    /// Expected churn risk of this player after a game against `other`.
    fn churn_against(&self, other: &Self) -> f64 {
        let difference = (self.rating - other.rating) / 400.0;
        let draw = 0.2 * (-difference * difference).exp();
        let win = (1.0 - draw) / (1.0 + 10f64.powf(-difference));
        let loss = 1.0 - draw - win;
        win * self.churn_after_win + draw * self.churn_after_draw + loss * self.churn_after_loss
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Engagement-optimised matchmaking: the weight of a pair is a million times the expected sum of both churn risks.
///
/// Rating ~ N(1500, 300), a ~ N(-2, 0.7), w ~ |N(0.5, 0.4)|, l ~ |N(0.8, 0.5)|; churn after a win, draw, loss is
/// s(a - w), s(a), s(a + l) with s the logistic function. With d the difference of ratings,
/// P(draw) = 0.2 exp(-(d / 400)^2) and P(win) = (1 - P(draw)) / (1 + 10^(-d / 400)).
///
/// The costs come close to a product of one number per player, a classic hard case of blossom codes.
pub fn eomm(n: usize, seed: u64) -> Instance {
    let mut rng = generator(seed);
    let players: Vec<Player> = (0..even(n)).map(|_| Player::random(&mut rng)).collect();
    complete(players.len(), |i, j| {
        let (one, other) = (&players[i], &players[j]);
        (1e6 * (one.churn_against(other) + other.churn_against(one))).round() as i32
    })
}

/// Weights uniform in `1..=1_000_000`.
pub fn uniform(n: usize, seed: u64) -> Instance {
    let mut rng = generator(seed);
    complete(even(n), |_, _| uniform_weight(&mut rng))
}

/// Rounded distances of uniform points in a square of side 1e6.
pub fn euclidean(n: usize, seed: u64) -> Instance {
    let points = unit_square(even(n), &mut generator(seed));
    complete(points.len(), |i, j| rounded_distance(points[i], points[j], 1e6))
}

/// A complete graph of `4 k` vertices with `2 k` pendant vertices, one on every second of them: `6 k` vertices.
///
/// `n` is rounded to the nearest multiple of 6. The pendant pairs are forced, and a solver that looks at cheap edges
/// only finds that out late. Weights as in [`uniform`]; pendants are vertices `4 k ..`.
pub fn pendants(n: usize, seed: u64) -> Instance {
    let k = ((n + 3) / 6).max(1);
    let mut rng = generator(seed);
    let mut instance = complete(4 * k, |_, _| uniform_weight(&mut rng));
    for pendant in 0..2 * k {
        instance
            .edges
            .push((2 * pendant as u32, (4 * k + pendant) as u32, uniform_weight(&mut rng)));
    }
    instance.vertices = 6 * k;
    instance
}

fn complete(n: usize, mut weight: impl FnMut(usize, usize) -> i32) -> Instance {
    let mut edges = Vec::with_capacity(n * (n - 1) / 2);
    for i in 0..n {
        for j in i + 1..n {
            edges.push((i as u32, j as u32, weight(i, j)));
        }
    }
    Instance { vertices: n, edges }
}
