//! Graphs of points in the plane with distances as weights. All round `n` up to an even number.

use std::collections::HashSet;

use delaunator::{Point, triangulate};

use super::random::perfect_matching;
use super::{Instance, even, generator, rounded_distance, unit_square};

/// Side of the square that the points lie in, before distances are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// 1e6: hardly any ties.
    Big,
    /// `sqrt(n)`, one point per unit of area: weights of a few units, nearly all tied.
    Small,
}

impl Scale {
    fn side(self, n: usize) -> f64 {
        match self {
            Self::Big => 1e6,
            Self::Small => (n as f64).sqrt(),
        }
    }
}

/// The Delaunay triangulation of uniform points in a square, with rounded distances.
///
/// Every Delaunay triangulation of an even number of points has a perfect matching (Dillencourt, "Toughness and
/// Delaunay triangulations", 1990), so nothing is repaired; the triangulation is made before the scaling, so both
/// scales have the same graph.
///
/// # Panics
/// If the triangulation leaves a point out, which takes two points that coincide.
pub fn delaunay(n: usize, scale: Scale, seed: u64) -> Instance {
    let n = even(n);
    let points = unit_square(n, &mut generator(seed));
    let side = scale.side(n);
    let sites: Vec<Point> = points.iter().map(|&[x, y]| Point { x: 1e6 * x, y: 1e6 * y }).collect();
    let triangles = triangulate(&sites).triangles;
    let mut edges = Vec::with_capacity(3 * n);
    let mut seen = HashSet::with_capacity(3 * n);
    let mut used = vec![false; n];
    for triangle in triangles.chunks_exact(3) {
        for side_index in 0..3 {
            let (a, b) = (triangle[side_index], triangle[(side_index + 1) % 3]);
            let (u, v) = (a.min(b), a.max(b));
            used[u] = true;
            used[v] = true;
            if seen.insert((u as u32, v as u32)) {
                edges.push((u as u32, v as u32, rounded_distance(points[u], points[v], side)));
            }
        }
    }
    assert!(
        used.iter().all(|&is_used| is_used),
        "the triangulation of distinct points has them all"
    );
    Instance { vertices: n, edges }
}

/// Uniform points in a square, every two joined that are nearer than the radius at which the mean degree is 10 (away
/// from the border), and a random perfect matching; weights are rounded distances.
///
/// The planted pairs are long and dear: a good answer uses few of them.
pub fn unit_disk(n: usize, scale: Scale, seed: u64) -> Instance {
    let n = even(n);
    let mut rng = generator(seed);
    let points = unit_square(n, &mut rng);
    let side = scale.side(n);
    let radius = (10.0 / (std::f64::consts::PI * n as f64)).sqrt();
    let mut edges = Vec::with_capacity(6 * n);
    near_pairs(&points, radius, |u, v| {
        edges.push((u, v, rounded_distance(points[u as usize], points[v as usize], side)));
    });
    for (u, v) in perfect_matching(n, &mut rng) {
        let (a, b) = (points[u as usize], points[v as usize]);
        if (a[0] - b[0]).hypot(a[1] - b[1]) > radius {
            edges.push((u, v, rounded_distance(a, b, side)));
        }
    }
    Instance { vertices: n, edges }
}

/// Calls `visit` with every pair `u < v` of points at distance at most `radius`, found through square cells of that
/// size, in increasing order of `u`.
fn near_pairs(points: &[[f64; 2]], radius: f64, mut visit: impl FnMut(u32, u32)) {
    let cells = ((1.0 / radius) as usize).max(1);
    let cell_of = |x: f64| ((x * cells as f64) as usize).min(cells - 1);
    let mut content: Vec<Vec<u32>> = vec![Vec::new(); cells * cells];
    for (id, &[x, y]) in points.iter().enumerate() {
        content[cell_of(y) * cells + cell_of(x)].push(id as u32);
    }
    for (u, &[x, y]) in points.iter().enumerate() {
        let (column, row) = (cell_of(x), cell_of(y));
        for near_row in row.saturating_sub(1)..=(row + 1).min(cells - 1) {
            for near_column in column.saturating_sub(1)..=(column + 1).min(cells - 1) {
                for &v in &content[near_row * cells + near_column] {
                    let [other_x, other_y] = points[v as usize];
                    if v as usize > u && (x - other_x).hypot(y - other_y) <= radius {
                        visit(u as u32, v);
                    }
                }
            }
        }
    }
}
