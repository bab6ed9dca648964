//! Whether what a run needs fits into memory, asked before it is allocated.

use std::fs;

/// More bytes than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    pub(crate) needed: u128,
    /// Bytes that are free, if the system says so.
    pub(crate) available: Option<u64>,
}

/// Refuses what does not fit into what is free, or what the system does not hand out.
pub(crate) fn check(needed: u128) -> Result<(), Shortage> {
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
