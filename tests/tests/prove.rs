//! Proofs that routings cannot deadlock: what holds, what does not, and what a certificate is worth.

mod agreement;
mod broken;
mod certificates;
mod drb;
mod drb_infiniband;
mod forwarding;
#[path = "../../cosim/prove/examples/patent/literal.rs"]
mod literal;
mod one_way;
mod patent;
mod proven;
mod ring;
mod source;
#[path = "../../cosim/prove/examples/patent/table.rs"]
mod table;

use desvio_prove::{Proof, prove};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use std::path::Path;

fn scenario(text: &str) -> Scenario {
    Scenario::parse(text, "test.toml", Path::new("."), &[]).expect("a scenario")
}

fn blueprint(text: &str) -> Blueprint {
    Blueprint::new(scenario(text)).expect("a network")
}

/// The proof of a scenario's own routing.
fn of(text: &str) -> Proof {
    let blueprint = blueprint(text);
    prove(&blueprint, blueprint.routing().expect("a routing"), &|| {}).expect("an answer")
}

/// A grid of one node per router, with this routing and router.
fn grid(kind: &str, dims: &str, vcs: u32, routing: &str, flow: &str) -> String {
    format!(
        "[topology]\nkind = \"{kind}\"\ndims = {dims}\n[router]\nvcs = {vcs}\nbuffer_flits = 8\nflow_control = \"{flow}\"\n\
         [routing]\nalgorithm = \"{routing}\"\n[traffic]\npacket_flits = 8\nloads = [0.1]\n"
    )
}

/// The same with VCs that no two packets are ever in.
fn atomic(text: &str) -> String {
    text.replace("[router]", "[router]\nvc_allocation = \"atomic\"")
}

/// A Dragonfly of 36 routers, with this table of the routing and this trigger.
fn dragonfly(routing: &str, trigger: &str) -> String {
    format!(
        "[topology]\nkind = \"dragonfly\"\np = 1\na = 4\nh = 2\n[router]\nvcs = {{ node = 1, local = 4, global = 2 }}\n\
         [routing]\n{routing}\n[selection]\ntrigger = \"{trigger}\"\n[traffic]\nloads = [0.1]\n"
    )
}
