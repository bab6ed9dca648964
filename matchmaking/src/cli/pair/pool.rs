//! Pools of players: costs from models, a bye in odd pools, other pairings to compare with.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use matching_core::{Cost, Engine, Objective};
use matchmaking::fairness::Segment;
use matchmaking::{
    EngagementCost, FittedModel, Horizon, MEMORY, OutcomeModel, Pairing, Pool, PoolLimits, SkillCost, SyntheticChurn,
};

use super::costs::Costs;
use super::deliver;
use super::explain::{About, Asked, Explanations, Question};
use super::games::{self, Wish};
use super::limits::{Limited, Limits};
use super::prices::Prices;
use super::report::{Baseline, Compared, Fitted, PoolReport, Report};
use super::solve::{Matched, Outcome, Settings, SolveError, solve};
use super::table::{Entry, Sign, Table};
use super::worst;
use crate::cli::Verdict;
use crate::cli::args::{CostArg, ObjectiveArg, PairArgs};
use crate::cli::asked;
use crate::cli::decimal::Decimal;
use crate::cli::failure::Failure;
use crate::cli::input::{self, Format, Input};
use crate::cli::json::Spent;
use crate::cli::memory;
use crate::cli::names::Names;
use crate::cli::output::{self, Progress};
use crate::cli::rematches::{self, Rematches};

/// More players than this have more pairs than the engines can number.
const PLAYER_LIMIT: usize = 65_535;

/// Both costs are integers in millionths.
pub(super) const DECIMALS: u32 = 6;

/// Up to so many players nothing takes memory worth counting.
const FEW_PLAYERS: usize = 128;

/// Reads a pool, pairs it, and reports.
pub(super) fn run(
    (args, wish): (&PairArgs, Option<Wish>),
    settings: Settings,
    input: Input,
    start: Instant,
    progress: &Progress,
) -> Result<Verdict, Failure> {
    let file = input.file;
    let refused = |source| Failure::Pool {
        file: file.clone(),
        source,
    };
    let pool = read_pool(args, &file, input.reader)?;
    let model = args.model.as_deref().map(|path| read_model(args, path)).transpose()?;
    let names = Names::Players(&pool);
    let explain = args.explain.as_deref().map(|text| asked::two_or_one(text, &names));
    let explain = explain.transpose()?;
    let prices = Prices::read(args)?;
    let asked = Limits::read(args)?;
    let spent = Spent {
        parse: start.elapsed(),
        ..Spent::default()
    };

    let started = Instant::now();
    progress.stage(&format!("evaluating the pairs of {} players", pool.len()));
    // A price makes a total worse: where it is to be great, it is taken off.
    let is_cost = args.objective == ObjectiveArg::MinPerfect;
    let rematch = prices.rematch.map_or(0, |price| if is_cost { price } else { -price });
    let asked = if is_cost { asked } else { asked.taken_off() };
    let limits = asked.of(&pool).map_err(refused)?;
    let engagement = if pool.has_only_ratings() {
        None
    } else {
        let engagement = engagement(args, &pool, model.as_ref()).map_err(refused)?;
        Some(engagement.with_rematch_cost(rematch).map_err(refused)?)
    };
    let costs = match engagement.as_ref().filter(|_| args.cost != Some(CostArg::Skill)) {
        Some(engagement) => Costs::Engagement(engagement),
        None => Costs::Skill(SkillCost::new(&pool).with_rematch_cost(rematch).map_err(refused)?),
    };
    let bye = |i| prices.bye.unwrap_or_else(|| costs.bye(i));
    let byes: Vec<i64> = (0..pool.len()).map(bye).collect();
    let run = Run {
        args,
        settings,
        file: &file,
        progress,
        pool: &pool,
        names: &names,
        costs: &costs,
        limits: &limits,
        asked_limits: asked,
        forbidden: limits.forbidden_pairs().count(),
        byes: &byes,
        rematch: prices.rematch.map(|_| rematch),
        engagement: engagement.as_ref(),
        model: model.as_ref(),
        explain,
        started,
    };
    if let Some(wish) = wish {
        return games::of_pool(&run, wish, spent);
    }
    if run.is_narrow() {
        run.answer::<i32>(spent)
    } else {
        run.answer::<i64>(spent)
    }
}

