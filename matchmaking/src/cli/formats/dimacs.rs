//! DIMACS: comments `c ..`, one line `p edge n m`, then m lines `e u v w`, vertices counted from 1.

use std::io::BufRead;

use super::error::{GraphError, Problem, excerpt};
use super::lines::Lines;
use super::{Builder, Graph, VERTEX_LIMIT};

const HEADER: &str = "`p edge n m`: the number of vertices and the number of edges";
const EDGE: &str = "`e u v w`: two vertices and a weight";

pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Graph, GraphError> {
    let Some(header) = lines.next_past_comments(Some(b"c"))? else {
        return Err(lines.error(Problem::Empty { expected: HEADER }));
    };
    let [p, edge, n, m] = header.exactly(HEADER)?;
    if p != b"p" || edge != b"edge" {
        return Err(header.error(Problem::Header {
            expected: HEADER,
            found: excerpt(header.text),
        }));
    }
    let len = header.vertices(n, VERTEX_LIMIT, HEADER)?;
    let count = header.count(m, HEADER)?;
    let mut builder = Builder::new(len, 1);
    lines.exactly((count, "edges"), Some(b"c"), |line| {
        let [e, u, v, w] = line.exactly(EDGE)?;
        if e != b"e" {
            return Err(line.error(Problem::Unexpected {
                expected: EDGE,
                found: excerpt(line.text),
            }));
        }
        let ends = (line.vertex(u, len, 1)?, line.vertex(v, len, 1)?);
        builder.push(line, ends, w, line.weight(w)?)
    })?;
    builder.finish()
}
