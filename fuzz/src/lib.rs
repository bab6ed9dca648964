//! What fuzz targets share: the program within the process, and what its messages must say.

#[path = "../../matchmaking/src/beginning.rs"]
#[allow(dead_code, reason = "the library has some of it to itself")]
mod beginning;
mod cli;
mod message;
#[path = "../../matchmaking/src/quoted.rs"]
mod quoted;
#[path = "../../matchmaking/src/records.rs"]
mod records;

pub use cli::{Parsed, Ran, parse, read_graphs, run};
pub use message::{check_message, shown};

use matchmaking::ReadError;
