//! What fuzz targets share: the program within the process, what its messages and reports must say,
//! numbers, and answers with false ones.

#[path = "../../matchmaking/src/beginning.rs"]
#[allow(dead_code, reason = "the library has some of it to itself")]
mod beginning;
mod cli;
mod draw;
mod forge;
mod message;
#[path = "../../matchmaking/src/quoted.rs"]
mod quoted;
#[path = "../../matchmaking/src/records.rs"]
mod records;
mod report;

pub use cli::{Parsed, Ran, parse, read_graphs, run};
pub use draw::{Draw, number};
pub use forge::forge;
pub use message::{check_message, shown};
pub use report::check_report;

use matchmaking::ReadError;
