//! x
use matchmaking::online::floor::Floor;
fn main() {
    let a: Vec<f64> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
    let t = std::time::Instant::now();
    println!("{:#?} {:?}", Floor::new(a[0], 5.0, 2.0).unwrap().estimate(a[1] as usize), t.elapsed());
}
