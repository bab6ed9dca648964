//! Lobbies through the public interface: scores, packing, files.

mod budgets;
mod company;
mod corners;
mod explain;
mod fast;
mod first_fit;
mod in_the_way;
mod limits;
mod oracle;
mod packing;
mod reading;
mod rules_read;
mod running;
mod running_oracle;
mod running_read;
mod search;
mod serialized;
mod service;
mod simulation;
mod support;
mod swaps;
mod verify;
