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
}

/// The phases of a run of about `cycles` cycles. A stretch of packets to one output lasts twice the `patience`, so
/// that a packet that is passed over for ever is noticed, but at most half of the run goes to such stretches.
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
    let each = (2 * patience).min(most).max(cycles / 24 / outputs.len().max(1) as u64).max(64);
    phases.extend(outputs.iter().map(|&output| Phase {
        towards: Some(output),
        cycles: each,
        ..phase(&format!("all to {}", name(output)), 1, 1.0, None, Sinks::Free)
    }));
    phases.push(phase("everything at once", 4, 1.0, Some((200.0, 20.0)), Sinks::Slow(0.7)));
    phases
}

/// The phase that throughput is measured in.
pub(super) const FULL_LOAD: &str = "full load";
