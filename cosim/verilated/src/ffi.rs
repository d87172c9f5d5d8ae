//! The boundary to C++: the unsafe code of this crate, but for one system call in `child`.
//!
//! Everything here rests on one fact: the loaded library was compiled from `shim.cpp` of this very version
//! (its text is part of the cache key), so the signatures below are those of the functions behind them.
//! Libraries are never unloaded, so function pointers stay valid for the life of the process.

use std::{
    ffi::{CStr, CString, c_char, c_void},
    path::Path,
    ptr::NonNull,
    sync::Arc,
};

use crate::{Failure, FailureKind};
use crate::{error::BuildError, failure};

/// An instance as C++ sees it; never looked into from here.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

type Handle = NonNull<Opaque>;

/// `Report` of `shim.cpp`.
#[repr(C)]
struct Report {
    kind: i32,
    line: i32,
    failures: u32,
    broken: u32,
    time: u64,
    file: *const c_char,
    hierarchy: *const c_char,
    text: *const c_char,
}

macro_rules! functions {
    ($($name:ident: $symbol:literal fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of one loaded library.
        pub(crate) struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            fn find(library: &libloading::Library) -> Result<Self, libloading::Error> {
                // SAFETY: the library was built from `shim.cpp` of this version (see the head of this module), so each
                // symbol is a function of the type named here.
                unsafe { Ok(Self { $($name: *library.get($symbol)?,)* }) }
            }
        }
    };
}

functions! {
    new: b"shim_new\0" fn(i32, i32) -> Option<Handle>;
    delete: b"shim_delete\0" fn(Handle);
    pins: b"shim_pins\0" fn(Handle, *mut *mut c_void);
    eval: b"shim_eval\0" fn(Handle) -> i32;
    finished: b"shim_finished\0" fn(Handle) -> i32;
    time: b"shim_time\0" fn(Handle) -> u64;
    set_time: b"shim_set_time\0" fn(Handle, u64);
    report: b"shim_report\0" fn(Handle, *mut Report);
    open_trace: b"shim_open_trace\0" fn(Handle, *const c_char) -> i32;
    flush_trace: b"shim_flush_trace\0" fn(Handle);
    close_trace: b"shim_close_trace\0" fn(Handle);
    write_coverage: b"shim_write_coverage\0" fn(Handle, *const c_char) -> i32;
    save: b"shim_save\0" fn(Handle, unsafe extern "C" fn(*mut c_void, *const u8, usize), *mut c_void) -> i32;
    restore: b"shim_restore\0" fn(Handle, *const u8, usize) -> i32;
}

impl Functions {
    /// Loads a library that the cache has just vouched for, and keeps it loaded for ever.
    pub(crate) fn load(path: &Path) -> Result<Self, BuildError> {
        let failed =
            |error: libloading::Error| BuildError::Load { path: path.to_owned(), reason: error.to_string() };
        // SAFETY: loading runs the initialisers of Verilator's run-time library, which only set up its own statics.
        let library = unsafe { libloading::Library::new(path) }.map_err(failed)?;
        // Unloading would leave behind thread-locals and exit handlers that point into it.
        let library: &'static libloading::Library = Box::leak(Box::new(library));
        Self::find(library).map_err(failed)
    }
}

/// One instance of a model: an address, and where its pins are.
pub(crate) struct Instance {
    functions: Arc<Functions>,
    handle: Handle,
    /// Null only if the constructor failed; then every access panics.
    pins: Box<[*mut c_void]>,
    widths: Arc<[u32]>,
}

/// Pins to be read together, by how Verilator stores them: the index of each, and the word it is read into.
#[derive(Clone, Debug, Default)]
pub(crate) struct SortedPins {
    bytes: Vec<(usize, usize)>,
    halves: Vec<(usize, usize)>,
    singles: Vec<(usize, usize)>,
    doubles: Vec<(usize, usize)>,
    wide: Vec<(usize, usize)>,
    pub(crate) words: usize,
}

// SAFETY: an instance is reached only through its handle, which is never copied out of this type, and `&mut self` or
// single-threaded `&self` (the type is not `Sync`) guards each call. `shim.cpp` sets the thread-local context on entry,
// so it does not matter which thread calls.
unsafe impl Send for Instance {}

impl Instance {
    /// Makes an instance; `widths` are those of ports, then probes, in the order of the shim's table.
    pub(crate) fn new(
        functions: Arc<Functions>,
        widths: Arc<[u32]>,
        random: bool,
        seed: i32,
    ) -> Result<Self, Failure> {
        // SAFETY: the function takes two numbers and gives a fresh instance, or null when out of memory.
        let handle = unsafe { (functions.new)(i32::from(random), seed) };
        let Some(handle) = handle else {
            std::alloc::handle_alloc_error(std::alloc::Layout::new::<Opaque>())
        };
        let mut pins = vec![std::ptr::null_mut(); widths.len()].into_boxed_slice();
        // SAFETY: the shim writes exactly one pointer per port and probe; `widths` has one entry for each.
        unsafe { (functions.pins)(handle, pins.as_mut_ptr()) };
        let instance = Self { functions, handle, pins, widths };
        match instance.report() {
            Some(failure) => Err(failure),
            None => Ok(instance),
        }
    }

