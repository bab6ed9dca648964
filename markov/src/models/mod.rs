//! The models of the papers, and what the papers lack of them.

pub mod wu;
pub mod xu;
