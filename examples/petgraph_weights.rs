//! Minimum-weight matching of a petgraph graph with holes: who shares a car when the road net has weights.

use matching_core::petgraph::GraphEdges;
use matching_core::{Blossom, Error, Objective};
use petgraph::stable_graph::StableUnGraph;

fn main() -> Result<(), Error> {
    let mut roads = StableUnGraph::<&str, f64>::default();
    let towns = ["Aal", "Bex", "Cos", "Dol", "Eus", "Fin", "Gent"].map(|town| roads.add_node(town));
    let [aal, bex, cos, dol, eus, fin, gent] = towns;
    let kilometres = [
        (aal, bex, 7.5),
        (bex, cos, 3.25),
        (cos, dol, 8.0),
        (dol, aal, 4.5),
        (dol, eus, 2.75),
        (eus, fin, 6.0),
    ];
    for (a, b, length) in kilometres {
        roads.add_edge(a, b, length);
    }
    roads.add_edge(fin, cos, 5.5);
    roads.remove_node(gent); // a hole in the node ids does no harm

    let edges = GraphEdges::new(&roads, |road| *road.weight())?;
    let shortest = Blossom::new().solve(&edges)?;
    for (a, b) in edges.pairs(&shortest) {
        println!("{} with {}", roads[a], roads[b]);
    }
    println!("{} km in all, proven shortest", shortest.cost());

    // The same graph, any matching, greatest weight: an explicit objective, no reciprocals.
    let longest = Blossom::new().objective(Objective::MaxWeight).solve(&edges)?;
    println!("{} km at most", longest.cost());

    shortest.verify(&edges).expect("the certificate proves the answer");
    longest.verify(&edges).expect("the certificate proves the answer");
    assert_eq!((shortest.cost(), longest.cost()), (13.75, 21.5));
    Ok(())
}
