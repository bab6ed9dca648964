use matching_core::{Cost, cost};
use matching_heuristics::{Groups, Instance, search};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let n: usize = head[0].parse().unwrap();
    let k: usize = head[1].parse().unwrap();
    let mut m = vec![0.0; n * n];
    for line in lines { let f: Vec<&str> = line.split_whitespace().collect(); if f.len() < 3 { continue }
        let (i, j): (usize, usize) = (f[0].parse().unwrap(), f[1].parse().unwrap()); let v: f64 = f[2].parse().unwrap();
        m[i * n + j] = -(v * 1000.0).round(); m[j * n + i] = m[i * n + j]; }
    let c = cost::from_symmetric_fn(n, |i, j| m[i * n + j] as i64);
    let b: Vec<_> = (0..k).map(|g| head[3 + 2 * g].parse().unwrap()..=head[4 + 2 * g].parse().unwrap()).collect();
    let inst = Instance::pairwise(&c, Groups::with_bounds(b).unwrap()).unwrap();
    let f = |i: usize| a[i].parse::<f64>().unwrap();
    let target = f(2);
    let mut gaps = vec![];
    let mut w = 0;
    for seed in 0..10 {
        let (v, work) = search::probe(&inst, f(3), seed, f(4), f(5), f(6) as usize, f(7)).unwrap();
        w += work; gaps.push((target + v / 1000.0) / target * 100.0);
    }
    gaps.sort_by(f64::total_cmp);
    println!("{:?} gaps% {:.4?} mean {:.4} evals/s {:.2e}", &a[3..], gaps, gaps.iter().sum::<f64>() / 10.0, w as f64 / f(3) / 10.0);
}
