//! Roles that every group must have: how many of each, and who can play them.

use std::collections::BTreeSet;

use matchmaking::Pool;

use crate::cli::failure::Failure;

/// A role as the command line states it: `tank=1`, `healer=1-2`, `damage=2-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RoleArg {
    name: String,
    least: usize,
    /// None for any number.
    most: Option<usize>,
}

impl RoleArg {
    /// Reads one of them.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let how = "write a name, `=` and how many of each group play it: `tank=1`, `healer=1-2`, `damage=2-`";
        let (name, count) = text.split_once('=').ok_or(how)?;
        let name = name.trim();
        if name.is_empty() {
            return Err(how.to_owned());
        }
        let number = |text: &str| match text.trim().parse::<u32>() {
            Ok(number) => Ok(number as usize),
            Err(_) => Err(how.to_owned()),
        };
        let (least, most) = match count.split_once('-') {
            None => (number(count)?, Some(number(count)?)),
            Some((least, "")) => (number(least)?, None),
            Some((least, most)) => (number(least)?, Some(number(most)?)),
        };
        if most.is_some_and(|most| most < least) {
            let most = most.unwrap_or_default();
            return Err(format!(
                "at least {least} and at most {most}; write the smaller number first, {most}-{least}"
            ));
        }
        let name = name.to_owned();
        Ok(Self { name, least, most })
    }
}

/// A role and who can play it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Role {
    pub(super) name: String,
    pub(super) least: usize,
    pub(super) most: usize,
    /// Ascending.
    pub(super) players: Vec<usize>,
}

/// The roles asked for, with those players of the pool who can play them.
pub(super) fn of_pool(pool: &Pool, asked: &[RoleArg]) -> Result<Vec<Role>, Failure> {
    let mut roles: Vec<Role> = Vec::new();
    for RoleArg { name, least, most } in asked {
        if roles.iter().any(|role| role.name == *name) {
            return Err(Failure::Usage {
                option: "--roles",
                problem: format!("{name:?} is named twice"),
            });
        }
        let can_play = |&(_, player): &(usize, &matchmaking::Player)| player.roles.contains(name);
        let players = pool.players().iter().enumerate().filter(can_play);
        roles.push(Role {
            name: name.clone(),
            least: *least,
            most: most.unwrap_or(usize::MAX - 1),
            players: players.map(|(position, _)| position).collect(),
        });
    }
    Ok(roles)
}

/// What is said where nobody can play a role, which is likely to be misspelt.
pub(super) fn warnings(pool: &Pool, roles: &[Role]) -> Vec<String> {
    let known: BTreeSet<&str> = pool
        .players()
        .iter()
        .flat_map(|player| &player.roles)
        .map(String::as_str)
        .collect();
    let known = match known.is_empty() {
        true => "no roles at all".to_owned(),
        false => known
            .into_iter()
            .map(|role| format!("{role:?}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    let unknown = roles.iter().filter(|role| role.players.is_empty());
    unknown
        .map(|role| format!("role {:?} is nobody's: column \"roles\" has {known}", role.name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::RoleArg;

    #[test]
    fn numbers_and_ranges_are_read() {
        let role = |text: &str| RoleArg::parse(text).map(|role| (role.name, role.least, role.most));
        assert_eq!(role("tank=1"), Ok(("tank".into(), 1, Some(1))));
        assert_eq!(role(" off tank = 1 - 2 "), Ok(("off tank".into(), 1, Some(2))));
        assert_eq!(role("dps=2-"), Ok(("dps".into(), 2, None)));
        for text in [
            "tank",
            "=1",
            "tank=",
            "tank=x",
            "tank=2-1",
            "tank=-1",
            "tank=1-2-3",
            "tank=4294967296",
        ] {
            assert!(role(text).is_err(), "{text}");
        }
        let crossed = role("tank=3-1").expect_err("more at least than at most");
        assert!(crossed.ends_with("write the smaller number first, 1-3"), "{crossed}");
    }
}
