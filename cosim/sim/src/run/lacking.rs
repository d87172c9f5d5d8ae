//! What a run that ended at its limit still waited for.

use super::session::NARROW;
use crate::summary::{State, Summary};

/// What kept an automatic measurement from being called converged; nothing of a run that ended otherwise.
#[must_use]
pub fn lacking(summary: &Summary) -> Option<String> {
    if summary.state != State::Limit {
        return None;
    }
    let share = |half: f64, mean: f64| 100.0 * half / mean;
    let latency = share(summary.latency_ci95, summary.latency_mean);
    let accepted = summary.accepted_ci95;
    let needed = (NARROW.accepted * summary.accepted).max(NARROW.load);
    let mut lacks = Vec::new();
    if latency.is_finite() && latency > 100.0 * NARROW.latency {
        lacks.push(format!("latency is known to {latency:.1} %, not to {:.0} %", 100.0 * NARROW.latency));
    }
    if accepted.is_finite() && accepted > needed {
        lacks.push(format!("accepted load is known to {accepted:.4}, not to {needed:.4}"));
    }
    Some(match lacks.is_empty() {
        true => {
            "its intervals are narrow, but of fewer than 20 independent batches, or what waits still rises"
                .to_owned()
        }
        false => lacks.join("; "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::Blueprint;
    use crate::run::run;
    use crate::scenario::Scenario;

    #[test]
    fn a_run_at_its_limit_says_what_it_waits_for() {
        let text = "[topology]\nkind = \"mesh\"\ndims = [4, 2]\n[traffic]\nloads = [0.2]\n[run]\nlimit_cycles = 3000\n";
        let scenario = Scenario::parse(text, "net.toml", std::path::Path::new("."), &[]).unwrap();
        let mut summary = run(&Blueprint::new(scenario).unwrap(), 0.2, &|_| {}).unwrap().summary;
        summary.state = State::Limit;
        let lacks = lacking(&summary).unwrap();
        assert!(lacks.contains("accepted load is known to 0.0"), "{lacks}");
        (summary.latency_ci95, summary.accepted_ci95) = (0.0, 0.0);
        assert!(lacking(&summary).unwrap().contains("20 independent"));
        summary.state = State::Converged;
        assert_eq!(lacking(&summary), None);
    }

    /// A network of few nodes at rest converges: it is measured for as long as its few packets ask for.
    #[test]
    fn a_small_network_at_rest_converges() {
        for load in [0.05, 0.1, 0.2] {
            let text = "[topology]\nkind = \"mesh\"\ndims = [4, 2]\n[traffic]\nloads = [0.2]\n";
            let scenario = Scenario::parse(text, "net.toml", std::path::Path::new("."), &[]).unwrap();
            let summary = run(&Blueprint::new(scenario).unwrap(), load, &|_| {}).unwrap().summary;
            assert_eq!(summary.state, State::Converged, "{summary:?}");
        }
    }
}
