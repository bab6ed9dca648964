//! The policies once more, from the paper's words: lists, and a look at everybody at every event.

use matchmaking::online::{Arrivals, Setting};

/// Somebody who waits.
#[derive(Clone, Debug)]
pub(crate) struct Waiter {
    pub(crate) id: u32,
    pub(crate) time: f64,
    pub(crate) criteria: Vec<f64>,
    /// Of a couple that may still be parted.
    pub(crate) partner: Option<u32>,
}

pub(crate) type Played = Vec<(f64, Vec<u32>)>;

/// A rule: when it next does something, and what. Minus infinity means at once.
pub(crate) trait Rule {
    fn arrived(&mut self, _waiting: &mut Vec<Waiter>) {}
    /// Somebody has left, who had this partner.
    fn left(&mut self, _waiting: &mut Vec<Waiter>, _partner: Option<u32>) {}
    fn due(&self, waiting: &[Waiter]) -> f64;
    /// Who plays now.
    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>>;
}

/// Serves a log by a rule.
pub(crate) fn serve(rule: &mut impl Rule, arrivals: &Arrivals) -> Played {
    serve_with_leavers(rule, arrivals, &[])
}

/// The same where some leave, in order of time, after whoever arrives at that instant.
pub(crate) fn serve_with_leavers(rule: &mut impl Rule, arrivals: &Arrivals, leavers: &[(f64, u32)]) -> Played {
    let mut waiting: Vec<Waiter> = Vec::new();
    let mut played = Vec::new();
    let mut now = f64::NEG_INFINITY;
    let mut leavers = leavers.iter().peekable();
    for arrival in arrivals.iter() {
        while let Some(&(time, id)) = leavers.next_if(|leaver| leaver.0 < arrival.time) {
            act_before(rule, &mut now, time, &mut waiting, &mut played);
            if let Some(place) = waiting.iter().position(|waiter| waiter.id == id) {
                let partner = waiting.remove(place).partner;
                rule.left(&mut waiting, partner);
            }
            while !waiting.is_empty() && rule.due(&waiting) <= now {
                act(rule, now, &mut waiting, &mut played);
            }
        }
        act_before(rule, &mut now, arrival.time, &mut waiting, &mut played);
        let criteria = arrival.criteria.to_vec();
        waiting.push(Waiter {
            id: arrival.id,
            time: now,
            criteria,
            partner: None,
        });
        rule.arrived(&mut waiting);
        while !waiting.is_empty() && rule.due(&waiting) <= now {
            act(rule, now, &mut waiting, &mut played);
        }
    }
    while !waiting.is_empty() {
        now = now.max(rule.due(&waiting));
        act(rule, now, &mut waiting, &mut played);
    }
    played
}

/// All that is due before an instant, which then is now.
fn act_before(rule: &impl Rule, now: &mut f64, time: f64, waiting: &mut Vec<Waiter>, played: &mut Played) {
    while !waiting.is_empty() && rule.due(waiting).max(*now) < time {
        *now = now.max(rule.due(waiting));
        act(rule, *now, waiting, played);
    }
    *now = time;
}

fn act(rule: &impl Rule, now: f64, waiting: &mut Vec<Waiter>, played: &mut Played) {
    for mut game in rule.choose(waiting) {
        waiting.retain(|waiter| !game.contains(&waiter.id));
        game.sort_unstable();
        played.push((now, game));
    }
}

fn ids(waiting: &[Waiter]) -> Vec<u32> {
    waiting.iter().map(|waiter| waiter.id).collect()
}

/// `A_G`.
pub(crate) struct Greedy<'a>(pub(crate) &'a Setting);

impl Rule for Greedy<'_> {
    fn due(&self, waiting: &[Waiter]) -> f64 {
        let is_full = waiting.len() >= self.0.players();
        if is_full {
            f64::NEG_INFINITY
        } else {
            waiting[0].time + self.0.tau_max()
        }
    }

    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>> {
        vec![ids(waiting)]
    }
}

