//! Frames on a stream of bytes: COBS, so that a zero ends each frame and is nowhere within it, and CRC-32
//! over what is in it.

use cobs::{CobsEncoder, DecodeResult, DecoderState};
use crc::{CRC_32_ISO_HDLC, Crc, Digest, Table};

/// One table of 256 words: a kilobyte of flash, a byte a step.
const CRC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISO_HDLC);

/// Bytes of a check sum.
pub(crate) const CRC_BYTES: usize = 4;

/// A frame that is being written, straight into the bytes that go to the line.
pub(crate) struct Sealer<'b> {
    encoder: CobsEncoder<'b>,
    digest: Digest<'static, u32, Table<1>>,
    fits: bool,
}

static SUM: Crc<u32, Table<1>> = CRC;

impl<'b> Sealer<'b> {
    pub(crate) fn new(out: &'b mut [u8]) -> Self {
        // The last place is for the zero.
        let room = out.len().saturating_sub(1);
        let out = out.get_mut(..room).unwrap_or_default();
        Self { encoder: CobsEncoder::new(out), digest: SUM.digest(), fits: true }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.fits &= self.encoder.push(bytes).is_ok();
    }

    /// Adds the check sum. Returns the length without the zero that ends the frame, or 0 where it does not
    /// fit.
    pub(crate) fn finish(mut self) -> usize {
        let sum = self.digest.finalize().to_le_bytes();
        self.fits &= self.encoder.push(&sum).is_ok();
        let length = self.encoder.finalize();
        if self.fits { length } else { 0 }
    }
}

/// What a byte completed.
pub(crate) enum Assembled<'b> {
    Nothing,
    /// A frame without its check sum, which is right.
    Frame(&'b [u8]),
    Broken,
}

/// Puts the bytes of a line together.
#[derive(Debug)]
pub(crate) struct Assembler<const M: usize> {
    state: DecoderState,
    bytes: [u8; M],
    length: usize,
}

impl<const M: usize> Assembler<M> {
    pub(crate) const fn new() -> Self {
        Self { state: DecoderState::Idle, bytes: [0; M], length: 0 }
    }

    pub(crate) fn push(&mut self, byte: u8) -> Assembled<'_> {
        match self.state.feed(byte) {
            Ok(DecodeResult::NoData) => Assembled::Nothing,
            Ok(DecodeResult::DataStart) => {
                self.length = 0;
                Assembled::Nothing
            }
            Ok(DecodeResult::DataContinue(byte)) => {
                // One that is too long has a wrong check sum in the end: what does not fit is dropped.
                if let Some(place) = self.bytes.get_mut(self.length) {
                    *place = byte;
                }
                self.length = self.length.saturating_add(1);
                Assembled::Nothing
            }
            Ok(DecodeResult::DataComplete) => self.opened().map_or(Assembled::Broken, Assembled::Frame),
            Err(_) => Assembled::Broken,
        }
    }

    fn opened(&self) -> Option<&[u8]> {
        let (content, sum) = self.bytes.get(..self.length)?.split_last_chunk::<CRC_BYTES>()?;
        (SUM.checksum(content) == u32::from_le_bytes(*sum)).then_some(content)
    }
}
