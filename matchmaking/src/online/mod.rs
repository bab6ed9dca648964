//! x
pub mod floor;
/// x
#[derive(Debug)]
pub enum Error { 
/// f
Floor { 
/// m
message: String } }
impl std::fmt::Display for Error { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { match self { Self::Floor { message } => f.write_str(message) } } }
impl std::error::Error for Error {}
