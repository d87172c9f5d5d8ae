//! One running instance of a design.

use std::{ffi::CString, fmt, path::Path, sync::Arc};

use sha2::{Digest as _, Sha256};

use crate::{
    Coverage, Direction, Failure, PortInfo, Trace,
    error::{CheckpointError, CoverageError, PinsError, PortError, TraceError},
    ffi::Instance,
    handle::{Bundle, Input, Output, Pin},
    loaded::Loaded,
    probe,
};

/// One instance of a design, with a context, a time and a trace of its own. It can move to another thread.
pub struct Model {
    instance: Instance,
    loaded: Arc<Loaded>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model")
            .field("top", &self.loaded.top)
            .field("time", &self.time())
            .finish_non_exhaustive()
    }
}

impl Model {
    pub(crate) fn new(loaded: Arc<Loaded>, instance: Instance) -> Self {
        let mut model = Self { instance, loaded };
        for index in 0..model.loaded.pins.ports.len() {
            let port = &model.loaded.pins.ports[index];
            if port.direction != Direction::Output {
                let bits = port.bits;
                model.write_words(index, bits, &vec![0; words(bits)]);
            }
        }
        model
    }

    /// A handle to an input port of exactly `bits` bits.
    ///
    /// # Errors
    ///
    /// There is no such port, or it is an output, or its width is another.
    pub fn input(&self, name: &str, bits: u32) -> Result<Input, PortError> {
        let index = self.loaded.port(name, Direction::Input, bits)?;
        Ok(Input(self.pin(index, bits)))
    }

    /// A handle to an output port of exactly `bits` bits.
    ///
    /// # Errors
    ///
    /// There is no such port, or it is an input, or its width is another.
    pub fn output(&self, name: &str, bits: u32) -> Result<Output, PortError> {
        let index = self.loaded.port(name, Direction::Output, bits)?;
        Ok(Output(self.pin(index, bits)))
    }

    /// A handle to a public signal inside the design, by its hierarchical name, top module first.
    ///
    /// # Errors
    ///
    /// There is no such signal, or its width is another.
    pub fn probed(&self, name: &str, bits: u32) -> Result<Output, PortError> {
        let pins = &self.loaded.pins;
        let index = probe::find(&pins.probes, name)?;
        let found = pins.probes[index].bits;
        if found == bits {
            Ok(Output(self.pin(pins.ports.len() + index, bits)))
        } else {
            Err(PortError::ProbeWidth { name: name.to_owned(), expected: bits, found })
        }
    }

    /// Sets an input of at most 64 bits; the design sees it at the next [`eval`](Self::eval).
    ///
    /// # Panics
    ///
    /// The handle is from another library, or the value does not fit.
    #[inline]
    pub fn set(&mut self, input: Input, value: u64) {
        let index = self.checked(input.0);
        let bits = input.0.bits;
        assert!(bits >= 64 || value >> bits == 0, "{value:#x} does not fit an input of {bits} bits");
        self.instance.write(index, value);
    }

    /// Reads an output or a probe of at most 64 bits.
    ///
    /// # Panics
    ///
    /// The handle is from another library, or wider than 64 bits.
    #[inline]
    #[must_use]
    pub fn get(&self, output: Output) -> u64 {
        self.instance.read(self.checked(output.0))
    }

    /// Sets an input of any width from 32-bit words, least significant first.
    ///
    /// # Panics
    ///
    /// The handle is from another library, the number of words is not that of the input, or the last word does not fit.
    pub fn set_words(&mut self, input: Input, words: &[u32]) {
        let index = self.checked(input.0);
        self.write_words(index, input.0.bits, words);
    }

    /// Reads an output or a probe of any width into 32-bit words, least significant first.
    ///
    /// # Panics
    ///
    /// The handle is from another library, or the number of words is not that of the output.
    pub fn get_words(&self, output: Output, into: &mut [u32]) {
        let index = self.checked(output.0);
        let bits = output.0.bits;
        assert_eq!(into.len(), words(bits), "a pin of {bits} bits has {} words", words(bits));
        if bits > 64 {
            self.instance.read_wide(index, into);
        } else {
            let value = self.instance.read(index);
            for (word, part) in into.iter_mut().zip([low_word(value), low_word(value >> 32)]) {
                *word = part;
            }
        }
    }

