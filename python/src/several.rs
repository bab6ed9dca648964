//! Several partners for each: what is asked, and what comes back.

use std::any::Any;

use matching_core::{BMatching, Blossom, Degrees, Error, Instance, Objective, Status};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::failure::{self, VerifyError};
use crate::input::Input;
use crate::lack::Lack;
use crate::number::{Number, Total};
use crate::packed::{InPython, Packed, by_name, unpacked};
use crate::pairing::{Asked, Prices, Way, precision, read_prices, same};

/// Edges, and partners of all vertices together, up to which any solve ends within some ten milliseconds.
const FEW_EDGES: usize = 20_000;
const FEW_PARTNERS: usize = 500;

/// What a search may take, and what it takes for each edge of the graph that it runs on.
const MOST_BYTES: usize = 16 << 30;
const BYTES_PER_EDGE: usize = 40;
const BYTES_PER_PAIR: usize = 150;
const BYTES_PER_MISSING: usize = 800;

/// Partners of a player that are open to begin with, above and below the number that is wanted.
const OPEN: usize = 8;

/// The least and the greatest number of partners of each vertex.
pub(crate) type Bounds<'py> = [PyReadonlyArray1<'py, u32>; 2];

/// What a [`Problem`](crate::pairing::Problem) does where there are several partners for each.
pub(crate) trait Several {
    /// Whether any solve with such bounds ends at once.
    fn are_few(&self, bounds: &Bounds<'_>) -> bool;
    fn degrees(&self, bounds: &Bounds<'_>, missing: Option<&Prices<'_>>) -> PyResult<Asked>;
    fn solve_several(&self, degrees: &Asked, maximise: bool, way: Way) -> PyResult<Outcome>;
    fn verify_several(&self, answer: &dyn Answer) -> PyResult<()>;
    fn verify_lack(&self, degrees: &Asked, lack: &Lack) -> PyResult<()>;
}

/// An answer of whatever number type.
pub(crate) trait Answer: Any + Send + Sync {
    fn totals(&self) -> [Total; 2];
    fn status(&self) -> Status;
    fn work(&self) -> u64;
    fn pairs(&self) -> Vec<[i64; 2]>;
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny>;
    fn packed(&self) -> PyResult<Packed>;
}

pub(crate) enum Outcome {
    Solved(Box<dyn Answer>),
    Impossible(Lack),
}

impl<V: Number> Input<V> {
    /// How many pairs there can be.
    fn pairs_at_most(&self) -> usize {
        match self {
            Self::Matrix(_) | Self::Sides(_) | Self::Shared(_) | Self::InSpace(_) => {
                self.len() * self.len().saturating_sub(1) / 2
            }
            Self::Edges(edges) => edges.edges().len(),
        }
    }

    /// How many partners all can have together: nobody has more than there are others.
    fn partners_at_most(&self, most: impl Iterator<Item = u32>) -> usize {
        let others = self.len().saturating_sub(1);
        let partners = most
            .map(|most| others.min(most as usize))
            .fold(0, usize::saturating_add);
        partners.min(self.pairs_at_most().saturating_mul(2))
    }

    /// Whether any solve with so many partners at most ends at once.
    pub(crate) fn has_few(&self, most: impl Iterator<Item = u32>) -> bool {
        let partners = self.partners_at_most(most);
        self.pairs_at_most().max(self.len()) <= FEW_EDGES && partners <= FEW_PARTNERS
    }

    /// About what a search takes, most of which are the edges that it begins with: `2 b + 1` for each pair that is open, where
    /// [`Blossom::solve_degrees`] leaves some for each player open, however many partners there are; or all pairs, where these
    /// are hardly more. And what stands for each partner that may be missing.
    fn bytes_for(&self, [least, most]: [&[u32]; 2]) -> usize {
        let players = self.len().max(1);
        let (pairs, partners) = (self.pairs_at_most(), self.partners_at_most(most.iter().copied()));
        let each = partners.div_ceil(players);
        let open = each.min(OPEN);
        let some = players * (open + OPEN) * (2 * open + 1) * 3;
        let edges = pairs.saturating_mul(2 * each + 1).min(some);
        let search = edges.saturating_mul(BYTES_PER_EDGE);
        let missing = partners.saturating_sub(least.iter().map(|&least| least as usize).sum());
        [
            search,
            pairs.saturating_mul(BYTES_PER_PAIR),
            missing.saturating_mul(BYTES_PER_MISSING),
        ]
        .into_iter()
        .fold(0, usize::saturating_add)
    }
}

impl<V: Number> Several for Input<V> {
    fn are_few(&self, [_, most]: &Bounds<'_>) -> bool {
        self.has_few(most.as_array().iter().copied())
    }

    fn degrees(&self, [least, most]: &Bounds<'_>, missing: Option<&Prices<'_>>) -> PyResult<Asked> {
        let [least, most] = [least, most].map(|numbers| numbers.as_array().to_vec());
        let degrees: Degrees<V> = Degrees::between(least, most);
        Ok(Box::new(match missing {
            Some(prices) => degrees.missing(read_prices(prices, false)?),
            None => degrees,
        }))
    }

