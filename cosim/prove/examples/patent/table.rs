//! The table of answers.

use super::literal::{Literal, SubFunction};
use desvio_prove::{Proof, prove, prove_escape};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use router_core::map::AnyMap;
use std::error::Error;
use std::path::Path;

/// A line for each sub-function, under each set of rules and each way to request.
pub(crate) fn text() -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for trigger in ["occupancy", "always"] {
        let blueprint = blueprint(trigger)?;
        let AnyMap::Dragonfly(map) = blueprint.map()? else { return Err("not a Dragonfly".into()) };
        for is_restricted in [true, false] {
            let routing = Literal { map, is_restricted };
            let rules = if is_restricted { "i-l" } else { "f-h" };
            text.push_str(&format!("rules a-o to the letter, R_nonmin by {rules}, trigger {trigger}:\n"));
            for sub in [SubFunction::Minimal, SubFunction::NonMinimal, SubFunction::Corrected] {
                let is_of = |here: &_, from, header: &_, one| routing.is_of(sub, here, from, header, one);
                let proof = prove_escape(&blueprint, routing, &is_of, &|| {})?;
                text.push_str(&line(&format!("{sub:?} as the escape"), &proof));
            }
            text.push_str(&line("all that is requested", &prove(&blueprint, routing, &|| {})?));
        }
    }
    Ok(text)
}

/// A Dragonfly of 36 routers, with the VCs of the patent.
fn blueprint(trigger: &str) -> Result<Blueprint, Box<dyn Error>> {
    let text = format!(
        "[topology]\nkind = \"dragonfly\"\np = 1\na = 4\nh = 2\n[router]\nvcs = {{ node = 1, local = 3, global = 2 }}\n\
         [routing]\nalgorithm = \"olm\"\n[selection]\ntrigger = \"{trigger}\"\n[traffic]\nloads = [0.1]\n"
    );
    Ok(Blueprint::new(Scenario::parse(&text, "patent.toml", Path::new("."), &[])?)?)
}

/// A line of the table.
fn line(what: &str, proof: &Proof) -> String {
    format!("  {what:<28}{}\n", answer(proof))
}

/// The answer: ranks, or the channels of packets that wait for each other; and whether routes have a bound.
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