    /// Reads an output or a probe of any width into a vector of 32-bit words, least significant first.
    ///
    /// # Panics
    ///
    /// The handle is from another library.
    #[must_use]
    pub fn to_words(&self, output: Output) -> Vec<u32> {
        let mut found = vec![0; words(output.0.bits)];
        self.get_words(output, &mut found);
        found
    }

    /// A bundle of outputs and probes of any width. Each takes as many whole 64-bit words as it needs, in this order.
    ///
    /// # Panics
    ///
    /// A handle is from another library.
    #[must_use]
    pub fn bundle(&self, outputs: &[Output]) -> Bundle {
        let pins = self.instance.sorted(outputs.iter().map(|output| self.checked(output.0)));
        Bundle { library: self.loaded.id, pins }
    }

    /// Reads a bundle, several times as fast as its pins one by one.
    ///
    /// # Panics
    ///
    /// The bundle is from another library, or `into` has not [`Bundle::words`] words.
    #[inline]
    pub fn read(&self, bundle: &Bundle, into: &mut [u64]) {
        assert!(bundle.library == self.loaded.id, "the bundle belongs to another library");
        self.instance.read_sorted(&bundle.pins, into);
    }

    fn write_words(&mut self, index: usize, bits: u32, from: &[u32]) {
        assert_eq!(from.len(), words(bits), "a pin of {bits} bits has {} words", words(bits));
        let spare = (32 - bits % 32) % 32;
        let last = from.last().copied().unwrap_or(0);
        assert!(
            last.leading_zeros() >= spare,
            "the last word {last:#x} does not fit an input of {bits} bits"
        );
        if bits > 64 {
            self.instance.write_wide(index, from);
        } else {
            let high = from.get(1).copied().unwrap_or(0);
            self.instance.write(index, u64::from(from[0]) | u64::from(high) << 32);
        }
    }

    /// Lets the design react to its inputs. One evaluation is one step of [`time`](Self::time).
    ///
    /// # Errors
    ///
    /// The first assertion, `$error`, `$fatal` or `$stop` that struck. The evaluation was completed, and the model can
    /// go on; only after [`FailureKind::Internal`](crate::FailureKind::Internal) every later call fails as well.
    #[inline]
    pub fn eval(&mut self) -> Result<(), Failure> {
        self.instance.eval()
    }

    /// One clock period: low, [`eval`](Self::eval), high, `eval`.
    ///
    /// # Errors
    ///
    /// As for `eval`. If the first half fails, the second does not take place.
    #[inline]
    pub fn cycle(&mut self, clock: Input) -> Result<(), Failure> {
        self.set(clock, 0);
        self.eval()?;
        self.set(clock, 1);
        self.eval()
    }

