//! Whether what a run needs fits into memory, asked before it is allocated.

use std::fs;

use super::failure::Failure;

/// Bytes that the sparse engine keeps for each vertex and for each edge of a list; measured, rounded down.
const VERTEX_BYTES: u128 = 95;
const EDGE_BYTES: u128 = 45;

/// The same for each edge where vertices should have several partners; measured, rounded down.
const SEVERAL_BYTES: u128 = 95;

/// The same for each pair of a matrix, which is made a list first; roughly.
pub(crate) const LISTED_BYTES: usize = 80;

/// What the dense engine keeps of each entry of a matrix that it cannot use where it lies.
pub(crate) const LANE_BYTES: usize = 4;

/// More bytes than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    pub(crate) needed: u128,
    /// Bytes that are free, if the system says so.
    pub(crate) available: Option<u64>,
}

/// Refuses costs of all pairs that do not fit into memory: so many vertices of a file, so many bytes for a pair.
pub(crate) fn check_pairs(file: &str, vertices: usize, bytes: usize) -> Result<(), Failure> {
    check_costs(file, vertices, (vertices as u128).pow(2) * bytes as u128)
}

/// The same for the dense engine, which finds its potentials by samples: the lanes of half of the vertices, of half of these,
/// and so on, each with a quarter of the pairs of the one before, and all of them at once.
pub(crate) fn check_dense(file: &str, vertices: usize, bytes: usize) -> Result<(), Failure> {
    let pairs = (vertices as u128).pow(2);
    let of_samples = pairs * LANE_BYTES as u128 / 3;
    check_costs(file, vertices, pairs * bytes as u128 + of_samples)
}

fn check_costs(file: &str, vertices: usize, needed: u128) -> Result<(), Failure> {
    check(needed).map_err(|shortage| Failure::Memory {
        file: file.to_owned(),
        pairs: format!("the costs of all pairs of {vertices} vertices"),
        shortage,
    })
}

/// Refuses a list of edges that is too long to be matched: so many copies of it, as much at least for each.
pub(crate) fn check_list(file: &str, vertices: usize, edges: usize, copies: usize) -> Result<(), Failure> {
    let of_one = VERTEX_BYTES * vertices as u128 + EDGE_BYTES * edges as u128;
    check(of_one * copies as u128).map_err(|shortage| Failure::Memory {
        file: file.to_owned(),
        pairs: format!("{edges} pairs of {vertices} vertices"),
        shortage,
    })
}

/// Refuses pairs of which vertices should have up to so many partners each, where these do not fit into memory.
pub(crate) fn check_degrees(file: &str, vertices: usize, edges: usize, most: usize) -> Result<(), Failure> {
    // Nobody has more copies than edges.
    let copies = (vertices as u128).saturating_mul(most as u128).min(2 * edges as u128);
    let needed = SEVERAL_BYTES * edges as u128 + VERTEX_BYTES * copies;
    check(needed).map_err(|shortage| Failure::Memory {
        file: file.to_owned(),
        pairs: format!("{edges} pairs of {vertices} vertices"),
        shortage,
    })
}

/// Refuses what does not fit into what is free, or what the system does not hand out.
fn check(needed: u128) -> Result<(), Shortage> {
    let available = available();
    compare(needed, available)?;
    // Some systems promise more than they have, so this alone is no proof; but a limit set by the user shows here.
    let trial = usize::try_from(needed).map(|bytes| Vec::<u8>::new().try_reserve_exact(bytes));
    match trial {
        Ok(Ok(())) => Ok(()),
        _ => Err(Shortage {
            needed,
            available: None,
        }),
    }
}

fn compare(needed: u128, available: Option<u64>) -> Result<(), Shortage> {
    match available {
        Some(free) if needed > free.into() => Err(Shortage { needed, available }),
        _ => Ok(()),
    }
}

/// Bytes that can be had without swapping, and that the control group allows.
fn available() -> Option<u64> {
    let free = fs::read_to_string("/proc/meminfo").ok().and_then(|text| free_of(&text));
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse().ok());
    [free, limit].into_iter().flatten().min()
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn free_of(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim()
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::{Shortage, check, compare, free_of};

    #[test]
    fn what_the_system_says_is_understood() {
        let text = "MemTotal:       24683868 kB\nMemFree:  22385412 kB\nMemAvailable:   23360368 kB\nBuffers: 0 kB\n";
        assert_eq!(free_of(text), Some(23_360_368 * 1024));
        assert_eq!(free_of("MemTotal: 5 kB\n"), None);
        assert_eq!(free_of("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_both_numbers() {
        let shortage = Shortage {
            needed: 101,
            available: Some(100),
        };
        assert_eq!(compare(101, Some(100)), Err(shortage));
        assert_eq!(compare(100, Some(100)), Ok(()));
        assert_eq!(compare(1 << 62, None), Ok(()));
        assert_eq!(check(1 << 10), Ok(()));
        assert!(check(1 << 90).is_err());
    }
}
