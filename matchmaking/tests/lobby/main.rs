//! Lobbies through the public interface: scores, packing, files.

mod corners;
mod explain;
mod fast;
mod limits;
mod oracle;
mod packing;
mod reading;
mod search;
mod serialized;
mod support;
mod swaps;
mod verify;
