//! Numbers in a row of bytes, lowest byte first.

/// The bytes end before the value does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooShort;

/// Reads values, one after the other.
#[derive(Clone, Debug)]
pub struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    /// Reads from the first byte on.
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether everything has been read.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What has not been read yet.
    pub const fn rest(&self) -> &'b [u8] {
        self.rest
    }

    /// The next `N` bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], TooShort> {
        let (first, rest) = self.rest.split_first_chunk::<N>().ok_or(TooShort)?;
        self.rest = rest;
        Ok(*first)
    }

    /// One byte.
    ///
    /// # Errors
    /// When there is none.
    pub fn u8(&mut self) -> Result<u8, TooShort> {
        self.take::<1>().map(|[byte]| byte)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn u16(&mut self) -> Result<u16, TooShort> {
        self.take().map(u16::from_le_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn u32(&mut self) -> Result<u32, TooShort> {
        self.take().map(u32::from_le_bytes)
    }

    /// Eight bytes.
    ///
    /// # Errors
    /// When there are fewer.
    pub fn u64(&mut self) -> Result<u64, TooShort> {
        self.take().map(u64::from_le_bytes)
    }

    /// A number of up to 128 bits, seven of them to a byte, the lowest first; the highest bit says whether more follow.
    ///
    /// # Errors
    /// When the bytes end within it.
    pub fn number(&mut self) -> Result<u128, TooShort> {
        let (mut value, mut at) = (0u128, 0u32);
        loop {
            let byte = self.u8()?;
            value |= u128::from(byte & 0x7f).checked_shl(at).unwrap_or_default();
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            at = at.saturating_add(7);
        }
    }
}

/// Writes values, one after the other.
#[derive(Debug)]
pub struct Writer<'b> {
    to: &'b mut [u8],
    length: usize,
    overflowed: bool,
}

/// The values need more bytes than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl<'b> Writer<'b> {
    /// Writes from the first byte on.
    pub const fn new(to: &'b mut [u8]) -> Self {
        Self { to, length: 0, overflowed: false }
    }

    /// Bytes written.
    ///
    /// # Errors
    /// When some did not fit.
    pub const fn length(&self) -> Result<usize, TooLong> {
        if self.overflowed { Err(TooLong) } else { Ok(self.length) }
    }

    /// These bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.u8(byte);
        }
    }

    /// One byte.
    pub fn u8(&mut self, value: u8) {
        match self.to.get_mut(self.length) {
            Some(place) => {
                *place = value;
                self.length = self.length.wrapping_add(1);
            }
            None => self.overflowed = true,
        }
    }

    /// Two bytes.
    pub fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    /// Four bytes.
    pub fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    /// Eight bytes.
    pub fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    /// A number of up to 128 bits, as [`Reader::number`] reads it.
    pub fn number(&mut self, mut value: u128) {
        while value > 0x7f {
            self.u8((value as u8) | 0x80);
            value = value.wrapping_shr(7);
        }
        self.u8(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = [0; 64];
        let mut writer = Writer::new(&mut bytes);
        writer.u16(0x1234);
        writer.number(u128::MAX);
        writer.number(0);
        writer.number(300);
        writer.u64(7);
        let length = writer.length().unwrap_or_default();
        let mut reader = Reader::new(bytes.get(..length).unwrap_or_default());
        assert_eq!(reader.u16(), Ok(0x1234));
        assert_eq!(reader.number(), Ok(u128::MAX));
        assert_eq!((reader.number(), reader.number()), (Ok(0), Ok(300)));
        assert_eq!((reader.u64(), reader.u8()), (Ok(7), Err(TooShort)));
    }

    #[test]
    fn bytes_that_do_not_fit_are_noticed() {
        let mut bytes = [0; 3];
        let mut writer = Writer::new(&mut bytes);
        writer.u32(1);
        assert_eq!(writer.length(), Err(TooLong));
    }
}
