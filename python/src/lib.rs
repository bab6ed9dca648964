//! The extension module `pairgroup._engine`: what the Python side of the package calls. It takes arrays and numbers that
//! the Python side has looked at, refuses whatever else comes, and lets other Python threads run while an engine does.

mod by_function;
mod exact;
mod explain;
mod failure;
mod grid;
mod grouping;
mod input;
mod lack;
mod number;
mod packed;
mod pairing;
mod run;
mod session;
mod session_input;
mod several;
mod sides;
mod space;
mod what_if;
mod why_several;
mod worst;

use pyo3::prelude::*;

/// The engines.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::exact::{ExactPartition, Proven};
    #[pymodule_export]
    use super::grouping::{Found, Partition};
    #[pymodule_export]
    use super::pairing::{Instance, Solution, Witness};
    #[pymodule_export]
    use super::session::Pool;
    #[pymodule_export]
    use super::several::{Choice, NoChoice};
    #[pymodule_export]
    use super::what_if::Why;
    #[pymodule_export]
    use super::why_several::WhySeveral;
}
