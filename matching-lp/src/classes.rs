//! Which team fills which groups.

use crate::model::{Kind, Model};
use crate::tree::Chosen;

/// The same teams in classes such that every class has as many as it has groups, less those that may stay empty; `None`
/// if there is no such way, or if more wait than may. Augmenting paths from teams to groups.
pub(crate) fn assigned(model: &Model, chosen: Chosen) -> Option<Chosen> {
    let (teams, others): (Chosen, Chosen) = chosen.into_iter().partition(|(kind, _)| matches!(kind, Kind::Team(_)));
    let waiting: u32 = others
        .iter()
        .filter(|(kind, _)| *kind == Kind::Bench)
        .map(|(_, units)| model.players_in(units))
        .sum();
    let is_pinned = |(kind, units): &(Kind, Vec<u16>)| *kind == Kind::Bench && model.is_pinned(units[0]);
    if waiting > model.bench || others.iter().any(is_pinned) {
        return None;
    }
    // One place for each group; groups that must not be empty first.
    let mut places: Vec<u16> = Vec::new();
    for is_needed in [true, false] {
        for (number, class) in model.classes.iter().enumerate() {
            if model.must_be_filled(number as u16) == is_needed {
                places.extend((0..class.count).map(|_| number as u16));
            }
        }
    }
    let must_be_filled = |place: &&u16| model.must_be_filled(**place);
    let needed = places.iter().filter(must_be_filled).count();
    let fits = |team: usize, place: usize| model.fits(&teams[team].1, places[place]);
    // From places that must be filled first, then from teams left: both sides of a matching can be met where each can.
    let mut team_at: Vec<Option<usize>> = vec![None; places.len()];
    let mut place_of: Vec<Option<usize>> = vec![None; teams.len()];
    for place in 0..needed {
        // A relaxed model pays for what stays empty.
        if !fill(place, &fits, &mut team_at, &mut place_of) && !model.is_relaxed {
            return None;
        }
    }
    for team in 0..teams.len() {
        if place_of[team].is_none() && !seat(team, &fits, &mut team_at, &mut place_of) {
            return None;
        }
    }
    let mut result: Chosen = teams
        .into_iter()
        .zip(place_of)
        .map(|((_, units), place)| (Kind::Team(place.map_or(0, |place| places[place])), units))
        .collect();
    result.extend(others);
    let is_filled = |place: &usize| team_at[*place].is_some();
    let empty = (0..places.len()).filter(|place| !is_filled(place));
    result.extend(empty.map(|place| (Kind::Unfilled(places[place]), Vec::new())));
    Some(result)
}

/// Finds a team for a place, along an alternating path by breadth first.
fn fill(
    place: usize,
    fits: &impl Fn(usize, usize) -> bool,
    team_at: &mut [Option<usize>],
    place_of: &mut [Option<usize>],
) -> bool {
    augment(place, &|place, team| fits(team, place), place_of, team_at)
}

/// Finds a place for a team.
fn seat(
    team: usize,
    fits: &impl Fn(usize, usize) -> bool,
    team_at: &mut [Option<usize>],
    place_of: &mut [Option<usize>],
) -> bool {
    augment(team, fits, team_at, place_of)
}

/// Matches `start` of one side to one of the other; those matched before stay matched.
fn augment(
    start: usize,
    fits: &dyn Fn(usize, usize) -> bool,
    mate_there: &mut [Option<usize>],
    mate_here: &mut [Option<usize>],
) -> bool {
    let mut from: Vec<Option<usize>> = vec![None; mate_there.len()];
    let mut queue = vec![start];
    let mut head = 0;
    while head < queue.len() {
        let here = queue[head];
        head += 1;
        for there in 0..mate_there.len() {
            if from[there].is_some() || !fits(here, there) {
                continue;
            }
            from[there] = Some(here);
            if let Some(next) = mate_there[there] {
                queue.push(next);
                continue;
            }
            let mut end = there;
            while let Some(mate) = from[end] {
                mate_there[end] = Some(mate);
                match mate_here[mate].replace(end) {
                    Some(before) => end = before,
                    None => return true,
                }
            }
        }
    }
    false
}
