//! How good allocators are: matching quality, saturation and head-of-line blocking against published tables.

use desvio_tests::matching::{Matrix, below, maximum_matching, requests, wanted};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::AllocatorKind::{
    SeparableInputFirst, SeparableOneArbiter, SeparableOutputFirst, Wavefront,
};
use router_core::alloc::{Allocation, Allocator, AllocatorKind, ArbiterKind};

fn round_robin<const P: usize, const V: usize>(kind: AllocatorKind, iterations: u8) -> Allocator<P, V> {
    Allocator::new(Allocation { kind, arbiter: ArbiterKind::RoundRobin, iterations }, P as u8)
}

/// What the tables may be missed by: they are Monte Carlo figures themselves.
const TOLERANCE: f64 = 0.01;

/// Compares measured figures with published ones, and says which differ.
#[derive(Default)]
struct Comparison {
    compared: usize,
    off: Vec<String>,
}

impl Comparison {
    fn cell(&mut self, what: String, measured: f64, published: f64) {
        println!("{what}: {measured:.4}, published {published}");
        self.compared += 1;
        if (measured - published).abs() > TOLERANCE {
            self.off.push(format!("{what}: {measured:.4}, published {published}"));
        }
    }

    fn finish(self, expected: usize) {
        assert_eq!(self.compared, expected);
        assert!(self.off.is_empty(), "{:#?}", self.off);
    }
}

/// Grants as a share of a maximum matching, and that as a share of the ports: each VC asks for a uniform output
/// with probability `r`, anew in each cycle.
fn matching_quality<const P: usize, const V: usize>(kind: AllocatorKind, r: f64) -> (f64, f64) {
    const TRIALS: usize = 8000;
    let mut allocator = round_robin::<P, V>(kind, 1);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let (mut granted, mut possible) = (0, 0);
    for _ in 0..TRIALS {
        let mut matrix: Matrix<P, V> = [[0; V]; P];
        for place in matrix.iter_mut().flatten() {
            if f64::from(random.next_u32()) < r * f64::from(u32::MAX) {
                *place = 1 << below(P, &mut random);
            }
        }
        let grants = allocator.evaluate(&requests(&matrix));
        allocator.commit(&grants);
        granted += grants.len();
        possible += maximum_matching(&wanted(&matrix), P);
    }
    (granted as f64 / possible as f64, possible as f64 / (TRIALS * P) as f64)
}

/// Published table, "Matching quality, random requests": of a maximum matching, after one iteration.
#[test]
fn matching_quality_is_as_published() {
    let mut comparison = Comparison::default();
    macro_rules! rows {
        ($($p:literal, $v:literal, $r:literal: $most:literal, $published:expr;)*) => {$({
            let kinds = [SeparableInputFirst, SeparableOutputFirst, Wavefront];
            for (kind, published) in kinds.into_iter().zip::<[f64; 3]>($published) {
                let (quality, most) = matching_quality::<$p, $v>(kind, $r);
                let what = format!("{}, {}, r {}", $p, $v, $r);
                comparison.cell(format!("{what}, {kind:?}"), quality, published);
                comparison.cell(format!("{what}, maximum"), most, $most);
            }
        })*};
    }
    rows! {
        5, 2, 0.25: 0.383, [0.971, 0.970, 0.978];
        5, 2, 1.0: 0.875, [0.767, 0.818, 0.887];
        5, 4, 0.5: 0.832, [0.777, 0.798, 0.879];
        5, 8, 1.0: 1.0, [0.667, 0.794, 0.912];
        10, 4, 0.5: 0.821, [0.765, 0.780, 0.874];
        10, 8, 1.0: 1.0, [0.655, 0.699, 0.912];
        7, 3, 0.5: 0.734, [0.826, 0.840, 0.904];
        7, 3, 1.0: 0.957, [0.694, 0.743, 0.862];
        15, 3, 0.5: 0.727, [0.816, 0.831, 0.898];
        15, 3, 1.0: 0.945, [0.681, 0.733, 0.862];
    }
    comparison.finish(60);
}

