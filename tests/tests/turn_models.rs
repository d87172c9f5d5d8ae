//! The turn models under transpose, beside dimension order: what each gains is what its free turns allow.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use rayon::prelude::*;
use std::path::Path;

/// What an 8×8 mesh accepts under transpose, offered more than fits.
fn accepted(routing: &str) -> f64 {
    let text = format!(
        "topology = {{ kind = \"mesh\", dims = [8, 8] }}\nrouting = {{ algorithm = {routing} }}\nrouter = {{ vcs = 4 }}\n\
         traffic = {{ pattern = \"transpose\", loads = [1] }}\nrun = {{ warmup_cycles = 2000, measure_cycles = 4000 }}\n"
    );
    let scenario = Scenario::parse(&text, "net.toml", Path::new("."), &[]);
    let blueprint = Blueprint::new(scenario.unwrap_or_else(|error| panic!("{error}")));
    let outcome = run(&blueprint.unwrap_or_else(|error| panic!("{error}")), 1.0, &|_| ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(outcome.violation, None, "{routing}");
    outcome.summary.accepted
}

/// Glass and Ni (1992) and Chiu (2000): adaptive routing accepts more under transpose where the turns that it needs are free.
///
/// A node sends to (y, x) from (x, y): half of the packets go east and south, half west and north. West-first is free to mix east and
/// south, as is north-last. Their other half has one way, as all packets have by dimension order. Such a half accepts half as much as free
/// ways: (1 + 2) / 2 = 1.5 times as much in all. Odd-even is free in both halves, in half of the columns of each. Negative-first forbids
/// both mixtures, so that every packet has one way, the mirror image of dimension order: 1. (Where Glass and Ni transpose over the other
/// diagonal, negative-first is free to mix and gains most.)
#[test]
fn transpose_gains_what_free_turns_allow() {
    const BANDS: [(&str, f64, f64); 5] = [
        ("\"turn-model\", turns = \"negative-first\"", 0.97, 1.03),
        ("\"turn-model\", turns = \"west-first\"", 1.4, 1.6),
        ("\"turn-model\", turns = \"north-last\"", 1.4, 1.6),
        ("\"odd-even\"", 1.35, 1.6),
        ("\"duato\"", 1.8, 2.05),
    ];
    let order = accepted("\"dimension-order\"");
    let ratios: Vec<f64> = BANDS.par_iter().map(|(routing, ..)| accepted(routing) / order).collect();
    println!("8×8 mesh, transpose, offered 1: dimension order accepts {order:.4}");
    for ((routing, least, most), ratio) in BANDS.iter().zip(ratios) {
        println!("  {routing}: {ratio:.3} times as much");
        assert!((*least..=*most).contains(&ratio), "{routing}: {ratio}, not from {least} to {most}");
    }
}
