//! Edge lists: `n m`, then m lines `u v w`, vertices counted from 0.

use std::io::BufRead;

use super::error::{GraphError, Problem};
use super::lines::Lines;
use super::{Builder, Graph, VERTEX_LIMIT};

const HEADER: &str = "`n m`: the number of vertices and the number of edges";
const EDGE: &str = "`u v w`: two vertices and a weight";

pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Graph, GraphError> {
    let Some(header) = lines.next()? else {
        return Err(lines.error(Problem::Empty { expected: HEADER }));
    };
    let [n, m] = header.exactly(HEADER)?;
    let len = header.vertices(n, VERTEX_LIMIT, HEADER)?;
    let count = header.count(m, HEADER)?;
    let mut builder = Builder::new(len, 0);
    lines.exactly((count, "edges"), None, |line| {
        let [u, v, w] = line.exactly(EDGE)?;
        let ends = (line.vertex(u, len, 0)?, line.vertex(v, len, 0)?);
        builder.push(line, ends, w, line.weight(w)?)
    })?;
    builder.finish()
}