/// `A_PM` with so many games per period.
pub(crate) struct Periodic<'a>(pub(crate) &'a Setting, pub(crate) usize);

impl Rule for Periodic<'_> {
    fn due(&self, waiting: &[Waiter]) -> f64 {
        let is_full = waiting.len() >= self.1 * self.0.players();
        if is_full {
            f64::NEG_INFINITY
        } else {
            waiting[0].time + self.0.tau_max()
        }
    }

    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>> {
        let k = self.0.players();
        let n = waiting.len() - waiting.len() % k;
        if n == 0 {
            return vec![ids(waiting)];
        }
        let mut sorted = waiting[..n].to_vec();
        sorted.sort_by(|a, b| {
            (a.criteria[0], a.id)
                .partial_cmp(&(b.criteria[0], b.id))
                .expect("numbers")
        });
        sorted.chunks(k).map(ids).collect()
    }
}

/// `A_MQ` with so many ranges of each criterion.
pub(crate) struct MultiQueue<'a>(pub(crate) &'a Setting, pub(crate) Vec<usize>);

impl MultiQueue<'_> {
    fn range(value: f64, ranges: usize) -> usize {
        ((value * ranges as f64).floor() as usize).min(ranges - 1)
    }

    fn radius(&self, a: &Waiter, b: &Waiter) -> usize {
        let distances = a
            .criteria
            .iter()
            .zip(&b.criteria)
            .zip(&self.1)
            .map(|((a, b), ranges)| Self::range(*a, *ranges).abs_diff(Self::range(*b, *ranges)));
        distances.max().expect("a criterion")
    }

    fn full_queue(&self, waiting: &[Waiter]) -> Option<Vec<u32>> {
        waiting.iter().find_map(|one| {
            let queue: Vec<u32> = waiting
                .iter()
                .filter(|other| self.radius(one, other) == 0)
                .map(|other| other.id)
                .collect();
            (queue.len() == self.0.players()).then_some(queue)
        })
    }
}

impl Rule for MultiQueue<'_> {
    fn due(&self, waiting: &[Waiter]) -> f64 {
        let is_full = self.full_queue(waiting).is_some();
        if is_full {
            f64::NEG_INFINITY
        } else {
            waiting[0].time + self.0.tau_max()
        }
    }

    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>> {
        if let Some(queue) = self.full_queue(waiting) {
            return vec![queue];
        }
        // Nearest queues first, and there whoever waits longest.
        let mut by_radius: Vec<(usize, u32)> = waiting
            .iter()
            .map(|other| (self.radius(&waiting[0], other), other.id))
            .collect();
        by_radius.sort_unstable();
        vec![by_radius.into_iter().take(self.0.players()).map(|(_, id)| id).collect()]
    }
}

/// `A_DW`.
pub(crate) struct DifferenceWait<'a>(pub(crate) &'a Setting, pub(crate) f64);

fn distance(a: &Waiter, b: &Waiter) -> f64 {
    (a.criteria[0] - b.criteria[0]).abs()
}

fn by_id(waiting: &[Waiter], id: u32) -> &Waiter {
    waiting
        .iter()
        .find(|waiter| waiter.id == id)
        .expect("somebody who waits")
}

fn set_partner(waiting: &mut [Waiter], id: u32, partner: Option<u32>) {
    waiting
        .iter_mut()
        .find(|waiter| waiter.id == id)
        .expect("somebody who waits")
        .partner = partner;
}

