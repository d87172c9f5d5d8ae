//! A line of text of limited length, on its way to a human.

use core::fmt;

/// Text of at most `N` bytes. What does not fit is cut off.
#[derive(Clone, Copy, Debug)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    /// No text.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: [0; N], length: 0 }
    }

    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// No text again.
    pub const fn clear(&mut self) {
        self.length = 0;
    }

    /// Adds a byte, if there is room.
    pub fn push(&mut self, byte: u8) -> bool {
        let Some(place) = self.bytes.get_mut(self.length) else { return false };
        *place = byte;
        self.length = self.length.wrapping_add(1);
        true
    }

    /// Takes the last byte away, if there is one.
    pub const fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
    }

    /// Adds spaces up to a column.
    pub fn pad_to(&mut self, column: usize) {
        while self.length < column && self.push(b' ') {}
    }
}

impl<const N: usize> fmt::Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| _ = self.push(byte));
        Ok(())
    }
}
