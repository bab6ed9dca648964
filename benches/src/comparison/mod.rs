//! Solvers side by side, each run in a process of its own: what the examples `compare` and `page` share.
//!
//! A [`Contender`] is a command that solves an instance file. [`take_turns`] gives one file to several of them,
//! repeatedly, and [`Cell::of`] makes of what each [`Lane`] saw the figures that tables show. A linked solver is the
//! calling program itself, started with `--measure SOLVER FILE`, which it hands to [`measure_child`].

mod cell;
mod contender;
mod measure;
mod turns;

pub use cell::{Cell, Spread};
pub use contender::{Contender, LEMON, PYTHON_PEERS, Python, external, lemon, linked};
pub use measure::{Measurement, measure_child};
pub use turns::{Lane, Plan, Stop, agree, take_turns};

use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// A folder beside the executable, in the build directory: instance files and compiled drivers.
///
/// # Errors
/// Those of the file system.
pub fn scratch_directory() -> Result<PathBuf, Box<dyn Error>> {
    let executable = std::env::current_exe()?;
    let directory = executable
        .parent()
        .ok_or("the executable lies in no folder")?
        .join("comparison-files");
    fs::create_dir_all(&directory)?;
    Ok(directory)
}