    fn solve_several(&self, degrees: &Asked, maximise: bool, way: Way) -> PyResult<Outcome> {
        let degrees: &Degrees<V> = same::<_, V>(&**degrees)?;
        let bytes = self.bytes_for([degrees.least(), degrees.most()]);
        if bytes > MOST_BYTES {
            return Err(failure::memory_for_partners(bytes));
        }
        let objective = if maximise {
            Objective::MaxPerfect
        } else {
            Objective::MinPerfect
        };
        let solver = Blossom::new().objective(objective).precision(precision(way.rounded));
        match solver
            .budget(way.budget)
            .threads(way.threads)
            .solve_degrees(self, degrees)
        {
            Ok(answer) => Ok(Outcome::Solved(Box::new(answer))),
            Err(Error::NoDegrees(witness)) => {
                let edges = self.to_edges().map_err(|error| failure::of_pairing(&error))?;
                Ok(Outcome::Impossible(Lack::of(&edges, degrees, &witness)))
            }
            Err(error) => Err(failure::of_pairing(&error)),
        }
    }

    fn verify_several(&self, answer: &dyn Answer) -> PyResult<()> {
        let answer: &BMatching<V> = same::<_, V>(answer)?;
        answer
            .verify(self)
            .map_err(|error| VerifyError::new_err(error.to_string()))
    }

    fn verify_lack(&self, degrees: &Asked, lack: &Lack) -> PyResult<()> {
        let degrees: &Degrees<V> = same::<_, V>(&**degrees)?;
        lack.verify(self, degrees)
            .map_err(|error| VerifyError::new_err(error.to_string()))
    }
}

impl<V: Number> Answer for BMatching<V> {
    fn totals(&self) -> [Total; 2] {
        [self.cost().into(), self.bound().into()]
    }

    fn status(&self) -> Status {
        self.status()
    }

    fn work(&self) -> u64 {
        self.work()
    }

    fn pairs(&self) -> Vec<[i64; 2]> {
        // Vertices are numbered within 32 bits.
        self.pairs().map(|(u, v, _)| [u as i64, v as i64]).collect()
    }

    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        PyArray1::from_vec(py, self.pairs().map(|(_, _, weight)| weight).collect()).into_any()
    }

    fn packed(&self) -> PyResult<Packed> {
        Packed::of::<V>(self)
    }
}

/// Several partners for each, with the proof.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct Choice {
    pub(crate) answer: Box<dyn Answer>,
}

#[pymethods]
impl Choice {
    #[getter]
    fn cost(&self) -> Total {
        self.answer.totals()[0]
    }

    #[getter]
    fn bound(&self) -> Total {
        self.answer.totals()[1]
    }

    /// `optimal`, `feasible` or `unknown`.
    #[getter]
    fn status(&self) -> &'static str {
        crate::pairing::name_of(self.answer.status())
    }

    /// Why it is not optimal.
    #[getter]
    fn reason(&self) -> Option<String> {
        crate::pairing::reason_of(self.answer.status())
    }

    #[getter]
    fn work(&self) -> u64 {
        self.answer.work()
    }

    /// Both ends of each pair.
    fn ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        use numpy::PyArrayMethods as _;
        let pairs = self.answer.pairs();
        let flat = PyArray1::from_vec(py, pairs.concat());
        flat.reshape([pairs.len(), 2])
    }

    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.answer.weights(py)
    }

    /// For `pickle`.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, InPython<'py>)> {
        let restored = py.get_type::<Self>().getattr("restored")?;
        Ok((restored, self.answer.packed()?.into_python(py)))
    }

    /// What `__reduce__` has taken apart.
    #[staticmethod]
    fn restored(number: &str, bytes: &[u8]) -> PyResult<Self> {
        let answer = by_name!(number, V => {
            unpacked::<BMatching<V>>(bytes).map(|answer| Box::new(answer) as Box<dyn Answer>)
        })?;
        Ok(Self { answer })
    }
}

/// Why there is no such choice.
#[pyclass(frozen, module = "pairgroup._engine")]
pub(crate) struct NoChoice {
    pub(crate) lack: Lack,
    pub(crate) degrees: Asked,
}

#[pymethods]
impl NoChoice {
    #[getter]
    fn removed(&self) -> Vec<usize> {
        self.lack.removed.clone()
    }

    #[getter]
    fn wanting(&self) -> Vec<usize> {
        self.lack.wanting.clone()
    }

    #[getter]
    fn odd_components(&self) -> Vec<Vec<usize>> {
        self.lack.odd_components.clone()
    }

    /// Partners that there are for those who are wanting: the removed, and others.
    #[getter]
    fn available(&self) -> (u64, u64) {
        (self.lack.shared, self.lack.elsewhere)
    }

    /// 0 where it is not known who lacks them.
    #[getter]
    fn missing(&self) -> u64 {
        self.lack.missing
    }
}
