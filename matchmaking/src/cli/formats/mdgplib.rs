//! Instances of the maximally diverse grouping problem as MDGPLIB writes them: `n k ss|ds`, then the least and the
//! greatest number of members of each of the k groups, all on one line; then `i j value` for every pair, vertices
//! counted from 0. The sum of the values inside groups is to be as great as possible.

use std::io::BufRead;

use super::error::{GraphError, Problem, excerpt};
use super::lines::{Line, Lines};
use super::{Builder, Grouped, ROW_LIMIT, Sizes};

const HEADER: &str = "`n k ss lo hi lo hi ..`: the number of elements and of groups, `ss` or `ds`, and each group's least \
                      and greatest number of members";
const PAIR: &str = "`i j value`: two elements and the value of the pair";

pub(super) fn read<R: BufRead>(lines: &mut Lines<R>) -> Result<Grouped, GraphError> {
    let Some(header) = lines.next()? else {
        return Err(lines.error(Problem::Empty { expected: HEADER }));
    };
    let (len, bounds) = sizes(header)?;
    let count = (len * len.saturating_sub(1) / 2) as u64;
    let mut builder = Builder::new(len, 0);
    lines.exactly((count, "pairs"), None, |line| {
        let [i, j, value] = line.exactly(PAIR)?;
        let ends = (line.vertex(i, len, 0)?, line.vertex(j, len, 0)?);
        builder.push(line, ends, value, line.weight(value)?)
    })?;
    Ok(Grouped {
        graph: builder.finish()?,
        sizes: Sizes::Bounds(bounds),
    })
}

/// The number of elements, and the bounds of each group.
fn sizes(header: Line<'_>) -> Result<(usize, Vec<(usize, usize)>), GraphError> {
    let refused = || {
        header.error(Problem::Header {
            expected: HEADER,
            found: excerpt(header.text),
        })
    };
    let mut fields = header.fields();
    let mut next = || fields.next().ok_or_else(refused);
    let len = header.vertices(next()?, ROW_LIMIT, HEADER)?;
    let groups = header.count(next()?, HEADER)?;
    if ![&b"ss"[..], b"ds"].contains(&next()?) || groups == 0 {
        return Err(refused());
    }
    let numbers = fields
        .map(|field| header.vertices(field, ROW_LIMIT, HEADER))
        .collect::<Result<Vec<_>, _>>()?;
    if Some(numbers.len() as u64) != groups.checked_mul(2) {
        return Err(header.error(Problem::Fields {
            expected: format!("{HEADER}, for {groups} groups"),
            found: header.fields().count(),
        }));
    }
    let bounds: Vec<(usize, usize)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    if let Some(group) = bounds.iter().position(|(least, most)| least > most) {
        let (least, most) = bounds[group];
        return Err(header.error(Problem::Crossed {
            group: group + 1,
            least,
            most,
        }));
    }
    let sum = |of: fn(&(usize, usize)) -> usize| bounds.iter().map(of).sum::<usize>();
    let (least, most) = (sum(|bound| bound.0), sum(|bound| bound.1));
    if !(least..=most).contains(&len) {
        return Err(header.error(Problem::DoNotAddUp { len, least, most }));
    }
    Ok((len, bounds))
}
