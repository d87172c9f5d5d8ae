//! Kinds of traffic and of back-pressure, one after the other.

/// One stretch of a run; at its end everything drains.
#[derive(Clone, Debug)]
pub(super) struct Phase {
    pub(super) name: String,
    pub(super) cycles: u64,
    /// How likely a port sends a flit in a cycle in which it may.
    pub(super) load: f64,
    /// Mean cycles of the stretches in which a port sends and in which it does not.
    pub(super) burst: Option<(f64, f64)>,
    /// The output that all packets want that can.
    pub(super) towards: Option<usize>,
    /// The share of packets that cross their way.
    pub(super) crossing: f64,
    pub(super) sinks: Sinks,
}

/// How fast the outputs' neighbours take flits and return credits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sinks {
    /// At once.
    Free,
    /// Each cycle with this probability.
    Slow(f64),
    /// Per VC not at all for long, then at once for a while.
    Stalling,
    /// One credit at a time, and long after: the next only when the output has none left.
    Starving,
    /// No credit at all, and no flit where they say so.
    Withheld,
    /// One credit at a time, and none near a flit: what goes wrong when both meet does not go wrong here.
    Gentle,
}

/// The phases of a run of about `cycles` cycles. Each output has a stretch in which a few packets cross the way of those that want it, and
/// one of twice the `patience` without such packets. The reason is that a packet that crosses leaves a gap, in which an arbiter that always
/// prefers its input lets another pass. At most half of the run goes to them.
pub(super) fn plan(
    cycles: u64,
    patience: u64,
    outputs: &[usize],
    name: impl Fn(usize) -> String,
) -> Vec<Phase> {
    let phase = |name: &str, share: u64, load, burst, sinks| Phase {
        name: name.to_owned(),
        cycles: (cycles / 24 * share).max(64),
        load,
        burst,
        towards: None,
        crossing: 0.0,
        sinks,
    };
    let mut phases = vec![
        phase("light load", 1, 0.15, None, Sinks::Free),
        phase("medium load", 2, 0.5, None, Sinks::Free),
        phase(FULL_LOAD, 3, 1.0, None, Sinks::Free),
        phase("bursts", 2, 1.0, Some((24.0, 24.0)), Sinks::Free),
        phase("back-pressure", 3, 0.9, None, Sinks::Slow(0.3)),
        phase("bursts against stalling outputs", 3, 1.0, Some((48.0, 24.0)), Sinks::Stalling),
        phase("starved credits", 2, 0.8, None, Sinks::Starving),
    ];
    let most = cycles / 2 / outputs.len().max(1) as u64;
    let each = (3 * patience).min(most).max(cycles / 24 / outputs.len().max(1) as u64).max(64);
    for &output in outputs {
        let all = |name: &str, cycles, crossing| Phase {
            towards: Some(output),
            cycles,
            crossing,
            ..phase(name, 1, 1.0, None, Sinks::Free)
        };
        let name = name(output);
        phases.push(all(&format!("most to {name}"), each / 3, CROSSING));
        phases.push(all(&format!("all to {name}"), each - each / 3, 0.0));
    }
    phases.push(phase("everything at once", 4, 1.0, Some((200.0, 20.0)), Sinks::Slow(0.7)));
    phases
}

/// The share of packets that cross the way of those to one output.
const CROSSING: f64 = 1.0 / 32.0;

/// The phase that throughput is measured in.
pub(super) const FULL_LOAD: &str = "full load";

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet that waits for ever is noticed after `patience` cycles, and only if nothing crosses.
    #[test]
    fn by_default_each_output_is_wanted_by_all_for_longer_than_the_patience() {
        for (ports, patience) in [(3, 1192), (5, 2280), (16, 3048)] {
            let outputs: Vec<_> = (0..ports).collect();
            let phases = plan(100_000, patience, &outputs, |port| port.to_string());
            for output in outputs {
                let to = |phase: &&Phase| phase.towards == Some(output);
                let (alone, crossed): (Vec<&Phase>, Vec<_>) =
                    phases.iter().filter(to).partition(|phase| phase.crossing == 0.0);
                assert!(alone.len() == 1 && crossed.len() == 1, "{phases:?}");
                let long = if ports == 16 { 2000 } else { 3 * patience / 2 };
                assert!(alone[0].cycles > long, "{phases:?}");
            }
        }
    }

    #[test]
    fn at_most_half_of_a_run_goes_to_single_outputs() {
        let phases = plan(60_000, 50_000, &[0, 1, 2], |port| port.to_string());
        let single: u64 =
            phases.iter().filter(|phase| phase.towards.is_some()).map(|phase| phase.cycles).sum();
        assert!((29_000..=30_000).contains(&single), "{single}");
    }
}
