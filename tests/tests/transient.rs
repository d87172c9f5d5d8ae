//! How fast misrouting follows when uniform traffic turns adversarial (counters settle in about
//! 20 cycles, credits in about 60).

use desvio_sim::summary::Window;
use desvio_tests::measure::{dragonfly, measure};
use desvio_tests::snapshot;
use rayon::prelude::*;

/// Cycles per window.
const WIDTH: i64 = 10;
/// `1 − 1/(2h²λ)` at h=3 and offered load 0.20.
const STEADY: f64 = 1.0 - 1.0 / (18.0 * 0.2);

/// Misrouted share in each window from −50 to 400, the mean over all packets of eight runs.
fn series(sets: &[&str]) -> Vec<(i64, u64, f64)> {
    let run = |seed: u64| -> Vec<Window> {
        let seed = format!("run.seed={seed}");
        let common = [
            "traffic.pattern={switch-at=1500, from=\"uniform\", to={adversarial=1}}",
            "run.warmup_cycles=1500",
            "run.measure_cycles=1500",
            &seed,
        ];
        measure(&dragonfly(3, &[&common, sets].concat()), 0.2).series
    };
    let runs: Vec<_> = (1..=8u64).into_par_iter().map(run).collect();
    let at = |start: i64| {
        let windows = runs.iter().map(|run| run.iter().find(|window| window.start == start));
        let (packets, misrouted) = windows.fold((0, 0.0), |(packets, misrouted), window| {
            let window = window.unwrap_or_else(|| panic!("no window at {start}"));
            (packets + window.packets, misrouted + window.misrouted_share * window.packets as f64)
        });
        (start, packets, misrouted / packets as f64)
    };
    (-5..40).map(|n| at(n * WIDTH)).collect()
}

/// The end of the first window with at least 0.9 of the steady share.
fn settled(series: &[(i64, u64, f64)]) -> i64 {
    let found = series.iter().find(|(start, _, share)| *start >= 0 && *share >= 0.9 * STEADY);
    found.unwrap_or_else(|| panic!("never settles: {series:?}")).0 + WIDTH
}

#[test]
fn counters_follow_faster_than_credits() {
    let contention = series(&["selection.trigger=contention", "selection.contention_threshold=4"]);
    let occupancy = series(&[]);
    let row = |((start, packets, by_count), (_, _, by_credit)): (&(i64, u64, f64), &(i64, u64, f64))| {
        vec![start.to_string(), packets.to_string(), format!("{by_count:.3}"), format!("{by_credit:.3}")]
    };
    let rows: Vec<_> = contention.iter().zip(&occupancy).map(row).collect();
    let text = snapshot::table(
        "misrouted share of the packets injected from a cycle on; UN to ADV+1 at 0, h=3, load 0.20, 8 seeds",
        &["cycle", "packets", "contention 4", "occupancy"],
        &rows,
    );
    eprintln!("{text}settled after {} and {} cycles", settled(&contention), settled(&occupancy));
    let before = |series: &[(i64, u64, f64)]| series.iter().take(5).map(|window| window.2).sum::<f64>() / 5.0;
    assert!(
        before(&contention) < 0.1 && before(&occupancy) < 0.1,
        "uniform traffic at 0.20 hardly misroutes"
    );
    assert!(contention.iter().all(|window| window.1 > 500), "enough packets in each window");
    assert!(settled(&contention) <= 30);
    assert!(settled(&occupancy) > settled(&contention));
    snapshot::check("transient.txt", &text);
}
