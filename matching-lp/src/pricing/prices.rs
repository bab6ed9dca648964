//! What teams pay.

use std::sync::Arc;

use crate::cut::Cut;
use crate::duals::Duals;
use crate::model::Model;

/// Duals as pricing needs them.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    /// What each unit pays.
    pub(crate) unit: Vec<i64>,
    /// What a team of each number of players pays beside its units: the most of all classes; `None` where no class has
    /// room.
    pub(crate) size: Vec<Option<i64>>,
    /// What a team of each class pays beside its units, where anybody is pinned; empty where nobody is.
    class: Vec<i64>,
    /// As `size`, of the classes alone to which nobody is pinned; empty where nobody is pinned.
    free: Vec<Option<i64>>,
    /// Cuts and their duals.
    pub(super) cuts: Vec<(Arc<Cut>, i64)>,
}

impl Prices {
    pub(crate) fn new(model: &Model, duals: &Duals) -> Self {
        let Duals { rows: duals, cuts } = duals;
        let most = model.classes.iter().map(|class| class.most).max().unwrap_or(0) as usize;
        let mut size = vec![None; most.min(model.size.iter().sum::<u32>() as usize) + 1];
        let mut free = size.clone();
        for (number, class) in model.classes.iter().enumerate() {
            let dual = duals[model.class_row(number as u16)];
            let add = |sizes: &mut [Option<i64>]| {
                for slot in sizes
                    .iter_mut()
                    .take(class.most as usize + 1)
                    .skip(class.least as usize)
                {
                    *slot = Some(slot.map_or(dual, |before: i64| before.max(dual)));
                }
            };
            add(&mut size);
            if class.owner.is_none() {
                add(&mut free);
            }
        }
        size[0] = None;
        let (class, free) = match model.has_pins() {
            true => (duals[model.len()..][..model.classes.len()].to_vec(), free),
            false => (Vec::new(), Vec::new()),
        };
        Self {
            unit: duals[..model.len()].to_vec(),
            size,
            class,
            free,
            cuts: cuts.clone(),
        }
    }

    /// What this team pays beside its units: the most of all classes that it fits; `None` if it fits none.
    pub(super) fn of_team(&self, model: &Model<'_>, team: &[u16], players: u32) -> Option<i64> {
        if self.class.is_empty() {
            return *self.size.get(players as usize)?;
        }
        // Who is pinned says which class it is: to try all would take as many times as long as there are groups with pins.
        let homes = || team.iter().filter_map(|&unit| model.home[usize::from(unit)]);
        let dual = match homes().next() {
            None => self.free.get(players as usize).copied().flatten(),
            Some(_) => {
                let fitting = homes().filter(|&class| model.fits(team, class));
                fitting.map(|class| self.class[usize::from(class)]).max()
            }
        };
        debug_assert_eq!(dual, {
            let fitting = (0_u16..).zip(&self.class).filter(|&(class, _)| model.fits(team, class));
            fitting.map(|(_, &dual)| dual).max()
        });
        dual
    }
}
