//! The textbook's figures 3.41 and 3.43 with its selection functions and without: what a network accepts at most hardly depends on them
//! (`docs/shapes.md` has the numbers).

use desvio_tests::measure::measure;
use desvio_tests::textbook::grid;
use rayon::prelude::*;

const FIRST: &str = "selection.vcs=\"first\"";
/// The lowest useful dimension first, and the first free VC.
const OF_THE_TEXTBOOK: [&str; 2] = ["selection.ports=\"lowest-dimension\"", FIRST];

/// What `shapes.toml` accepts of a load on a grid of 16×16, in flits per router and cycle.
fn accepted((kind, routing, vcs, flits): (&str, &str, u32, u32), sets: &[&str], load: f64) -> f64 {
    let on = grid(kind, &format!("algorithm = \"{routing}\""), (vcs, flits), sets);
    4.0 * measure(&on, load).accepted
}

/// At the load at which each routing accepts most, and for the fully adaptive one on a torus a load before it may collapse: what it
/// accepts, by chance and by the textbook's rules.
#[test]
fn what_is_accepted_at_most_hardly_depends_on_the_textbooks_rules() {
    let first = &[FIRST][..];
    let cases = [
        (("mesh", "dimension-order", 2, 16), 0.0409, first, [0.151, 0.151]),
        (("mesh", "duato", 2, 16), 0.0375, &OF_THE_TEXTBOOK[..], [0.150, 0.152]),
        (("torus", "dateline-adaptive", 2, 16), 0.0475, first, [0.190, 0.189]),
        (("torus", "duato", 3, 11), 0.0652, &OF_THE_TEXTBOOK[..], [0.260, 0.260]),
    ];
    let run = |&(network, load, rules, _): &_| [&[][..], rules].map(|sets| accepted(network, sets, load));
    let found: Vec<_> = cases.par_iter().map(run).collect();
    println!("{found:?}");
    for ((network, _, _, stated), found) in cases.iter().zip(found) {
        for (stated, found) in stated.iter().zip(found) {
            assert!((found / stated - 1.0).abs() < 0.01, "{network:?}: {found}, not {stated}");
        }
    }
}