/// Flits per port and cycle of a switch whose inputs have `V` FIFOs that never run dry, each head with an
/// independent uniform output that it waits for until it is served.
fn saturated<const P: usize, const V: usize>(kind: AllocatorKind, iterations: u8, cycles: usize) -> f64 {
    const WARM_UP: usize = 500;
    let mut allocator = round_robin::<P, V>(kind, iterations);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let mut heads: Matrix<P, V> = [[0; V]; P];
    for head in heads.iter_mut().flatten() {
        *head = 1 << below(P, &mut random);
    }
    let mut flits = 0;
    for cycle in 0..WARM_UP + cycles {
        let grants = allocator.evaluate(&requests(&heads));
        allocator.commit(&grants);
        for grant in grants.iter() {
            heads[grant.input.index()][grant.vc.index()] = 1 << below(P, &mut random);
        }
        flits += if cycle < WARM_UP { 0 } else { grants.len() };
    }
    flits as f64 / (cycles * P) as f64
}

/// Published table, "Saturated input-queued router".
#[test]
fn saturation_of_an_input_queued_switch_is_as_published() {
    let mut comparison = Comparison::default();
    macro_rules! rows {
        ($($p:literal, $v:literal: $published:expr;)*) => {$({
            let columns = [
                (SeparableInputFirst, 1),
                (SeparableInputFirst, 2),
                (SeparableInputFirst, 3),
                (SeparableOutputFirst, 1),
            ];
            for ((kind, iterations), published) in columns.into_iter().zip::<[f64; 4]>($published) {
                let what = format!("{}, {}, {kind:?} {iterations}", $p, $v);
                comparison.cell(what, saturated::<$p, $v>(kind, iterations, 12_000), published);
            }
        })*};
    }
    rows! {
        5, 2: [0.638, 0.745, 0.747, 0.682];
        5, 4: [0.642, 0.822, 0.839, 0.721];
        5, 8: [0.643, 0.865, 0.911, 0.781];
        7, 3: [0.625, 0.784, 0.791, 0.686];
        11, 3: [0.610, 0.771, 0.780, 0.662];
        15, 3: [0.601, 0.766, 0.773, 0.654];
        15, 6: [0.603, 0.816, 0.857, 0.672];
    }
    comparison.finish(28);
}

/// Head-of-line blocking with one FIFO per input (Karol et al., 1987). The kinds do not
/// differ there: each input asks for one output.
#[test]
fn one_fifo_per_input_saturates_as_published() {
    let mut comparison = Comparison::default();
    macro_rules! rows {
        ($($n:literal: $published:literal;)*) => {$(
            for kind in [SeparableInputFirst, SeparableOutputFirst, Wavefront, SeparableOneArbiter] {
                comparison.cell(format!("{}, {kind:?}", $n), saturated::<$n, 1>(kind, 1, 30_000), $published);
            }
        )*};
    }
    rows! { 2: 0.75; 3: 0.6825; 4: 0.6553; 5: 0.6399; 6: 0.6302; 7: 0.6234; 8: 0.6184; }
    comparison.finish(28);
}

/// With a FIFO for each output (iSLIP) pointers desynchronise: one iteration fills every
/// output in every cycle. The first cycles are not counted.
#[test]
fn one_fifo_per_output_never_blocks() {
    let mut compared = 0;
    macro_rules! sizes {
        ($($n:literal)*) => {$(
            let mut everything: Matrix<$n, $n> = [[0; $n]; $n];
            everything.iter_mut().for_each(|row| *row = std::array::from_fn(|output| 1 << output));
            for kind in [SeparableInputFirst, SeparableOutputFirst, Wavefront, SeparableOneArbiter] {
                let mut allocator = round_robin::<$n, $n>(kind, 1);
                let matches = (0..400).map(|_| {
                    let grants = allocator.evaluate(&requests(&everything));
                    allocator.commit(&grants);
                    grants.len()
                });
                assert_eq!(matches.skip(200).sum::<usize>(), 200 * $n, "{} ports, {kind:?}", $n);
                compared += 1;
            }
        )*};
    }
    sizes!(2 3 4 5 6 7 8);
    assert_eq!(compared, 28);
}

/// The reference itself, on matrices whose maximum is known.
#[test]
fn augmenting_paths_find_a_maximum() {
    assert_eq!(maximum_matching(&[0b011, 0b001, 0b110], 3), 3, "the first has to give way");
    assert_eq!(maximum_matching(&[0b001, 0b001, 0b001], 3), 1);
    assert_eq!(maximum_matching(&[0, 0b111, 0], 3), 1);
}