impl DifferenceWait<'_> {
    /// Of everybody: when the couple, or the wait of a single, ends; its difference; who.
    fn events(&self, waiting: &[Waiter]) -> Vec<(f64, f64, Vec<u32>)> {
        let mut events = Vec::new();
        for waiter in waiting {
            match waiter.partner {
                None => events.push((waiter.time + self.0.tau_max(), f64::INFINITY, vec![waiter.id])),
                Some(partner) if waiter.id < partner => {
                    let q = distance(waiter, by_id(waiting, partner));
                    events.push((
                        waiter.time + (self.1 * q).min(self.0.tau_max()),
                        q,
                        vec![waiter.id, partner],
                    ));
                }
                Some(_) => {}
            }
        }
        events
    }

    fn settle(waiting: &mut [Waiter], mut single: u32) {
        loop {
            let me = by_id(waiting, single).clone();
            let candidates = waiting.iter().filter(|other| other.id != single).filter(|other| {
                other
                    .partner
                    .is_none_or(|partner| distance(&me, other) < distance(other, by_id(waiting, partner)))
            });
            let best = candidates
                .map(|other| (distance(&me, other), other.id))
                .min_by(|a, b| a.partial_cmp(b).expect("numbers"));
            let Some((_, chosen)) = best else { return };
            let left = by_id(waiting, chosen).partner;
            set_partner(waiting, single, Some(chosen));
            set_partner(waiting, chosen, Some(single));
            let Some(left) = left else { return };
            set_partner(waiting, left, None);
            single = left;
        }
    }
}

impl Rule for DifferenceWait<'_> {
    fn arrived(&mut self, waiting: &mut Vec<Waiter>) {
        let newcomer = waiting.last().expect("somebody arrived").id;
        Self::settle(waiting, newcomer);
    }

    fn left(&mut self, waiting: &mut Vec<Waiter>, partner: Option<u32>) {
        if let Some(partner) = partner {
            set_partner(waiting, partner, None);
            Self::settle(waiting, partner);
        }
    }

    fn due(&self, waiting: &[Waiter]) -> f64 {
        self.events(waiting)
            .into_iter()
            .map(|event| event.0)
            .fold(f64::INFINITY, f64::min)
    }

    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>> {
        let first = self
            .events(waiting)
            .into_iter()
            .min_by(|a, b| a.partial_cmp(b).expect("numbers"));
        vec![first.expect("somebody waits").2]
    }
}

/// The widening range, over all pairs.
pub(crate) struct Threshold<'a> {
    pub(crate) setting: &'a Setting,
    pub(crate) base: f64,
    pub(crate) growth: f64,
}

impl Threshold<'_> {
    /// The pair that may play first and since when: ties go to the least difference, then to those with the fewest in
    /// between (by criterion and arrival), then to whoever arrived first.
    fn best(&self, waiting: &[Waiter]) -> Option<(f64, Vec<u32>)> {
        let mut order: Vec<&Waiter> = waiting.iter().collect();
        order.sort_by(|a, b| {
            (a.criteria[0], a.id)
                .partial_cmp(&(b.criteria[0], b.id))
                .expect("numbers")
        });
        let mut pairs = Vec::new();
        for i in 0..order.len() {
            for j in i + 1..order.len() {
                let (a, b) = (order[i], order[j]);
                let wait = (self.setting.weights()[0] * distance(a, b) - self.base) / self.growth;
                let due = a.time.min(b.time) + self.setting.tau_max() * wait;
                pairs.push((due, distance(a, b), j - i, a.id.min(b.id), a.id.max(b.id)));
            }
        }
        let best = pairs.into_iter().min_by(|a, b| a.partial_cmp(b).expect("numbers"))?;
        Some((best.0, vec![best.3, best.4]))
    }

    fn over(&self, waiting: &[Waiter]) -> f64 {
        waiting[0].time + self.setting.tau_max()
    }
}

