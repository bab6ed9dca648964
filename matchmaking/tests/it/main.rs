//! The real program against its contract.

mod advise;
mod advise_xu;
mod bad_graphs;
mod bad_pools;
mod contract;
mod data;
mod explain;
mod fairness;
mod fit;
mod formats;
mod games;
mod games_refused;
mod golden;
mod group;
mod headers;
#[cfg(target_os = "linux")]
mod interrupt;
mod limits;
mod lobby;
mod lobby_company;
mod lobby_explain;
mod lobby_limits;
mod lobby_refused;
mod lobby_running;
mod online;
mod oracle;
mod outputs;
mod places;
mod pools;
mod ratings;
mod rematches;
mod simulate;
mod simulate_online;
mod support;
mod verify;
mod worst_first;
