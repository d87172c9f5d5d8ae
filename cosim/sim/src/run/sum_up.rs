//! From the books of a network to a summary.

use super::relaxation;
use super::stationary::{Batch, latency_interval};
use crate::blueprint::Blueprint;
use crate::network::{Carried, Network};
use crate::scenario::{Pattern, RouterSettings};
use crate::stats::{interval_of_flow, jain};
use crate::summary::{Congestion, Details, Discards, LinkUse, NodeUse, State, Summary, Window};
use crate::traffic::Traffic;
use router_core::units::{Bits, PortClass};

/// The summary of a run whose measured window began at cycle `start` and ends now.
pub(super) fn sum_up<const P: usize, const V: usize, R, B: Bits>(
    network: &Network<'_, P, V, R, B>,
    traffic: &Traffic,
    blueprint: &Blueprint,
    load: f64,
    state: State,
    batches: &[Batch],
    start: u64,
) -> Summary {
    let end = network.cycle();
    let cycles = end - start;
    let senders: Vec<u32> = traffic.active_nodes().collect();
    let per_node = |flits: f64| flits / (senders.len() as f64 * cycles as f64);
    let tally = network.tally();
    let mean = |sum: u64| if tally.packets == 0 { f64::NAN } else { sum as f64 / tally.packets as f64 };
    let accepted: Vec<_> = batches.iter().map(|b| b.flits / senders.len() as f64).collect();
    let lasting = relaxation::cycles(&blueprint.scenario().traffic, &tally.latencies);
    let injected = network.injected();
    let injected = senders
        .iter()
        .map(|&node| f64::from(injected.get(node as usize).copied().unwrap_or(0)) / cycles as f64);
    Summary {
        load,
        offered: per_node(offered_flits(traffic, &senders, start, end) as f64),
        accepted: per_node(tally.load_flits() as f64),
        accepted_ci95: interval_of_flow(&accepted).half_width,
        latency_mean: mean(tally.latency),
        latency_ci95: latency_interval(batches, lasting).half_width,
        latency_p50: tally.latencies.quantile(0.5),
        latency_p99: tally.latencies.quantile(0.99),
        latency_max: tally.latencies.max(),
        latency_sd: tally.latencies.deviation(),
        network_latency_mean: mean(tally.network_latency),
        hops_mean: mean(tally.hops),
        global_misroutes_mean: mean(tally.global_misroutes),
        local_misroutes_mean: mean(tally.local_misroutes),
        misrouted_share: mean(tally.misrouted),
        accepted_min_node: injected.clone().fold(f64::INFINITY, f64::min),
        fairness_jain: jain(injected),
        packets_measured: tally.packets,
        packets_lost: network.lost_packets(),
        flits_lost_by_links: network.flits_lost_by_links(),
        flits_killed: network.flits_killed(),
        open_paths_mean: tally.paths_open as f64 / tally.paths_chosen as f64,
        state,
        warmup_cycles: start,
        measure_cycles: cycles,
        hop_histogram: tally.by_hops.clone(),
        link_utilisation: (0..)
            .zip(blueprint.wiring().class_names())
            .map(|(class, name)| (*name, network.utilisation(PortClass::new(class), cycles)))
            .collect(),
        series: series(network, blueprint),
        discards: discards(network, &blueprint.scenario().router),
        congestion: congestion(network),
        details: blueprint.scenario().run.details.then(|| Box::new(details(network, blueprint, cycles))),
    }
}

/// What was discarded, where anything may be.
fn discards<const P: usize, const V: usize, R, B: Bits>(
    network: &Network<'_, P, V, R, B>,
    router: &RouterSettings,
) -> Option<Discards> {
    let has_lifetime = router.has_lifetimes();
    (router.options.discards || has_lifetime).then(|| Discards { has_lifetime, ..network.discards() })
}

/// Every link and every node.
fn details<const P: usize, const V: usize, R, B: Bits>(
    network: &Network<'_, P, V, R, B>,
    blueprint: &Blueprint,
    cycles: u64,
) -> Details {
    let (wiring, classes) = (blueprint.wiring(), blueprint.wiring().class_names());
    let link = |Carried { router, port, class, flits, wait }: Carried| {
        let to = wiring.peer(router, port.into())?;
        let class = classes.get(usize::from(class))?;
        Some(LinkUse {
            router,
            port,
            to,
            class,
            utilisation: f64::from(flits) / cycles as f64,
            wait_mean: wait.mean(),
        })
    };
    let waits = network.waits_of_nodes();
    let node = |(node, (flits, waiting)): (usize, (u32, u64))| {
        let (router, port) = wiring.attachment(node);
        NodeUse { router, port, injected: f64::from(flits) / cycles as f64, waiting }
    };
    Details {
        links: network.carried().into_iter().filter_map(link).collect(),
        nodes: network.injected().into_iter().zip(waits).enumerate().map(node).collect(),
        latencies: network.tally().latencies.coarse(),
        over_time: Vec::new(),
        names: wiring.names().cloned(),
    }
}

/// Flits of the packets generated in the measured window. A generator's sequence does not depend on when it is called, so it is
/// generated again.
fn offered_flits(traffic: &Traffic, senders: &[u32], start: u64, end: u64) -> u64 {
    let of = |&node: &u32| {
        let mut generator = traffic.generator(node);
        let mut flits = 0;
        while let Some(packet) = generator.next(traffic).filter(|packet| packet.at < end) {
            flits += if packet.at >= start { u64::from(packet.flits) } else { 0 };
        }
        flits
    };
    senders.iter().map(of).sum()
}

/// What routers marked and what sources made of it, where either is set to do so.
fn congestion<const P: usize, const V: usize, R, B: Bits>(
    network: &Network<'_, P, V, R, B>,
) -> Option<Congestion> {
    let indexes = network.congestion_indexes()?;
    let tally = network.tally();
    let sum: u64 = indexes.iter().map(|&index| u64::from(index)).sum();
    Some(Congestion {
        marked_share: tally.marked as f64 / tally.packets as f64,
        notifications: tally.notices,
        ccti_mean: sum as f64 / indexes.len() as f64,
        ccti_max: indexes.into_iter().max().unwrap_or(0),
    })
}

/// The time series, relative to the switch of the pattern.
fn series<const P: usize, const V: usize, R, B: Bits>(
    network: &Network<'_, P, V, R, B>,
    blueprint: &Blueprint,
) -> Vec<Window> {
    let Pattern::SwitchAt { cycle, .. } = blueprint.scenario().traffic.pattern else { return Vec::new() };
    let Some(series) = network.series() else { return Vec::new() };
    // Of later windows only the fast packets have been delivered.
    let complete = network.cycle().saturating_sub(network.tally().latencies.max());
    let window = |(first, sums): (i64, crate::network::SeriesWindow)| {
        let mean = |sum: u64| if sums.packets == 0 { f64::NAN } else { sum as f64 / sums.packets as f64 };
        Window {
            start: first - cycle as i64,
            packets: sums.packets,
            latency_mean: mean(sums.latency),
            misrouted_share: mean(sums.misrouted),
        }
    };
    series
        .windows()
        .filter(|(first, _)| first + series.width() as i64 <= complete as i64)
        .map(window)
        .collect()
}
