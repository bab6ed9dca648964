//! Times as they are written: only their solver can vouch for them, so that they are not read. Feature `serde`.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::MeanTimes;
use crate::scalar::Scalar;

/// Rows of times, without those that are infinite.
struct Rows<'a, T>(&'a MeanTimes<T>);

impl<T: Scalar + Serialize> Serialize for Rows<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let times = self.0;
        let columns = 0..times.targets().len();
        let time = |state, column| times.time(state, column).filter(|time| time.is_number());
        let row = |state| {
            columns
                .clone()
                .map(move |column| time(state, column))
                .collect::<Vec<_>>()
        };
        serializer.collect_seq((0..times.states()).map(row))
    }
}

impl<T: Scalar + Serialize> Serialize for MeanTimes<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("MeanTimes", 2)?;
        fields.serialize_field("targets", self.targets())?;
        fields.serialize_field("times", &Rows(self))?;
        fields.end()
    }
}
