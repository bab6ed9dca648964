//! Pools of players that are hard to pair: costs of all pairs, and pairs that must not be.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// A symmetric matrix with an unused diagonal.
#[derive(Clone, Debug)]
pub(crate) struct Square<T> {
    pub(crate) n: usize,
    pub(crate) data: Vec<T>,
}

impl<T: Copy> Square<T> {
    /// Calls `entry` once for each pair, in order.
    pub(crate) fn of(n: usize, unused: T, mut entry: impl FnMut(usize, usize) -> T) -> Self {
        let mut data = vec![unused; n * n];
        for u in 0..n {
            for v in u + 1..n {
                data[u * n + v] = entry(u, v);
                data[v * n + u] = data[u * n + v];
            }
        }
        Self { n, data }
    }

    pub(crate) fn at(&self, u: usize, v: usize) -> T {
        self.data[u * self.n + v]
    }
}

/// Draws the costs of all pairs, or which of them are allowed.
pub(crate) type Draw<T> = fn(&mut ChaCha8Rng, usize) -> Square<T>;

/// Families of costs, by name.
pub(crate) const COSTS: [(&str, Draw<i64>); 24] = [
    ("product, symmetrised", |rng, n| product(rng, n, 1)),
    ("product, many ties", |rng, n| product(rng, n, 97)),
    ("one odd cluster", |rng, n| clusters(rng, n, 1)),
    ("odd clusters", |rng, n| clusters(rng, n, 9)),
    ("clusters in clusters", nested),
    ("all equal", |rng, n| {
        let all = rng.random_range(-3..=3) * 1_000;
        Square::of(n, 0, |_, _| all)
    }),
    ("two values", |rng, n| {
        let (percent, low, high) = (
            rng.random_range(1..100),
            rng.random_range(-9..9),
            rng.random_range(-9..900),
        );
        Square::of(n, 0, |_, _| if rng.random_range(0..100) < percent { low } else { high })
    }),
    ("zeros and ones", |rng, n| {
        let average = rng.random_range(1..=4);
        Square::of(n, 0, |_, _| i64::from(rng.random_range(0..n.max(8)) >= average))
    }),
    ("heavy ties", |rng, n| {
        let most = rng.random_range(1..=5);
        Square::of(n, 0, |_, _| rng.random_range(0..=most))
    }),
    ("uniform", |rng, n| {
        let most = 10i64.pow(rng.random_range(1..=9));
        Square::of(n, 0, |_, _| rng.random_range(0..most))
    }),
    ("both signs", |rng, n| {
        let most = 10i64.pow(rng.random_range(1..=9));
        Square::of(n, 0, |_, _| rng.random_range(-most..=most))
    }),
    ("points on a line", |rng, n| {
        let at = numbers(rng, n, -5_000..5_000);
        Square::of(n, 0, |u, v| (at[u] - at[v]).abs())
    }),
    ("squares of gaps", |rng, n| {
        let at = numbers(rng, n, 0..3_000);
        Square::of(n, 0, |u, v| (at[u] - at[v]).pow(2))
    }),
    ("points on a grid", |rng, n| {
        let side = rng.random_range(3..40);
        let (x, y) = (numbers(rng, n, 0..side), numbers(rng, n, 0..side));
        Square::of(n, 0, |u, v| (x[u] - x[v]).abs() + (y[u] - y[v]).abs())
    }),
    ("far is cheap", |rng, n| {
        let at = numbers(rng, n, 0..1_000);
        Square::of(n, 0, |u, v| -(at[u] - at[v]).abs())
    }),
    ("one huge row", |rng, n| {
        let (rows, huge) = (rng.random_range(1..=2), 10i64.pow(rng.random_range(4..=12)));
        let sign = if rng.random_bool(0.5) { 1 } else { -1 };
        Square::of(n, 0, |u, _| {
            rng.random_range(0..1_000) + if u < rows { sign * huge } else { 0 }
        })
    }),
    ("one huge pair", |rng, n| {
        let huge = 10i64.pow(rng.random_range(6..=17)) * if rng.random_bool(0.5) { 1 } else { -1 };
        Square::of(n, 0, |u, v| {
            if (u, v) == (0, 1) {
                huge
            } else {
                rng.random_range(0..50)
            }
        })
    }),
    ("blocks", |rng, n| {
        let (block, inside) = (rng.random_range(3..=13), rng.random_bool(0.5));
        Square::of(n, 0, |u, v| {
            rng.random_range(0..20) + if (u / block == v / block) == inside { 0 } else { 5_000 }
        })
    }),
    ("two unequal sides", |rng, n| {
        let side = n / 2 - (n / 2).min(rng.random_range(0..5));
        Square::of(n, 0, |u, v| {
            rng.random_range(0..30) + if (u < side) == (v < side) { 1_000 } else { 0 }
        })
    }),
    ("sums, nearly", |rng, n| {
        let (each, noise) = (numbers(rng, n, -900..900), rng.random_range(0..=2));
        Square::of(n, 0, |u, v| each[u] + each[v] + rng.random_range(0..=noise))
    }),
    ("powers of two", |rng, n| {
        let most = rng.random_range(4..=40);
        Square::of(n, 0, |_, _| 1 << rng.random_range(0..most))
    }),
    ("greater of two", |rng, n| {
        let each = numbers(rng, n, 0..60);
        Square::of(n, 0, |u, v| each[u].max(each[v]))
    }),
    ("lesser of two", |rng, n| {
        let each = numbers(rng, n, -60..60);
        Square::of(n, 0, |u, v| each[u].min(each[v]))
    }),
    ("chain of triangles", |rng, n| {
        Square::of(n, 0, |u, v| match (u / 3 == v / 3, v - u) {
            (true, _) => 1,
            (false, 1) => rng.random_range(1..=4),
            _ => 60 + rng.random_range(0..9),
        })
    }),
];