    fn pin(&self, index: usize) -> (*mut c_void, u32) {
        let (pin, bits) = (self.pins[index], self.widths[index]);
        assert!(!pin.is_null(), "the model was never constructed");
        (pin, bits)
    }

    /// Reads a pin of at most 64 bits.
    #[inline]
    pub(crate) fn read(&self, index: usize) -> u64 {
        let (pin, bits) = self.pin(index);
        // SAFETY: the shim gave the address of a member of the living model, which Verilator stores as CData (8 bits),
        // SData (16), IData (32) or QData (64) by its width; nothing else touches the model during this call.
        unsafe {
            match bits {
                0..=8 => u64::from(pin.cast::<u8>().read()),
                9..=16 => u64::from(pin.cast::<u16>().read()),
                17..=32 => u64::from(pin.cast::<u32>().read()),
                33..=64 => pin.cast::<u64>().read(),
                _ => panic!("a pin of {bits} bits is read with get_words"),
            }
        }
    }

    /// Writes a pin of at most 64 bits; the caller has checked that the value fits.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the width is the one the arm is for")]
    pub(crate) fn write(&mut self, index: usize, value: u64) {
        let (pin, bits) = self.pin(index);
        // SAFETY: as in `read`; `&mut self` makes this the only access.
        unsafe {
            match bits {
                0..=8 => pin.cast::<u8>().write(value as u8),
                9..=16 => pin.cast::<u16>().write(value as u16),
                17..=32 => pin.cast::<u32>().write(value as u32),
                33..=64 => pin.cast::<u64>().write(value),
                _ => panic!("a pin of {bits} bits is written with set_words"),
            }
        }
    }

    /// Reads a pin wider than 64 bits.
    pub(crate) fn read_wide(&self, index: usize, words: &mut [u32]) {
        let (pin, bits) = self.pin(index);
        assert!(bits > 64 && words.len() == bits.div_ceil(32) as usize);
        // SAFETY: the shim gave the address of the words of a VlWide of this width; the assertion makes both sides equally long.
        unsafe { words.as_mut_ptr().copy_from_nonoverlapping(pin.cast::<u32>(), words.len()) };
    }

    /// Sorts pins by how Verilator stores them; each is read into `bits / 64` words, rounded up, one after the other.
    pub(crate) fn sorted(&self, pins: impl Iterator<Item = usize>) -> SortedPins {
        let mut sorted = SortedPins::default();
        for index in pins {
            let bits = self.widths[index];
            let place = (index, sorted.words);
            match bits {
                0..=8 => sorted.bytes.push(place),
                9..=16 => sorted.halves.push(place),
                17..=32 => sorted.singles.push(place),
                33..=64 => sorted.doubles.push(place),
                _ => sorted.wide.push(place),
            }
            sorted.words += bits.max(1).div_ceil(64) as usize;
        }
        sorted
    }

    /// Reads pins that an instance of the same library has sorted.
    #[inline]
    pub(crate) fn read_sorted(&self, sorted: &SortedPins, into: &mut [u64]) {
        let SortedPins { bytes, halves, singles, doubles, wide, words } = sorted;
        assert_eq!(into.len(), *words, "a bundle of {words} words");
        // SAFETY: as in `read`; each list holds pins of the width that its type stores (see `sorted`).
        unsafe {
            for &(index, word) in bytes {
                into[word] = u64::from(self.pins[index].cast::<u8>().read());
            }
            for &(index, word) in halves {
                into[word] = u64::from(self.pins[index].cast::<u16>().read());
            }
            for &(index, word) in singles {
                into[word] = u64::from(self.pins[index].cast::<u32>().read());
            }
            for &(index, word) in doubles {
                into[word] = self.pins[index].cast::<u64>().read();
            }
        }
        for &(index, word) in wide {
            self.read_wide_pairs(index, &mut into[word..]);
        }
    }

    /// Reads a pin wider than 64 bits, two of its words at a time.
    fn read_wide_pairs(&self, index: usize, into: &mut [u64]) {
        let (pin, bits) = self.pin(index);
        let count = bits.div_ceil(32) as usize;
        // SAFETY: as in `read_wide`: `count` words are there.
        let words = unsafe { std::slice::from_raw_parts(pin.cast::<u32>().cast_const(), count) };
        for (to, pair) in into.iter_mut().zip(words.chunks(2)) {
            *to = u64::from(pair[0]) | u64::from(pair.get(1).copied().unwrap_or(0)) << 32;
        }
    }

