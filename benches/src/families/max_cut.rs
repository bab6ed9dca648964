//! Matching instances that come from maximum cuts of planar graphs.

use std::collections::HashMap;

use delaunator::{Point, triangulate};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, UnitSphere};

use super::{Instance, generator};

/// The dual of a random triangulation of the sphere, every face blown up to a triangle of weight 0; the dual edges
/// have weights uniform in `0..=max_weight`. Its perfect matchings are the cuts of the triangulation.
///
/// The triangulation is the convex hull of uniform points on the sphere. It has `F` faces, `F` even, and the instance
/// `3 F` vertices: `n` is rounded to the nearest multiple of 6, at least 12. Vertex `3 f + i` stands for side `i` of
/// face `f`; the dual edges alone are a perfect matching.
pub fn dual(n: usize, max_weight: i32, seed: u64) -> Instance {
    let faces = 2 * ((n + 3) / 6).max(2);
    let mut rng = generator(seed);
    let triangles = sphere_triangulation(faces / 2 + 2, &mut rng);
    assert_eq!(triangles.len(), faces, "Euler's formula");
    let mut edges = Vec::with_capacity(9 * faces / 2);
    let mut open_sides: HashMap<(usize, usize), u32> = HashMap::with_capacity(2 * faces);
    for (face, triangle) in triangles.iter().enumerate() {
        let first = 3 * face as u32;
        edges.extend([(first, first + 1, 0), (first + 1, first + 2, 0), (first, first + 2, 0)]);
        for i in 0..3 {
            let (a, b) = (triangle[i], triangle[(i + 1) % 3]);
            let here = first + i as u32;
            match open_sides.remove(&(a.min(b), a.max(b))) {
                Some(there) => edges.push((there, here, rng.random_range(0..=max_weight))),
                None => drop(open_sides.insert((a.min(b), a.max(b)), here)),
            }
        }
    }
    assert!(open_sides.is_empty(), "a closed surface");
    Instance {
        vertices: 3 * faces,
        edges,
    }
}

/// Faces of the convex hull of `n` uniform points on the sphere, the last of them turned to the north pole.
///
/// Seen from the pole, the others project to the plane; circles stay circles, so the faces without the pole are the
/// Delaunay triangulation there, and the pole closes its boundary.
fn sphere_triangulation(n: usize, rng: &mut ChaCha8Rng) -> Vec<[usize; 3]> {
    let sites: Vec<Point> = (0..n - 1)
        .map(|_| {
            let [x, y, z]: [f64; 3] = UnitSphere.sample(rng);
            Point {
                x: x / (1.0 - z),
                y: y / (1.0 - z),
            }
        })
        .collect();
    let pole = n - 1;
    let plane = triangulate(&sites);
    let mut faces: Vec<[usize; 3]> = plane.triangles.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    for (side, &twin) in plane.halfedges.iter().enumerate() {
        if twin == delaunator::EMPTY {
            let next = if side % 3 == 2 { side - 2 } else { side + 1 };
            faces.push([plane.triangles[next], plane.triangles[side], pole]);
        }
    }
    faces
}
