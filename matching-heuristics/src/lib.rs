//! Grouping by search.

mod best;
mod control;
mod error;
mod groups;
mod instance;
mod layout;
mod moves;
mod packing;
mod pairwise;
mod partition;
mod score;
pub mod search;
mod state;

pub use control::{Incumbent, Progress, Stop};
pub use error::Error;
pub use groups::Groups;
pub use instance::Instance;
