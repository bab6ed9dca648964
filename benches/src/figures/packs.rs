//! Xu's figure 6: do packs of two come like a Poisson process?
//!
//! Players who come alone are packed in twos; packs and teams then play duels. The paper treats their arrivals as
//! Poisson. The time between two of them is drawn from the chain of packing, and computed from it.

use markov::simulate::Sampler;
use markov::{Ctmc, Error, Limits, Transient, explore};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::queues::Mix;
use super::{Axis, Curve, Look, Panel, Picture, curve, steps};

const SHARES: [f64; 3] = [0.2, 0.5, 0.8];
const DRAWS: usize = 200_000;
const SEED: u64 = 6;
/// Bins of the histogram and where it ends, four mean times.
const BINS: u32 = 40;
const END: f64 = 8.0;
/// Packs and teams together come half as often as players.
pub(super) const RATE: f64 = 0.5;

/// Whether somebody waits to be packed, and a mark that turns with each pack or team.
type State = (bool, bool);

fn moves(mix: Mix, (loose, mark): State) -> [(State, f64); 2] {
    let single = if loose { (false, !mark) } else { (true, mark) };
    [(single, mix.one), ((loose, !mark), mix.two)]
}

/// The share of times between two arrivals in each bin, over the width of a bin.
fn histogram(mix: Mix) -> Result<Vec<f64>, Error> {
    let packing = explore((false, false), |&state| moves(mix, state).to_vec(), Limits::default())?;
    let chain = Ctmc::new(&packing.steps)?;
    let width = END / f64::from(BINS);
    let mut counts = vec![0_usize; BINS as usize];
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let sampler = Sampler::ctmc(&chain);
    let (mut mark, mut since, mut drawn) = (false, 0.0, 0);
    for visit in sampler.path(0, &mut rng)? {
        let now = packing.states.names()[visit.state].1;
        if now != mark {
            if let Some(count) = counts.get_mut((since / width) as usize) {
                *count += 1;
            }
            (mark, since) = (now, 0.0);
            drawn += 1;
            if drawn == DRAWS {
                break;
            }
        }
        since += visit.time;
    }
    let density = |count| count as f64 / (DRAWS as f64 * width);
    Ok(counts.into_iter().map(density).collect())
}

/// The density of the time between two arrivals at each of these times: the rate of an arrival from where packing is
/// by then, if none came before.
pub(super) fn densities(mix: Mix, times: impl IntoIterator<Item = f64>) -> Result<Vec<(f64, f64)>, Error> {
    let until = |state: &Option<bool>| match state {
        Some(loose) => moves(mix, (*loose, false))
            .map(|((loose, mark), rate)| ((!mark).then_some(loose), rate))
            .to_vec(),
        None => Vec::new(),
    };
    let found = explore(Some(false), until, Limits::default())?;
    let chain = Ctmc::new(&found.steps)?;
    let place = |loose| found.states.find(&Some(loose)).ok_or(Error::NoStates);
    let (empty, loose) = (place(false)?, place(true)?);
    // Half of the time somebody is loose; a team leaves it so, a single who arrives then completes a pack.
    let mut start = vec![0.0; chain.len()];
    start[loose] = mix.two / (mix.one + 2.0 * mix.two);
    start[empty] = 1.0 - start[loose];
    let density = |time| {
        let report = Transient::new().solve(&chain, &start, time)?;
        let shares = report.distribution();
        Ok((time, mix.two * shares[empty] + (mix.one + mix.two) * shares[loose]))
    };
    times.into_iter().map(density).collect()
}

pub(super) fn figure_6() -> Result<Picture, Error> {
    Ok(Picture {
        file: "xu-figure-6.svg",
        title: "Xu, Yu, Wu, figure 6: time between arrivals in the 1v1 approximation, λ_total = 1".to_owned(),
        panels: SHARES.into_iter().map(panel).collect::<Result<_, Error>>()?,
    })
}

fn panel(share: f64) -> Result<Panel, Error> {
    let mix = Mix::of_share(share);
    let width = END / f64::from(BINS);
    let middles = (0..BINS).map(|bin| (f64::from(bin) + 0.5) * width);
    let simulated = Curve {
        name: format!("packs and teams, {DRAWS} times drawn"),
        look: Look::Bars(3),
        points: middles.zip(histogram(mix)?).collect(),
    };
    let exact = Curve {
        name: "packs and teams, density".to_owned(),
        look: Look::Line(1),
        points: densities(mix, steps(0.0, END, 40))?,
    };
    let poisson = curve(
        "Poisson process of the same rate",
        Look::Dashed(0),
        steps(0.0, END, 40),
        |time| Ok(RATE * (-RATE * time).exp()),
    )?;
    Ok(Panel {
        title: format!("λ_1 = {share}"),
        x: Axis {
            label: "time (mean times between players)",
            from: 0.0,
            to: END,
        },
        y: Axis {
            label: "density (1 / time)",
            from: 0.0,
            to: 0.55,
        },
        curves: vec![simulated, exact, poisson],
    })
}