/// Reads a pool: of one that is paired by rating, and of which nothing else is asked, ratings are enough.
fn read_pool(args: &PairArgs, file: &str, reader: impl Read) -> Result<Pool, Failure> {
    let is_by_rating = args.cost == Some(CostArg::Skill);
    let read = if is_by_rating && args.model.is_none() && !args.fairness {
        Pool::read_ratings_csv_up_to(PLAYER_LIMIT, reader)
    } else {
        Pool::read_csv_up_to(PLAYER_LIMIT, reader)
    };
    read.map_err(|source| Failure::Pool {
        file: file.to_owned(),
        source,
    })
}

/// Chances and risks by the model asked for.
fn engagement<'a>(
    args: &PairArgs,
    pool: &'a Pool,
    model: Option<&FittedModel>,
) -> Result<EngagementCost<'a>, matchmaking::Error> {
    match model {
        Some(model) => EngagementCost::new(pool, &model.outcome_model(), model),
        None => {
            let churn = SyntheticChurn::new(Horizon::EightHours, args.seed.unwrap_or(0));
            EngagementCost::new(pool, &OutcomeModel::default(), &churn)
        }
    }
}

/// The fitted model of `--model`.
fn read_model(args: &PairArgs, path: &Path) -> Result<FittedModel, Failure> {
    if [path, &args.file].iter().all(|path| *path == Path::new("-")) {
        return Err(Failure::Usage {
            option: "--model",
            problem: "the pool comes from stdin already; name a file".to_owned(),
        });
    }
    let (file, reader) = input::source(path)?;
    FittedModel::read(reader).map_err(|source| Failure::Model { file, source })
}

/// What the pool holds that the pairing does not use.
fn warnings(pool: &Pool, limits: Limits, model: Option<&FittedModel>) -> Vec<String> {
    let mut warnings = output::unused("column", pool.unknown_columns());
    let mut parties = HashSet::new();
    let mut in_party = pool.players().iter().filter_map(|player| player.party.as_deref());
    if in_party.any(|party| !parties.insert(party)) {
        let advice = "list ids under `avoid` to keep players apart";
        warnings.push(format!(
            "column \"party\" does not change one-on-one pairing: members may meet; {advice}"
        ));
    }
    warnings.extend(limits.warnings(pool));
    if pool.players().iter().any(|player| !player.roles.is_empty()) {
        warnings.push("column \"roles\" does not change one-on-one pairing".into());
    }
    if pool.players().iter().any(|player| player.pin.is_some()) {
        warnings.push("column \"pin\" does not change one-on-one pairing".into());
    }
    if model.is_some() && pool.players().iter().all(|player| player.outcomes.len() < MEMORY) {
        warnings.push(format!(
            "nobody has {MEMORY} outcomes: the model takes those that are missing as games that were not played"
        ));
    }
    for (column, lack) in model.map_or_else(Vec::new, |model| model.unknown(pool)) {
        let n = pool.len();
        warnings.push(format!(
            "{column:?} is unknown for {lack} of {n} players: the model takes for them what players of its log with as many outcomes \
             had in the mean, nothing for those without any"
        ));
    }
    warnings
}

/// A pool to be paired.
pub(super) struct Run<'a> {
    pub(super) args: &'a PairArgs,
    pub(super) settings: Settings,
    pub(super) file: &'a str,
    pub(super) progress: &'a Progress,
    pub(super) pool: &'a Pool,
    pub(super) names: &'a Names<'a>,
    pub(super) costs: &'a Costs<'a>,
    /// Who may meet whom, with what regions cost in the total.
    pub(super) limits: &'a PoolLimits<'a>,
    /// As the command line says.
    asked_limits: Limits,
    /// How many pairs there may not be.
    pub(super) forbidden: usize,
    pub(super) byes: &'a [i64],
    /// What recent opponents cost more in the total, where the command line says.
    pub(super) rematch: Option<i64>,
    /// Unknown where there are only ratings.
    pub(super) engagement: Option<&'a EngagementCost<'a>>,
    pub(super) model: Option<&'a FittedModel>,
    /// Whose pairs are to be explained.
    pub(super) explain: Option<asked::Asked>,
    /// When the evaluation of costs began.
    pub(super) started: Instant,
}

