//! The patent's argument against deadlock, examined: which sub-function of its rules is an escape.
//!
//!     cargo run --release -p desvio-prove --example patent

mod literal;

use desvio_prove::{Proof, prove, prove_escape};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use literal::{Literal, SubFunction};
use router_core::map::AnyMap;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    for trigger in ["occupancy", "always"] {
        let blueprint = blueprint(trigger)?;
        let AnyMap::Dragonfly(map) = blueprint.map()? else { return Err("not a Dragonfly".into()) };
        for is_restricted in [true, false] {
            let routing = Literal { map, is_restricted };
            let rules = if is_restricted { "i-l" } else { "f-h" };
            println!("rules a-o to the letter, R_nonmin by {rules}, trigger {trigger}:");
            for sub in [SubFunction::Minimal, SubFunction::NonMinimal, SubFunction::Corrected] {
                let is_of = |here: &_, from, header: &_, one| routing.is_of(sub, here, from, header, one);
                let proof = prove_escape(&blueprint, routing, &is_of, &|| {})?;
                println!("  {:<28}{}", format!("{sub:?} as the escape"), answer(&proof));
            }
            println!("  {:<28}{}", "all that is requested", answer(&prove(&blueprint, routing, &|| {})?));
        }
    }
    Ok(())
}

/// A Dragonfly of 36 routers, with the VCs of the patent.
fn blueprint(trigger: &str) -> Result<Blueprint, Box<dyn Error>> {
    let text = format!(
        "[topology]\nkind = \"dragonfly\"\np = 1\na = 4\nh = 2\n[router]\nvcs = {{ node = 1, local = 3, global = 2 }}\n\
         [routing]\nalgorithm = \"olm\"\n[selection]\ntrigger = \"{trigger}\"\n[traffic]\nloads = [0.1]\n"
    );
    Ok(Blueprint::new(Scenario::parse(&text, "patent.toml", Path::new("."), &[])?)?)
}

/// The answer in a line: ranks, or the channels of packets that wait for each other; and whether routes have a bound.
fn answer(proof: &Proof) -> String {
    let bound = proof
        .reach
        .longest_route
        .map_or("no bound on routes".to_owned(), |hops| format!("routes of at most {hops} hops"));
    match proof.ranks() {
        Some(ranks) => format!("no cycle, {} ranks; {bound}", ranks.highest),
        None => {
            let cycle: Vec<_> = proof.stuck().iter().map(|holder| holder.channel.to_string()).collect();
            format!("a cycle: {}; {bound}", cycle.join(" -> "))
        }
    }
}
