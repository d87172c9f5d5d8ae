//! What the unit lockstep tests share: a compiled stage, packed pins, and an honest count of what was
//! compared.

use desvio_tests::rtl::{hdl, source as source_of};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::PathBuf;
use verilated::{BuildError, Design, Input, Library, Model, Output};

/// Whether the long runs are asked for.
pub(crate) fn is_long() -> bool {
    std::env::var_os("DESVIO_LONG").is_some_and(|value| value == "1")
}

/// `usual` things, or `long` ones where the long runs are asked for.
pub(crate) fn either<T>(usual: T, long: T) -> T {
    if is_long() { long } else { usual }
}

/// A stage of `hdl/`, or a bench of this folder around some of them, compiled. `None` and a message
/// without Verilator, unless `DESVIO_REQUIRE_TOOLS=1`.
pub(crate) fn compiled(top: &str, sources: &[&str], parameters: &[(&str, u32)]) -> Option<Library> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = |source: &str| {
        let bench = root.join("tests/rtl_unit").join(format!("{source}.sv"));
        if bench.exists() { bench } else { source_of(&hdl(), source) }
    };
    let design = Design::new(top_of(top))
        .include(hdl().join(desvio_hdl::INCLUDE))
        .source(path("pkg"))
        .sources(sources.iter().map(|source| path(source)));
    let design = parameters.iter().fold(design, |design, &(name, value)| design.parameter(name, value));
    match design.short_run(!is_long()).build() {
        Ok(library) => Some(library),
        Err(error) if matches!(error, BuildError::VerilatorMissing { .. }) && !insists() => {
            println!("skipped {top}, nothing was compared: {error}");
            None
        }
        Err(error) => panic!("{top}: {error}"),
    }
}

/// The module's name: a bench has none but its own.
fn top_of(noun: &str) -> String {
    if desvio_hdl::file(noun).is_some() { format!("{}{noun}", desvio_hdl::PREFIX) } else { noun.to_owned() }
}

fn insists() -> bool {
    std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1")
}

/// One running instance; inputs by name.
pub(crate) struct Bench {
    model: Model,
}

impl Bench {
    pub(crate) fn new(library: &Library) -> Self {
        Self { model: library.model(1).expect("a model") }
    }

    pub(crate) fn input(&self, name: &str, bits: usize) -> Input {
        self.model.input(name, bits as u32).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn output(&self, name: &str, bits: usize) -> Output {
        self.model.output(name, bits as u32).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn set(&mut self, input: Input, value: u64) {
        self.model.set(input, value);
    }

    pub(crate) fn set_packed(&mut self, input: Input, packed: &Packed) {
        self.model.set_words(input, &packed.words);
    }

    pub(crate) fn set_words(&mut self, input: Input, words: &[u32]) {
        self.model.set_words(input, words);
    }

    pub(crate) fn get(&self, output: Output) -> u64 {
        self.model.get(output)
    }

    /// An output of any width, in words.
    pub(crate) fn words(&self, output: Output) -> Vec<u32> {
        let mut words = vec![0; output.bits().div_ceil(32) as usize];
        self.model.get_words(output, &mut words);
        words
    }

    /// An output of 64-bit places, the lowest first.
    pub(crate) fn places(&self, output: Output) -> Vec<u64> {
        let words = self.words(output);
        words
            .chunks(2)
            .map(|pair| pair.iter().rev().fold(0, |all, &word| all << 32 | u64::from(word)))
            .collect()
    }

    pub(crate) fn eval(&mut self) {
        self.model.eval().unwrap_or_else(|error| panic!("{error}"));
    }

    pub(crate) fn cycle(&mut self, clk: Input) {
        self.model.cycle(clk).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Fields side by side, the first one lowest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    words: Vec<u32>,
    len: usize,
}

impl Packed {
    pub(crate) fn words(&self) -> Vec<u32> {
        self.words.clone()
    }

    pub(crate) fn push(&mut self, value: u64, bits: usize) {
        assert!(bits == 64 || value >> bits == 0, "{value} does not fit {bits} bits");
        for bit in 0..bits {
            if self.len.is_multiple_of(32) {
                self.words.push(0);
            }
            self.words[self.len / 32] |= ((value >> bit & 1) as u32) << (self.len % 32);
            self.len += 1;
        }
    }
}

/// Comparisons made, and how often each outcome of interest was among them.
#[derive(Clone, Debug)]
pub(crate) struct Tally<const N: usize> {
    names: [&'static str; N],
    seen: [u64; N],
    expected: [bool; N],
    pub(crate) compared: u64,
}

impl<const N: usize> Tally<N> {
    pub(crate) const fn new(names: [&'static str; N]) -> Self {
        Self { names, seen: [0; N], expected: [true; N], compared: 0 }
    }

    pub(crate) fn saw(&mut self, outcome: usize, times: u64) {
        self.seen[outcome] += times;
    }

    pub(crate) fn with(mut self, other: &Self) -> Self {
        self.compared += other.compared;
        self.seen.iter_mut().zip(&other.seen).for_each(|(all, more)| *all += more);
        self
    }

    /// The same counts, of which some may be 0.
    pub(crate) fn without(mut self, outcomes: impl IntoIterator<Item = usize>) -> Self {
        outcomes.into_iter().for_each(|outcome| self.expected[outcome] = false);
        self
    }

    /// Prints the counts; fails when there are fewer comparisons than `least`, or an outcome never occurred.
    pub(crate) fn conclude(&self, what: &str, least: u64) {
        println!("{what}: {} comparisons", self.compared);
        self.names.iter().zip(self.seen).for_each(|(name, seen)| println!("  {name}: {seen}"));
        assert!(self.compared >= least.max(1), "{what}: only {} comparisons", self.compared);
        let missing: Vec<_> =
            (0..N).filter(|&n| self.expected[n] && self.seen[n] == 0).map(|n| self.names[n]).collect();
        assert!(missing.is_empty(), "{what}: never seen: {missing:?}");
    }
}

/// Chance with a seed.
pub(crate) struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.word() % n as u64) as usize
    }

    /// True `times` times out of `of`.
    pub(crate) fn happens(&mut self, times: usize, of: usize) -> bool {
        self.below(of) < times
    }

    /// Some of the bits.
    pub(crate) fn some(&mut self, bits: usize) -> usize {
        self.word() as usize & bits
    }

    /// One of the bits; 0 of none.
    pub(crate) fn one(&mut self, bits: usize) -> usize {
        let set: Vec<_> = (0..64).filter(|&bit| bits >> bit & 1 == 1).collect();
        if set.is_empty() { 0 } else { 1 << set[self.below(set.len())] }
    }
}