impl<'a> Run<'a> {
    /// Whether costs fit 32 bits. Byes count as costs do; the least value has no negative.
    fn is_narrow(&self) -> bool {
        let prices = [self.rematch, self.asked_limits.region_cost()];
        let prices = prices.map(|price| price.unwrap_or(0).abs());
        let of_pairs = self.costs.greatest() + prices.iter().sum::<i64>();
        let byes = self.byes.iter().map(|bye| bye.abs());
        byes.fold(of_pairs, i64::max) < i32::MAX.into()
    }

    /// Evaluates the costs in this width, pairs the players and reports.
    fn answer<V: Entry>(&self, mut spent: Spent) -> Result<Verdict, Failure> {
        let n = self.pool.len();
        let edges = n * n.saturating_sub(1) / 2 - self.forbidden;
        self.check_memory::<V>(self.forbidden > 0)?;
        let sign = self.sign();
        let table = Table::<V>::new(self.costs, self.limits, sign);
        let objective = self.objective(sign);
        spent.costs = self.started.elapsed();

        self.progress.stage(&format!("pairing {n} players by {edges} pairs"));
        let settings = self.settings.after(0, spent.costs).attended_for(n, self.progress);
        let failed = |error: SolveError| error.in_file(self.file);
        let solved = if self.args.worst_first {
            worst::solve(&table, &objective, &settings, &mut spent)
        } else {
            solve(&table, &objective, &settings, &mut spent)
        };
        let solved = solved.map_err(failed)?;
        let explaining = Instant::now();
        let explain = |asked| {
            let left = settings.after(solved.outcome.work().unwrap_or(0), spent.solve);
            Explanations::of(asked, &solved.outcome, left, |pair, settings| {
                let question = Question {
                    graph: Asked::Table(&table),
                    objective: &objective,
                    settings,
                    solved: &solved,
                };
                question.explain(pair, self.about(pair))
            })
        };
        let explained = self.explain.map(explain).transpose().map_err(failed)?;
        spent.explain = explained.as_ref().map(|_| explaining.elapsed());

        // The answer in the sense that was asked for.
        let (outcome, explained) = match (sign, solved.outcome) {
            (Sign::Plain, outcome) => (outcome, explained),
            (Sign::Negated, outcome) => (outcome.negated(), explained.map(Explanations::negated)),
        };
        let price = |i: usize, j: usize| {
            let cost: i128 = table.pair(i, j).into();
            if sign == Sign::Negated { -cost } else { cost }
        };
        let outcome = self.or_baseline(outcome, &price);
        let mut warnings = self.warnings();
        if self.pool.players().iter().any(|player| player.games_wanted.is_some()) {
            warnings.push("column \"games_wanted\" changes nothing without --games".to_owned());
        }
        if self.args.bye_cost.is_some() && n.is_multiple_of(2) {
            warnings.push(format!(
                "--bye-cost changes nothing: of {n} players nobody need sit out"
            ));
        }
        let report = Report {
            file: self.file,
            format: Format::Csv,
            objective: self.args.objective,
            decimals: DECIMALS,
            names: self.names,
            edges,
            outcome: &outcome,
            explained,
            pool: Some(self.report(&outcome, &price)),
            is_worst_first: self.args.worst_first,
            games: None,
            warnings: &warnings,
            spent,
        };
        deliver(self.args, &report)
    }

