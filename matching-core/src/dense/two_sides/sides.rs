//! Who is on which side.

use super::super::lanes::FORBIDDEN;
use super::super::rows::Rows;

/// The vertices of two sides without pairs of their own, each side in order, the smaller one first; `None` if there are no such
/// sides. Vertices without any pair are on the smaller side of those that there are before them.
pub(super) fn of(rows: &Rows<'_>) -> Option<[Vec<u32>; 2]> {
    let n = rows.len();
    let form = rows.form();
    let mut side: Vec<Option<bool>> = vec![None; n];
    let mut scratch = Vec::new();
    let mut waiting = Vec::new();
    let mut counts = [0, 0];
    for root in 0..n {
        if side[root].is_some() {
            continue;
        }
        let is_second = counts[1] < counts[0];
        side[root] = Some(is_second);
        counts[usize::from(is_second)] += 1;
        waiting.push(root);
        while let Some(u) = waiting.pop() {
            let is_second = side[u]?;
            for (v, &entry) in rows.row(u, &mut scratch).iter().enumerate() {
                if v == u || form.lane(entry) >= FORBIDDEN {
                    continue;
                }
                match side[v] {
                    None => {
                        side[v] = Some(!is_second);
                        counts[usize::from(!is_second)] += 1;
                        waiting.push(v);
                    }
                    Some(other) if other == is_second => return None,
                    Some(_) => {}
                }
            }
        }
    }
    let (second, first): (Vec<u32>, Vec<u32>) = (0..n as u32).partition(|&v| side[v as usize] == Some(true));
    Some(if second.len() < first.len() {
        [second, first]
    } else {
        [first, second]
    })
}