impl Rule for Threshold<'_> {
    fn due(&self, waiting: &[Waiter]) -> f64 {
        let over = self.over(waiting);
        self.best(waiting).map_or(over, |(due, _)| due.min(over))
    }

    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>> {
        match self.best(waiting) {
            Some((due, pair)) if due <= self.over(waiting) => vec![pair],
            _ => {
                // The nearest neighbour on each side in order of criterion and arrival.
                let me = &waiting[0];
                let key = |other: &Waiter| (other.criteria[0], other.id);
                let before = waiting.iter().filter(|other| key(other) < key(me));
                let before = before.max_by(|a, b| key(a).partial_cmp(&key(b)).expect("numbers"));
                let after = waiting.iter().filter(|other| key(other) > key(me));
                let after = after.min_by(|a, b| key(a).partial_cmp(&key(b)).expect("numbers"));
                let sides = before
                    .into_iter()
                    .chain(after)
                    .map(|other| (distance(me, other), other.id));
                let nearest = sides.min_by(|a, b| a.partial_cmp(b).expect("numbers"));
                vec![[me.id].into_iter().chain(nearest.map(|(_, id)| id)).collect()]
            }
        }
    }
}

/// `slack`, from its formula: all pairs, and bisection for when they may play.
pub(crate) struct Slack<'a> {
    pub(crate) setting: &'a Setting,
    mean_gap: f64,
    gaps: f64,
    last: Option<f64>,
    /// The load in use.
    load: f64,
}

impl<'a> Slack<'a> {
    pub(crate) fn new(setting: &'a Setting) -> Self {
        Self {
            setting,
            mean_gap: setting.tau_max(),
            gaps: 1.0,
            last: None,
            load: 1.0,
        }
    }

    fn accepted(&self, wait: f64) -> f64 {
        let f = self.setting.weights()[0];
        1.44 * (f / (2.0 * self.load)).sqrt()
            + 0.19 * wait
            + 0.32 * (f + 2.0) * (-0.92 * self.load * (1.0 - wait)).exp()
    }

    /// When two may play; so long ago as may be, if at once.
    fn since(&self, a: &Waiter, b: &Waiter) -> f64 {
        let cost = self.setting.weights()[0] * distance(a, b);
        if self.accepted(1.0) < cost {
            return f64::INFINITY;
        }
        let (mut low, mut high) = (-100.0, 1.0);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if self.accepted(middle) < cost {
                low = middle;
            } else {
                high = middle;
            }
        }
        a.time.min(b.time) + self.setting.tau_max() * high
    }

    fn best(&self, waiting: &[Waiter]) -> Option<(f64, Vec<u32>)> {
        let pairs = waiting
            .iter()
            .enumerate()
            .flat_map(|(i, a)| waiting[i + 1..].iter().map(move |b| (a, b)));
        let since = pairs.map(|(a, b)| (self.since(a, b), vec![a.id, b.id]));
        since.min_by(|a, b| a.partial_cmp(b).expect("numbers"))
    }
}

impl Rule for Slack<'_> {
    fn arrived(&mut self, waiting: &mut Vec<Waiter>) {
        let time = waiting.last().expect("somebody arrived").time;
        if let Some(last) = self.last.replace(time) {
            self.gaps = (self.gaps + 1.0).min(64.0);
            self.mean_gap += (time - last - self.mean_gap) / self.gaps;
        }
        let load = self.setting.tau_max() / self.mean_gap;
        if load > 1.1 * self.load || 1.1 * load < self.load {
            self.load = load;
        }
    }

    fn due(&self, waiting: &[Waiter]) -> f64 {
        let over = waiting[0].time + self.setting.tau_max();
        self.best(waiting).map_or(over, |(due, _)| due.min(over))
    }

    fn choose(&self, waiting: &[Waiter]) -> Vec<Vec<u32>> {
        let over = waiting[0].time + self.setting.tau_max();
        match self.best(waiting) {
            Some((due, pair)) if due <= over => vec![pair],
            _ => {
                let others = waiting[1..]
                    .iter()
                    .map(|other| (distance(&waiting[0], other), other.id));
                let nearest = others.min_by(|a, b| a.partial_cmp(b).expect("numbers"));
                vec![[waiting[0].id].into_iter().chain(nearest.map(|(_, id)| id)).collect()]
            }
        }
    }
}