    /// The best pairing at hand: where a limit left one that is worse than neighbours by rating, or than chance, it is that
    /// one. What is explained, or proven of a worst pair, is the solver's own.
    fn or_baseline(&self, outcome: Outcome, price: &dyn Fn(usize, usize) -> i128) -> Outcome {
        let Outcome::Matched(mut matched) = outcome else {
            return outcome;
        };
        if matched.stopped.is_none() || self.explain.is_some() || self.args.worst_first {
            return Outcome::Matched(matched);
        }
        let objective = self.args.objective;
        let seed = self.args.seed.unwrap_or(0);
        for pairing in [
            Pairing::by_rating_within(self.limits),
            Pairing::random_within(self.limits, seed),
        ] {
            let pairs: Vec<_> = pairing.pairs().iter().map(|&(i, j)| (i, j, price(i, j))).collect();
            if objective != ObjectiveArg::MaxWeight && pairs.len() != matched.pairs.len() {
                continue;
            }
            let byes = pairing.unmatched().iter().filter(|_| objective.is_perfect());
            let byes = byes.map(|&i| i128::from(self.byes[i]));
            let cost = pairs.iter().map(|pair| pair.2).chain(byes).sum();
            let is_maximum = objective != ObjectiveArg::MinPerfect;
            matched.or(pairs, pairing.unmatched().to_vec(), cost, is_maximum);
        }
        Outcome::Matched(matched)
    }

    /// Refuses a matrix of costs that does not fit into memory beside what the engine makes of it.
    fn check_memory<V>(&self, has_forbidden: bool) -> Result<(), Failure> {
        let (n, own) = (self.pool.len(), size_of::<V>());
        if self.settings.engine() == Engine::Sparse && n > FEW_PLAYERS {
            return memory::check_pairs(self.file, n, own + memory::LISTED_BYTES / 2);
        }
        // What is worse than the worst pair is forbidden in the end.
        let has_forbidden = has_forbidden || self.args.worst_first;
        // Where players may stay alone, pairs that are worth less than nothing may make the engine copy the matrix.
        let has_useless = self.args.objective == ObjectiveArg::MaxWeight
            && (self.rematch.into_iter())
                .chain(self.asked_limits.region_cost())
                .any(|worth| worth < 0);
        // Else the engine uses the matrix where it lies. A list that is made of fewer than an eighth of the pairs takes hardly more.
        let is_copied = own != memory::LANE_BYTES || has_forbidden || has_useless || self.args.explain.is_some();
        let of_engine = if is_copied { memory::LANE_BYTES } else { 0 };
        memory::check_dense(self.file, n, own + of_engine)
    }

    fn sign(&self) -> Sign {
        let is_odd = self.byes.len() % 2 == 1;
        if is_odd && self.args.objective == ObjectiveArg::MaxPerfect {
            Sign::Negated
        } else {
            Sign::Plain
        }
    }

    /// The question as the engine is asked it.
    fn objective<V: Entry>(&self, sign: Sign) -> Objective<V> {
        let is_odd = self.byes.len() % 2 == 1;
        let byes = || self.byes.iter().map(|&bye| V::of(sign.apply(bye))).collect();
        match self.args.objective {
            ObjectiveArg::MinPerfect | ObjectiveArg::MaxPerfect if is_odd => Objective::MinBye(byes()),
            ObjectiveArg::MinPerfect => Objective::MinPerfect,
            ObjectiveArg::MaxPerfect => Objective::MaxPerfect,
            ObjectiveArg::MaxWeight => Objective::MaxWeight,
            ObjectiveArg::MaxCardinality => Objective::MaxCardinality,
        }
    }

