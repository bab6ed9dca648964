//! Seeded instance families for minimum-weight perfect matching.
//!
//! Every instance is a simple graph with an even number of vertices and at least one perfect
//! matching, integer weights in `0..2^22`, and edges in a fixed order. The same family, size and seed give the same
//! instance everywhere, up to the last bit of the platform's `exp`, `sin` and `sqrt`.
//!
//! | family | graph | weights |
//! | --- | --- | --- |
//! | `eomm` | complete | expected churn of both players, [`complete::eomm`] |
//! | `uniform` | complete | uniform in `1..=1_000_000` |
//! | `euclidean` | complete | distances of points in a square of side 1e6 |
//! | `pendants` | complete, two thirds of the vertices; every second of them carries a pendant vertex | as `uniform` |
//! | `delaunay`, `delaunay-small` | Delaunay triangulation | distances, side 1e6 or `sqrt(n)` |
//! | `unit-disk`, `unit-disk-small` | near points, mean degree 10, and a planted perfect matching | distances, as above |
//! | `random10`, `random10-small` | planted perfect matching and `4.5 n` random edges | uniform in `1..=1_000_000` or `1..=10` |
//! | `grid`, `torus` | square lattice | uniform in `1..=1_000_000` |
//! | `max-cut`, `max-cut-small` | dual of a sphere triangulation, faces blown up to triangles | 0 in faces, else uniform in `0..=1_000_000` or `0..=1` |
//! | `nested-triangles` | triangles, each around the one before | all 1 |
//! | `chain` | path | alternately 1 and 0 |

pub mod complete;
pub mod geometric;
pub mod lattice;
pub mod max_cut;
pub mod random;
pub mod structured;

use core::ops::RangeInclusive;

use matching_core::cost::DenseMatrix;
use matching_core::{Cost, EdgeList, Error};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Largest weight of the families that draw weights uniformly.
pub const MAX_WEIGHT: i32 = 1_000_000;

/// Vertices that may be asked for.
const SIZES: RangeInclusive<usize> = 4..=1 << 28;

/// A number of vertices, as command lines have it.
///
/// # Errors
/// What would be one.
pub fn size(text: &str) -> Result<usize, String> {
    let size = text.parse().ok().filter(|size| SIZES.contains(size));
    size.ok_or_else(|| {
        format!(
            "{text:?} vertices: a number between {} and {}",
            SIZES.start(),
            SIZES.end()
        )
    })
}

/// Stands in a matrix where there is no edge, and is forbidden: no family has negative weights.
const NO_EDGE: i32 = i32::MIN;

/// A weighted graph as raw edges: what a solver is given, before it has built anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Number of vertices; even.
    pub vertices: usize,
    /// Edges as two different vertices and a weight; no two edges join the same vertices.
    pub edges: Vec<(u32, u32, i32)>,
}

impl Instance {
    /// The instance as the solver's own edge list.
    ///
    /// # Errors
    /// None for the instances of this module; those of [`EdgeList::new`] for others.
    pub fn edge_list(&self) -> Result<EdgeList<i32>, Error> {
        let edges = self
            .edges
            .iter()
            .map(|&(u, v, weight)| (u as usize, v as usize, weight));
        EdgeList::new(self.vertices, edges)
    }

    /// The instance as a full matrix, with a zero diagonal; pairs without an edge are forbidden.
    ///
    /// # Errors
    /// None: a matrix of this length is square.
    ///
    /// # Panics
    /// If an edge leads out of the instance.
    pub fn matrix(&self) -> Result<DenseMatrix<i32>, Error> {
        let n = self.vertices;
        let mut entries = vec![NO_EDGE; n * n];
        for &(u, v, weight) in &self.edges {
            let (u, v) = (u as usize, v as usize);
            entries[u * n + v] = weight;
            entries[v * n + u] = weight;
        }
        entries.iter_mut().step_by(n + 1).for_each(|diagonal| *diagonal = 0);
        let mut matrix = DenseMatrix::square(n, entries)?;
        for u in 0..n {
            for v in u + 1..n {
                if matrix.pair(u, v) == NO_EDGE {
                    matrix.forbid_pair(u, v);
                }
            }
        }
        Ok(matrix)
    }
}