    /// Whether the design has executed `$finish`.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.instance.is_finished()
    }

    /// The number of evaluations so far, unless it was set. Traces and failures carry it, and `$time` returns it.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.instance.time()
    }

    /// Sets the time. An open trace must not see it go back.
    pub fn set_time(&mut self, time: u64) {
        self.instance.set_time(time);
    }

    /// Writes waveforms to `path` from now on; a trace that is open is closed first.
    ///
    /// # Errors
    ///
    /// The library was built without traces, or the file cannot be written.
    pub fn open_trace(&mut self, path: impl AsRef<Path>) -> Result<(), TraceError> {
        let path = path.as_ref();
        if self.loaded.trace == Trace::None {
            return Err(TraceError::NotBuilt);
        }
        match c_path(path) {
            Some(name) if self.instance.open_trace(&name) => Ok(()),
            _ => Err(TraceError::Unwritable { path: path.to_owned() }),
        }
    }

    /// Writes what is still in memory to the open trace.
    pub fn flush_trace(&mut self) {
        self.instance.flush_trace();
    }

    /// Completes the open trace, if there is one.
    pub fn close_trace(&mut self) {
        self.instance.close_trace();
    }

    /// Writes what was counted so far, for [`coverage::read`](crate::coverage::read).
    ///
    /// # Errors
    ///
    /// The library was built without coverage, or the file cannot be written.
    pub fn write_coverage(&mut self, path: impl AsRef<Path>) -> Result<(), CoverageError> {
        let path = path.as_ref();
        if self.loaded.coverage == Coverage::None {
            return Err(CoverageError::NotBuilt);
        }
        let unwritable = || CoverageError::Unwritable { path: path.to_owned() };
        // Verilator itself would only say that it failed, and some versions stop the model for it.
        std::fs::File::create(path).map_err(|_| unwritable())?;
        match c_path(path) {
            Some(name) if self.instance.write_coverage(&name) => Ok(()),
            _ => Err(unwritable()),
        }
    }

    /// The whole state of the model, to be put back with [`restore`](Self::restore).
    ///
    /// # Panics
    ///
    /// The library was built without [`Design::checkpoints`](crate::Design::checkpoints), or the model is broken by a
    /// [`FailureKind::Internal`](crate::FailureKind::Internal).
    #[must_use]
    pub fn save(&mut self) -> Vec<u8> {
        assert!(self.loaded.checkpoints, "built without checkpoints: ask for them with Design::checkpoints");
        let state = match self.instance.save() {
            Ok(state) => state,
            Err(failure) => panic!("a broken model cannot be saved: {failure}"),
        };
        let mut bytes = self.loaded.fingerprint();
        bytes.extend((state.len() as u64).to_le_bytes());
        bytes.extend(Sha256::digest(&state));
        bytes.extend(state);
        bytes
    }

    /// Puts the model into a state that [`save`](Self::save) gave, on this or another model of the same library, even in
    /// another process. The time goes back too: close a trace before.
    ///
    /// # Errors
    ///
    /// The library was built without checkpoints, or the bytes are not from it, or damaged; the model is then as it was.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), CheckpointError> {
        if !self.loaded.checkpoints {
            return Err(CheckpointError::NotBuilt);
        }
        let rest =
            bytes.strip_prefix(self.loaded.fingerprint().as_slice()).ok_or(CheckpointError::Foreign)?;
        let (length, rest) = rest.split_first_chunk::<8>().ok_or(CheckpointError::Foreign)?;
        let (digest, state) = rest.split_first_chunk::<32>().ok_or(CheckpointError::Foreign)?;
        if u64::from_le_bytes(*length) != state.len() as u64 {
            return Err(CheckpointError::Foreign);
        }
        // Verilator's reader believes a damaged length, and asks for gigabytes.
        if digest[..] != Sha256::digest(state)[..] {
            return Err(CheckpointError::Damaged);
        }
        self.instance.restore(state).map_err(CheckpointError::Unreadable)
    }

    /// Every port, in Verilator's order.
    #[must_use]
    pub fn ports(&self) -> &[PortInfo] {
        &self.loaded.pins.ports
    }

    /// The top module.
    #[must_use]
    pub fn top(&self) -> &str {
        &self.loaded.top
    }

    /// Checks several ports at once, for [`ports!`](crate::ports).
    ///
    /// # Errors
    ///
    /// Every mismatch, together.
    pub fn check_ports(&self, expected: &[(Direction, &str, u32)]) -> Result<(), PinsError> {
        self.loaded.check_ports(expected)
    }

    fn pin(&self, index: usize, bits: u32) -> Pin {
        Pin { library: self.loaded.id, index: u32::try_from(index).unwrap_or(u32::MAX), bits }
    }

    #[inline]
    fn checked(&self, pin: Pin) -> usize {
        assert!(pin.library == self.loaded.id, "the pin belongs to another library");
        pin.index as usize
    }
}

fn words(bits: u32) -> usize {
    bits.div_ceil(32) as usize
}

#[expect(clippy::cast_possible_truncation, reason = "the low word is what is wanted")]
fn low_word(value: u64) -> u32 {
    value as u32
}

fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_encoded_bytes()).ok()
}
