//! Numbers in a row of bytes, highest byte first. What lies beyond the bytes reads as 0 and is not written.

/// A field of up to 8 bits within one byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    byte: usize,
    shift: u32,
    mask: u8,
}

impl Bits {
    /// `width` bits of byte `byte`, from bit `shift` up.
    pub(crate) const fn new(byte: usize, shift: u32, width: u32) -> Self {
        let mask = u8::MAX.wrapping_shr(8u32.wrapping_sub(width));
        Self { byte, shift, mask }
    }

    /// Its value.
    pub(crate) fn get(self, bytes: &[u8]) -> u8 {
        byte(bytes, self.byte).wrapping_shr(self.shift) & self.mask
    }

    /// Writes as many bits of a value as it has.
    pub(crate) fn set(self, bytes: &mut [u8], value: u8) {
        if let Some(byte) = bytes.get_mut(self.byte) {
            let mask = self.mask.wrapping_shl(self.shift);
            *byte = (*byte & !mask) | (value.wrapping_shl(self.shift) & mask);
        }
    }
}

/// `N` bytes from `at` on.
pub(crate) fn take<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or([0; N])
}

/// Writes bytes from `at` on.
pub(crate) fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    if let Some(place) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value;
    }
}

/// One byte.
pub(crate) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// Two bytes.
pub(crate) fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes(take(bytes, at))
}

/// Four bytes.
pub(crate) fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(take(bytes, at))
}

/// Eight bytes.
pub(crate) fn double(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(take(bytes, at))
}