/// Which pairs are allowed, by name; the first allows all.
pub(crate) const ALLOWED: [(&str, Draw<bool>); 15] = [
    ("all", |_, n| Square::of(n, false, |_, _| true)),
    ("all but one", |rng, n| {
        let free = (rng.random_range(0..n.max(1)), rng.random_range(0..n.max(1)));
        Square::of(n, false, |u, v| (u, v) != free)
    }),
    ("most", |rng, n| random(rng, n, 0.97)),
    ("half", |rng, n| random(rng, n, 0.5)),
    ("a tenth", |rng, n| random(rng, n, 0.1)),
    ("a few each", |rng, n| {
        let each = rng.random_range(1.0..5.0);
        random(rng, n, each / n.max(6) as f64)
    }),
    ("none", |_, n| Square::of(n, false, |_, _| false)),
    ("parts", |rng, n| {
        let parts = rng.random_range(2..=4);
        let part = numbers(rng, n, 0..parts);
        Square::of(n, false, |u, v| part[u] == part[v])
    }),
    ("parts and a bridge", |rng, n| {
        let part = numbers(rng, n, 0..2);
        let bridges = rng.random_range(1..=2);
        Square::of(n, false, |u, v| {
            part[u] == part[v] || rng.random_range(0..n.max(2) * n) < bridges * 4
        })
    }),
    ("stars", |rng, n| {
        let hubs = rng.random_range(1..=n / 2 + 1);
        Square::of(n, false, |u, _| u < hubs)
    }),
    ("pendants", |rng, n| {
        let pendants = rng.random_range(0..=n / 2);
        let only: Vec<usize> = (0..n)
            .map(|_| rng.random_range(pendants..n.max(pendants + 1)))
            .collect();
        Square::of(n, false, |u, v| u >= pendants || only[u] == v)
    }),
    ("two sides", |rng, n| {
        let side = n / 2 - rng.random_range(0..=1).min(n / 2);
        Square::of(n, false, |u, v| u < side && v >= side)
    }),
    ("planted", |rng, n| {
        let more = rng.random_range(0.0..0.2);
        Square::of(n, false, |u, v| (u % 2 == 0 && v == u + 1) || rng.random_bool(more))
    }),
    ("neighbours in a ring", |rng, n| {
        let reach = rng.random_range(1..=3);
        Square::of(n, false, |u, v| v - u <= reach || u + n - v <= reach)
    }),
    ("one alone", |rng, n| {
        let alone = rng.random_range(0..n.max(1));
        Square::of(n, false, |u, v| u != alone && v != alone)
    }),
];

fn numbers(rng: &mut ChaCha8Rng, n: usize, range: std::ops::Range<i64>) -> Vec<i64> {
    (0..n).map(|_| rng.random_range(range.clone())).collect()
}

fn random(rng: &mut ChaCha8Rng, n: usize, probability: f64) -> Square<bool> {
    Square::of(n, false, |_, _| rng.random_bool(probability.min(1.0)))
}

/// `c + a(u) b(v) + a(v) b(u)`, rounded to multiples of `step`: win and leave chances that depend on the two players.
fn product(rng: &mut ChaCha8Rng, n: usize, step: i64) -> Square<i64> {
    let (a, b) = (numbers(rng, n, -1_000..1_000), numbers(rng, n, 0..1_000));
    let constant = rng.random_range(-1_000_000..1_000_000);
    Square::of(n, 0, |u, v| (constant + a[u] * b[v] + a[v] * b[u]) / step * step)
}

/// Points close together in groups of odd size, the groups far from each other and from the rest.
fn clusters(rng: &mut ChaCha8Rng, n: usize, most: usize) -> Square<i64> {
    let mut centre = numbers(rng, n, -1_000_000..1_000_000);
    let mut at = 0;
    for _ in 0..rng.random_range(1..=most) {
        let size = [3, 5, 7, 15, 31][rng.random_range(0..5)];
        let middle = rng.random_range(-1_000_000..1_000_000);
        let spread = rng.random_range(1..200);
        for slot in centre.iter_mut().skip(at).take(size) {
            *slot = middle + rng.random_range(0..spread);
        }
        at += size;
    }
    Square::of(n, 0, |u, v| (centre[u] - centre[v]).abs())
}

/// The cost of a pair is the size of the smallest group that holds both: groups of three groups of three.
fn nested(rng: &mut ChaCha8Rng, n: usize) -> Square<i64> {
    let (ratio, noise) = (rng.random_range(2..=20), rng.random_range(1..=3));
    Square::of(n, 0, |u, v| {
        let level = (1..7).find(|&level| u / 3usize.pow(level) == v / 3usize.pow(level));
        i64::pow(ratio, level.unwrap_or(7)) + rng.random_range(0..noise)
    })
}
