#![allow(missing_docs)]

use cosim::{blueprint::Blueprint, run::run, scenario::Scenario};
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let s = Scenario::load(args[0].as_ref(), &args[1..]).unwrap_or_else(|e| panic!("{e}"));
    let cosim::scenario::Loads::List(loads) = s.traffic.loads.clone() else { panic!() };
    let b = Blueprint::new(s).unwrap();
    for l in loads {
        let t = std::time::Instant::now();
        let o = run(&b, l, &|_| ()).unwrap();
        let s = &o.summary;
        println!("{:.3} off {:.4} acc {:.4}±{:.4} lat {:.1}±{:.1} net {:.1} hops {:.3} gm {:.3} lm {:.3} mis {:.3} min {:.4} {:?} w{} m{} lost {} {:.0} cyc/s {:?}", l, s.offered, s.accepted, s.accepted_ci95, s.latency_mean, s.latency_ci95, s.network_latency_mean, s.hops_mean, s.global_misroutes_mean, s.local_misroutes_mean, s.misrouted_share, s.accepted_min_node, s.state, s.warmup_cycles, s.measure_cycles, s.packets_lost, (s.warmup_cycles+s.measure_cycles) as f64/t.elapsed().as_secs_f64(), o.fault);
        if let Some(f)=o.fault { println!("{f}"); }
    }
}
