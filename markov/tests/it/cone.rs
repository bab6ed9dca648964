//! The cone of complete teams by brute force: all teams, and all facets.

/// All teams, by trying all numbers of parties.
pub(super) fn all_teams(size: usize) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for party in 1..=size {
        let more = |team: Vec<i64>| {
            (0..=size / party).map(move |count| {
                let mut team = team.clone();
                team.push(count as i64);
                team
            })
        };
        all = all.into_iter().flat_map(more).collect();
    }
    all.retain(|team| dot(team, &(1..=size as i64).collect::<Vec<_>>()) == size as i64);
    all
}

pub(super) fn dot(one: &[i64], other: &[i64]) -> i64 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

fn determinant(rows: &[Vec<i64>]) -> i64 {
    if rows.is_empty() {
        return 1;
    }
    let minor = |at: usize| -> Vec<Vec<i64>> {
        let without = |row: &Vec<i64>| [&row[..at], &row[at + 1..]].concat();
        rows[1..].iter().map(without).collect()
    };
    let sign = |at: usize| if at.is_multiple_of(2) { 1 } else { -1 };
    (0..rows.len())
        .map(|at| sign(at) * rows[0][at] * determinant(&minor(at)))
        .sum()
}

/// A vector at right angles to m - 1 rows of length m; zero if they are dependent.
fn normal(rows: &[Vec<i64>], length: usize) -> Vec<i64> {
    let unit = |at: usize| (0..length).map(|other| i64::from(other == at)).collect::<Vec<_>>();
    (0..length)
        .map(|at| determinant(&[vec![unit(at)], rows.to_vec()].concat()))
        .collect()
}

/// All choices of so many of these.
fn choices(of: &[Vec<i64>], count: usize) -> Vec<Vec<Vec<i64>>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let rest = |at: usize| {
        choices(&of[at + 1..], count - 1)
            .into_iter()
            .map(move |rest| [vec![of[at].clone()], rest].concat())
    };
    (0..of.len()).flat_map(rest).collect()
}

/// Whether rates are inside of all facets of a cone of full dimension: by the planes through all m - 1 teams.
pub(super) fn is_inside(rates: &[i64]) -> bool {
    let comes: Vec<usize> = (0..rates.len()).filter(|&at| rates[at] > 0).collect();
    let only = |vector: &[i64]| comes.iter().map(|&at| vector[at]).collect::<Vec<i64>>();
    let possible = |team: &Vec<i64>| (0..rates.len()).all(|at| team[at] == 0 || rates[at] > 0);
    let teams: Vec<Vec<i64>> = all_teams(rates.len())
        .into_iter()
        .filter(possible)
        .map(|team| only(&team))
        .collect();
    let rates = only(rates);
    let full = choices(&teams, comes.len()).iter().any(|rows| determinant(rows) != 0);
    let facets = choices(&teams, comes.len() - 1).into_iter().flat_map(|rows| {
        let up = normal(&rows, comes.len());
        let down: Vec<i64> = up.iter().map(|entry| -entry).collect();
        [up, down]
    });
    let mut facets =
        facets.filter(|facet| facet.iter().any(|&entry| entry != 0) && teams.iter().all(|team| dot(facet, team) <= 0));
    full && facets.all(|facet| dot(&facet, &rates) < 0)
}