    fn report(&self, outcome: &Outcome, price: &dyn Fn(usize, usize) -> i128) -> PoolReport<'a> {
        let seed = self.args.seed.unwrap_or(0);
        let matched = outcome.matched();
        let report = self.report_without_comparison(outcome);
        let sits_out = matched
            .and_then(|matched| matched.unmatched.first())
            .filter(|_| self.args.objective.is_perfect());
        let segments = self.args.fairness.then(|| Segment::of_pool(self.pool));
        let parts = segments.as_deref().unwrap_or_default();
        let comparison = matched.map_or_else(Vec::new, |matched| {
            let pairs = matched.pairs.iter().map(|&(i, j, _)| (i, j)).collect();
            let found = Pairing::new(pairs, matched.unmatched.clone());
            vec![
                self.compared(Baseline::This, &found, parts, price),
                self.compared(Baseline::Skill, &Pairing::by_rating_within(self.limits), parts, price),
                self.compared(
                    Baseline::Random,
                    &Pairing::random_within(self.limits, seed),
                    parts,
                    price,
                ),
            ]
        });
        PoolReport {
            is_bye_fixed: self.args.bye_cost.is_some() && self.byes.len() % 2 == 1,
            bye: sits_out.map(|&player| (player, i128::from(self.byes[player]))),
            comparison,
            segments,
            ..report
        }
    }

    /// What there is to say of any games of the pool.
    pub(super) fn report_without_comparison(&self, outcome: &Outcome) -> PoolReport<'a> {
        let found = outcome.matched().map_or(&[][..], |matched| &matched.pairs);
        let found = found.iter().map(|&(i, j, _)| (i, j));
        PoolReport {
            cost: self.costs.word(),
            engagement: self.engagement,
            fitted: self.model.map(|model| self.fitted(model)),
            seed: self.args.seed.unwrap_or(0),
            is_bye_fixed: false,
            rematches: self.rematches(outcome.matched()),
            limited: Limited::of(self.asked_limits, (self.limits, self.forbidden), found),
            bye: None,
            comparison: Vec::new(),
            segments: None,
        }
    }

    /// What the pool holds, or the command line says, in vain.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = warnings(self.pool, self.asked_limits, self.model);
        warnings.extend(rematches::warning(self.pool, self.rematch.is_some()));
        warnings
    }

    /// Who meets again by a pairing, where that has a price.
    fn rematches(&self, matched: Option<&Matched>) -> Option<Rematches> {
        let pairs = matched.map_or(&[][..], |matched| &matched.pairs);
        let pairs = pairs.iter().map(|&(i, j, _)| (i, j));
        let cost = Decimal::new(self.rematch?.into(), DECIMALS);
        Some(Rematches::among(self.pool, cost, pairs))
    }

    /// What a pair's cost is made of.
    pub(super) fn about(&self, (a, b): (usize, usize)) -> About {
        let drivers = |model: &FittedModel, player: usize| model.drivers(&self.pool.players()[player]);
        About {
            terms: self.costs.terms(a, b),
            drivers: self.model.map(|model| [drivers(model, a), drivers(model, b)]),
            separations: self.limits.separations(a, b),
            is_across: self.limits.regions_differ(a, b),
        }
    }

    fn fitted(&self, model: &FittedModel) -> Fitted<'a> {
        Fitted {
            file: self.args.model.as_deref().unwrap_or(Path::new("-")),
            horizon: model.horizon(),
        }
    }

    fn compared(
        &self,
        what: Baseline,
        pairing: &Pairing,
        segments: &[Segment],
        price: &dyn Fn(usize, usize) -> i128,
    ) -> Compared {
        let games = pairing.pairs().iter().map(|&(i, j)| price(i, j));
        let worst = match self.args.objective {
            ObjectiveArg::MinPerfect => games.clone().max(),
            _ => games.clone().min(),
        };
        // Only perfect objectives count byes, and the first total of all must be the one that is reported.
        let is_perfect = self.args.objective.is_perfect();
        let idle = pairing.unmatched().iter().filter(|_| is_perfect);
        let byes = idle.map(|&i| i128::from(self.byes[i]));
        let rating = |i: usize| self.pool.players()[i].rating;
        let gaps: f64 = pairing
            .pairs()
            .iter()
            .map(|&(i, j)| (rating(i) - rating(j)).abs())
            .sum();
        let count = pairing.pairs().len();
        Compared {
            what,
            games: count,
            idle: pairing.unmatched().len(),
            missing: None,
            cost: games.chain(byes).sum(),
            worst,
            expected_retained: self.engagement.map(|cost| cost.expected_retained(pairing)),
            mean_gap: (count > 0).then(|| gaps / count as f64),
            metrics: self
                .engagement
                .map_or_else(Vec::new, |cost| cost.by_segment(pairing, segments)),
            of_games: Vec::new(),
        }
    }
}