/// A named family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// [`complete::eomm`].
    Eomm,
    /// [`complete::uniform`].
    Uniform,
    /// [`complete::euclidean`].
    Euclidean,
    /// [`complete::pendants`].
    Pendants,
    /// [`geometric::delaunay`], [`geometric::Scale::Big`].
    Delaunay,
    /// [`geometric::delaunay`], [`geometric::Scale::Small`].
    DelaunaySmall,
    /// [`geometric::unit_disk`], [`geometric::Scale::Big`].
    UnitDisk,
    /// [`geometric::unit_disk`], [`geometric::Scale::Small`].
    UnitDiskSmall,
    /// [`random::degree_10`], weights up to [`MAX_WEIGHT`].
    Random10,
    /// [`random::degree_10`], weights up to 10.
    Random10Small,
    /// [`lattice::grid`].
    Grid,
    /// [`lattice::torus`].
    Torus,
    /// [`max_cut::dual`], weights up to [`MAX_WEIGHT`].
    MaxCut,
    /// [`max_cut::dual`], weights up to 1.
    MaxCutSmall,
    /// [`structured::nested_triangles`].
    NestedTriangles,
    /// [`structured::chain`].
    Chain,
}

impl Family {
    /// All families.
    pub const ALL: [Self; 16] = [
        Self::Eomm,
        Self::Uniform,
        Self::Euclidean,
        Self::Pendants,
        Self::Delaunay,
        Self::DelaunaySmall,
        Self::UnitDisk,
        Self::UnitDiskSmall,
        Self::Random10,
        Self::Random10Small,
        Self::Grid,
        Self::Torus,
        Self::MaxCut,
        Self::MaxCutSmall,
        Self::NestedTriangles,
        Self::Chain,
    ];

    /// Name on command lines, in file names and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Eomm => "eomm",
            Self::Uniform => "uniform",
            Self::Euclidean => "euclidean",
            Self::Pendants => "pendants",
            Self::Delaunay => "delaunay",
            Self::DelaunaySmall => "delaunay-small",
            Self::UnitDisk => "unit-disk",
            Self::UnitDiskSmall => "unit-disk-small",
            Self::Random10 => "random10",
            Self::Random10Small => "random10-small",
            Self::Grid => "grid",
            Self::Torus => "torus",
            Self::MaxCut => "max-cut",
            Self::MaxCutSmall => "max-cut-small",
            Self::NestedTriangles => "nested-triangles",
            Self::Chain => "chain",
        }
    }

    /// The family of a name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Whether the number of edges grows with the square of the number of vertices.
    pub fn is_dense(self) -> bool {
        matches!(self, Self::Eomm | Self::Uniform | Self::Euclidean | Self::Pendants)
    }

    /// The instance of about `n` vertices; each family's function says how it rounds `n`.
    ///
    /// # Panics
    /// If `n` is below 4 or above `2^28`.
    #[track_caller]
    pub fn instance(self, n: usize, seed: u64) -> Instance {
        assert!(SIZES.contains(&n), "between 4 and 2^28 vertices");
        match self {
            Self::Eomm => complete::eomm(n, seed),
            Self::Uniform => complete::uniform(n, seed),
            Self::Euclidean => complete::euclidean(n, seed),
            Self::Pendants => complete::pendants(n, seed),
            Self::Delaunay => geometric::delaunay(n, geometric::Scale::Big, seed),
            Self::DelaunaySmall => geometric::delaunay(n, geometric::Scale::Small, seed),
            Self::UnitDisk => geometric::unit_disk(n, geometric::Scale::Big, seed),
            Self::UnitDiskSmall => geometric::unit_disk(n, geometric::Scale::Small, seed),
            Self::Random10 => random::degree_10(n, MAX_WEIGHT, seed),
            Self::Random10Small => random::degree_10(n, 10, seed),
            Self::Grid => lattice::grid(n, seed),
            Self::Torus => lattice::torus(n, seed),
            Self::MaxCut => max_cut::dual(n, MAX_WEIGHT, seed),
            Self::MaxCutSmall => max_cut::dual(n, 1, seed),
            Self::NestedTriangles => structured::nested_triangles(n),
            Self::Chain => structured::chain(n),
        }
    }
}

/// The generator behind every family.
fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The next even number.
fn even(n: usize) -> usize {
    n + n % 2
}

/// A weight, uniform in `1..=MAX_WEIGHT`.
fn uniform_weight(rng: &mut ChaCha8Rng) -> i32 {
    rng.random_range(1..=MAX_WEIGHT)
}

/// Points uniform in the unit square.
fn unit_square(n: usize, rng: &mut ChaCha8Rng) -> Vec<[f64; 2]> {
    (0..n).map(|_| [rng.random(), rng.random()]).collect()
}

/// Distance of two points, times `scale`, rounded.
fn rounded_distance(a: [f64; 2], b: [f64; 2], scale: f64) -> i32 {
    (scale * (a[0] - b[0]).hypot(a[1] - b[1])).round() as i32
}

#[cfg(test)]
mod tests;
