//! A compiled design.

use std::{
    collections::HashMap,
    fmt, fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    Design, Direction, Failure, Model, PortInfo, ProbeInfo,
    cache::{Entry, at},
    error::{BuildError, PinsError},
    ffi::{Functions, Instance},
    loaded::Loaded,
    shim::PinTable,
};

/// A compiled design, loaded into the process; it makes any number of independent [`Model`]s, on any thread.
///
/// Cheap to clone. It stays loaded until the process ends.
#[derive(Clone)]
pub struct Library {
    loaded: Arc<Loaded>,
    was_cached: bool,
}

/// Every library of this process: the same file is loaded once, and gets one identity.
static LOADED: Mutex<Option<HashMap<PathBuf, Arc<Loaded>>>> = Mutex::new(None);

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library")
            .field("top", &self.loaded.top)
            .field("path", &self.loaded.path)
            .finish_non_exhaustive()
    }
}

impl Library {
    pub(crate) fn open(design: &Design, entry: &Entry) -> Result<Self, BuildError> {
        let mut known = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_with(HashMap::new);
        if let Some(loaded) = known.get(&entry.library) {
            return Ok(Self { loaded: Arc::clone(loaded), was_cached: entry.was_cached });
        }
        let text = fs::read_to_string(&entry.pins).map_err(at(&entry.pins))?;
        let pins = PinTable::from_text(&text).ok_or_else(|| BuildError::Load {
            path: entry.pins.clone(),
            reason: "the table of pins is damaged; delete the folder".to_owned(),
        })?;
        let widths = pins
            .ports
            .iter()
            .map(|port| port.bits)
            .chain(pins.probes.iter().map(|probe| probe.bits))
            .collect();
        let loaded = Arc::new(Loaded {
            id: u32::try_from(known.len()).unwrap_or(u32::MAX),
            top: design.top.clone(),
            path: entry.library.clone(),
            functions: Arc::new(Functions::load(&entry.library)?),
            pins,
            widths,
            trace: design.trace,
            coverage: design.coverage,
            checkpoints: design.checkpoints,
        });
        known.insert(entry.library.clone(), Arc::clone(&loaded));
        Ok(Self { loaded, was_cached: entry.was_cached })
    }

    /// A new model whose registers start from random values; the same seed gives the same values.
    ///
    /// All inputs start at zero. A register that is read before it is reset shows when two seeds differ.
    ///
    /// # Errors
    ///
    /// The model's own constructor failed.
    pub fn model(&self, seed: u64) -> Result<Model, Failure> {
        self.instance(true, generator_seed(seed))
    }

    /// A new model whose registers start from zero, as many simulators have it.
    ///
    /// # Errors
    ///
    /// The model's own constructor failed.
    pub fn model_zeroed(&self) -> Result<Model, Failure> {
        self.instance(false, 1)
    }

    fn instance(&self, random: bool, seed: i32) -> Result<Model, Failure> {
        let (functions, widths) = (Arc::clone(&self.loaded.functions), Arc::clone(&self.loaded.widths));
        Ok(Model::new(Arc::clone(&self.loaded), Instance::new(functions, widths, random, seed)?))
    }

    /// Checks several ports at once, for [`ports!`](crate::ports).
    ///
    /// # Errors
    ///
    /// Every mismatch, together.
    pub fn check_ports(&self, expected: &[(Direction, &str, u32)]) -> Result<(), PinsError> {
        self.loaded.check_ports(expected)
    }

    /// The top module.
    #[must_use]
    pub fn top(&self) -> &str {
        &self.loaded.top
    }

    /// Every port, in Verilator's order.
    #[must_use]
    pub fn ports(&self) -> &[PortInfo] {
        &self.loaded.pins.ports
    }

    /// Every public signal inside the design, by name.
    #[must_use]
    pub fn probes(&self) -> &[ProbeInfo] {
        &self.loaded.pins.probes
    }

    /// Whether nothing had to be compiled.
    #[must_use]
    pub fn was_cached(&self) -> bool {
        self.was_cached
    }

    /// The file the library was loaded from.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.loaded.path
    }
}

/// Spreads a seed over the 31 bits Verilator takes; zero would mean the time of day.
fn generator_seed(seed: u64) -> i32 {
    // The finaliser of SplitMix64: neighbouring seeds give unrelated values.
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    i32::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or(1).max(1)
}
