//! Compiled libraries, kept by the content of everything they were made from.
//!
//! ```text
//! <cache>/<top>-<key>.inputs        the files Verilator read, apart from its own
//! <cache>/<top>-<key>.lock          held while a library for that key is built
//! <cache>/<top>-<key+contents>/     model.so and pins.txt; appears complete, by one rename, and is checked at each use
//! <usual>/runtime-<key>/            a file of Verilator's run-time library, compiled once for each set of options
//! <usual>/prelude-<key>/            its header, precompiled once for each set of options and level of optimisation
//! ```
//!
//! The usual cache is that of a design which names none: what no design changes is compiled once for all caches.
//!
//! The first key covers the tools, the options and the given sources. Included files are known only after Verilator ran,
//! so the second key adds their contents. A library is never overwritten: another process may have it loaded.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use crate::{
    Design,
    design::Stage,
    error::BuildError,
    shim::PinTable,
    store::{Digest, Kept, Store, StoreError, Work},
    toolchain::Toolchain,
};

/// How often a build starts again because its sources changed under it.
const ATTEMPTS: u32 = 3;

/// The library inside an entry.
const LIBRARY: &str = "model.so";

/// The table of pins inside an entry.
const PINS: &str = "pins.txt";

/// A folder of compiled libraries.
#[derive(Debug)]
pub(crate) struct Cache {
    store: Store,
    /// What no design changes.
    usual: Store,
}

/// What a compiler leaves behind.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) library: PathBuf,
    pub(crate) pins: PinTable,
    /// Every file Verilator read, apart from its own.
    pub(crate) inputs: Vec<PathBuf>,
}

/// One complete library in the cache.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) library: PathBuf,
    pub(crate) pins: PathBuf,
    pub(crate) was_cached: bool,
}

impl Cache {
    /// The given folder, else `$VERILATED_CACHE`, else `verilated` in the user's cache folder.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, BuildError> {
        let open = |folder| Store::open(folder, "VERILATED_CACHE", "verilated");
        let store = open(folder)?;
        let usual = match open(None) {
            Err(StoreError::Homeless { .. }) => store.clone(),
            usual => usual?,
        };
        Ok(Self { store, usual })
    }

    /// Gives the library of a design; what is not there `compile` makes, in an empty folder. Several threads and processes may
    /// ask at once: one works.
    pub(crate) fn obtain(
        &self,
        design: &Design,
        toolchain: &Toolchain,
        compile: impl Fn(&Path) -> Result<Compiled, BuildError>,
    ) -> Result<Entry, BuildError> {
        for _ in 0..ATTEMPTS {
            let name = format!("{}-{}", file_name(&design.top), design.digest(toolchain)?);
            if let Some(entry) = self.fresh(&name) {
                return Ok(entry);
            }
            design.enter(Stage::Waiting);
            let _lock = self.store.lock(&name)?;
            if let Some(entry) = self.fresh(&name) {
                return Ok(entry);
            }
            if let Some(damaged) = self.expected(&name) {
                self.store.discard(&damaged)?;
            }
            let started = SystemTime::now();
            let work = self.work_folder()?;
            let compiled = compile(work.path())?;
            let unchanged = design.digest(toolchain).is_ok_and(|digest| name.ends_with(&digest))
                && !compiled.inputs.iter().any(|input| is_younger(input, started));
            if unchanged {
                return self.publish(&name, &work, &compiled);
            }
        }
        Err(BuildError::SourcesChanging { top: design.top.clone() })
    }

    /// A folder for work in progress; it goes away by itself.
    pub(crate) fn work_folder(&self) -> Result<Work, BuildError> {
        Ok(self.store.work_folder()?)
    }

    /// Makes a folder for all designs once, also among processes: `fill` gets an empty one that is renamed when it is done. A
    /// process checks it once and not for each unit that is compiled: a precompiled header has 60 MB.
    pub(crate) fn once(
        &self,
        name: &str,
        fill: impl FnOnce(&Path) -> Result<(), BuildError>,
    ) -> Result<PathBuf, BuildError> {
        static CHECKED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        let checked = || CHECKED.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = self.usual.path(name);
        if !(checked().contains(&folder) && folder.is_dir()) {
            self.usual.once(name, fill)?;
            checked().insert(folder.clone());
        }
        Ok(folder)
    }

    /// The entry for `name`, if the files it was made from are as they were then, and so is the entry.
    fn fresh(&self, name: &str) -> Option<Entry> {
        self.store.kept(&self.expected(name)?).map(Entry::of)
    }

    /// What the entry for `name` is called, by the present contents of the files it was made from.
    fn expected(&self, name: &str) -> Option<String> {
        let inputs = fs::read_to_string(self.store.path(&format!("{name}.inputs"))).ok()?;
        let inputs: Vec<PathBuf> = inputs.lines().map(PathBuf::from).collect();
        Some(format!("{name}-{}", contents(&inputs).ok()?))
    }

    /// Finishes what was compiled. The caller holds the lock of `name`.
    fn publish(&self, name: &str, work: &Work, compiled: &Compiled) -> Result<Entry, BuildError> {
        let out = work.path().join("out");
        fs::create_dir(&out).map_err(at(&out))?;
        fs::rename(&compiled.library, out.join(LIBRARY)).map_err(at(&compiled.library))?;
        fs::write(out.join(PINS), compiled.pins.to_text()).map_err(at(&out))?;
        let complete = format!("{name}-{}", contents(&compiled.inputs)?);
        let kept = match self.store.kept(&complete) {
            // Made earlier, from the same contents.
            Some(kept) => Kept { was_kept: false, ..kept },
            None => {
                self.store.discard(&complete)?;
                self.store.keep(&out, &complete)?
            }
        };
        let inputs: String = compiled.inputs.iter().map(|path| format!("{}\n", path.display())).collect();
        let (draft, list) = (work.path().join("inputs"), self.store.path(&format!("{name}.inputs")));
        fs::write(&draft, inputs).map_err(at(&draft))?;
        fs::rename(&draft, &list).map_err(at(&list))?;
        Ok(Entry::of(kept))
    }
}

impl Entry {
    fn of(Kept { folder, was_kept }: Kept) -> Self {
        Self { library: folder.join(LIBRARY), pins: folder.join(PINS), was_cached: was_kept }
    }
}

fn contents(inputs: &[PathBuf]) -> Result<String, BuildError> {
    let mut digest = Digest::new();
    for path in inputs {
        digest.add(path.as_os_str().as_encoded_bytes()).add(fs::read(path).map_err(at(path))?);
    }
    Ok(digest.finish())
}

fn is_younger(path: &Path, than: SystemTime) -> bool {
    fs::metadata(path).and_then(|data| data.modified()).is_ok_and(|modified| modified > than)
}

/// Module names may hold characters that file names may not.
fn file_name(top: &str) -> String {
    top.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).take(60).collect()
}

/// Turns an error of the system into one that names the file.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> BuildError {
    let path = path.to_owned();
    move |source| BuildError::Io { path: path.clone(), source }
}