    /// Writes a pin wider than 64 bits.
    pub(crate) fn write_wide(&mut self, index: usize, words: &[u32]) {
        let (pin, bits) = self.pin(index);
        assert!(bits > 64 && words.len() == bits.div_ceil(32) as usize);
        // SAFETY: as in `read_wide`; `&mut self` makes this the only access.
        unsafe { pin.cast::<u32>().copy_from_nonoverlapping(words.as_ptr(), words.len()) };
    }

    /// Evaluates, dumps if a trace is open, and moves time on by one.
    #[inline]
    pub(crate) fn eval(&mut self) -> Result<(), Failure> {
        // SAFETY: the handle is alive until drop.
        match unsafe { (self.functions.eval)(self.handle) } {
            0 => Ok(()),
            _ => self.report().map_or(Ok(()), Err),
        }
    }

    /// The first failure since the last report.
    #[cold]
    fn report(&self) -> Option<Failure> {
        let nothing = std::ptr::null();
        let mut report = Report {
            kind: 0,
            line: 0,
            failures: 0,
            broken: 0,
            time: 0,
            file: nothing,
            hierarchy: nothing,
            text: nothing,
        };
        // SAFETY: the handle is alive; `report` has the layout of the C++ struct.
        unsafe { (self.functions.report)(self.handle, &raw mut report) };
        let kind = match report.kind {
            0 => return None,
            1 => FailureKind::Error,
            2 => FailureKind::Fatal,
            3 => FailureKind::Stop,
            _ => FailureKind::Internal,
        };
        // SAFETY: the shim fills in three zero-terminated texts that live until the next call on this handle.
        let [file, hierarchy, text] = unsafe {
            [report.file, report.hierarchy, report.text]
                .map(|text| CStr::from_ptr(text).to_string_lossy().into_owned())
        };
        let (named, message) = failure::split_message(&text);
        Some(Failure {
            kind,
            file,
            line: u32::try_from(report.line).unwrap_or(0),
            hierarchy: if named.is_empty() { hierarchy } else { named },
            message,
            time: report.time,
            others: report.failures.saturating_sub(1),
        })
    }

    pub(crate) fn is_finished(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { (self.functions.finished)(self.handle) != 0 }
    }

    pub(crate) fn time(&self) -> u64 {
        // SAFETY: the handle is alive.
        unsafe { (self.functions.time)(self.handle) }
    }

    pub(crate) fn set_time(&mut self, time: u64) {
        // SAFETY: the handle is alive.
        unsafe { (self.functions.set_time)(self.handle, time) }
    }

    /// Whether the file could be opened.
    pub(crate) fn open_trace(&mut self, path: &CString) -> bool {
        // SAFETY: the handle is alive, and the path is zero-terminated.
        unsafe { (self.functions.open_trace)(self.handle, path.as_ptr()) != 0 }
    }

    pub(crate) fn flush_trace(&mut self) {
        // SAFETY: the handle is alive.
        unsafe { (self.functions.flush_trace)(self.handle) }
    }

    pub(crate) fn close_trace(&mut self) {
        // SAFETY: the handle is alive.
        unsafe { (self.functions.close_trace)(self.handle) }
    }

    /// Whether Verilator raised no complaint.
    pub(crate) fn write_coverage(&mut self, path: &CString) -> bool {
        // SAFETY: the handle is alive, and the path is zero-terminated.
        unsafe { (self.functions.write_coverage)(self.handle, path.as_ptr()) != 0 }
    }

    /// The state as Verilator serialises it.
    pub(crate) fn save(&mut self) -> Result<Vec<u8>, Failure> {
        unsafe extern "C" fn receive(to: *mut c_void, bytes: *const u8, size: usize) {
            if size == 0 {
                return;
            }
            // SAFETY: called by `shim_save` below with the vector it was given and a buffer of `size` bytes.
            unsafe { (*to.cast::<Vec<u8>>()).extend_from_slice(std::slice::from_raw_parts(bytes, size)) };
        }
        let mut bytes = Vec::new();
        // SAFETY: the handle is alive; the callback runs before the call returns, while there is no other borrow of `bytes`.
        unsafe { (self.functions.save)(self.handle, receive, (&raw mut bytes).cast()) };
        self.report().map_or(Ok(bytes), Err)
    }

    /// Puts back what `save` gave.
    pub(crate) fn restore(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        // SAFETY: the handle is alive, and the shim reads no more than `len` bytes.
        unsafe { (self.functions.restore)(self.handle, bytes.as_ptr(), bytes.len()) };
        self.report().map_or(Ok(()), Err)
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the handle came from `shim_new`, is owned by this value, and is not used afterwards.
        unsafe { (self.functions.delete)(self.handle) }
    }
}
