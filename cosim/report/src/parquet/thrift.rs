//! Structures in Thrift's compact protocol, as far as Parquet's metadata need them.

/// Numbers of types.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure that is being written; its fields come by rising numbers.
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), last: 0 }
    }

    /// The number of a field as its distance from the one before, at most 15, and its type.
    fn field(mut self, number: u8, of: u8) -> Self {
        self.bytes.push((number - self.last) << 4 | of);
        self.last = number;
        self
    }

    /// A whole number of 32 bits, or of 64.
    pub(super) fn whole(self, number: u8, value: i64, is_long: bool) -> Self {
        let mut with = self.field(number, if is_long { I64 } else { I32 });
        zigzag(&mut with.bytes, value);
        with
    }

    pub(super) fn text(self, number: u8, text: &str) -> Self {
        let mut with = self.field(number, BINARY);
        string(&mut with.bytes, text);
        with
    }

    pub(super) fn inner(self, number: u8, inner: Self) -> Self {
        let mut with = self.field(number, STRUCT);
        with.bytes.extend(inner.end());
        with
    }

    pub(super) fn wholes(self, number: u8, values: &[i32]) -> Self {
        let mut with = self.list(number, I32, values.len());
        values.iter().for_each(|value| zigzag(&mut with.bytes, i64::from(*value)));
        with
    }

    pub(super) fn texts(self, number: u8, texts: &[&str]) -> Self {
        let mut with = self.list(number, BINARY, texts.len());
        texts.iter().for_each(|text| string(&mut with.bytes, text));
        with
    }

    pub(super) fn inners(self, number: u8, inners: Vec<Self>) -> Self {
        let mut with = self.list(number, STRUCT, inners.len());
        inners.into_iter().for_each(|inner| with.bytes.extend(inner.end()));
        with
    }

    /// How many, and of which type.
    fn list(self, number: u8, of: u8, count: usize) -> Self {
        let mut with = self.field(number, LIST);
        if count < 15 {
            with.bytes.push((count as u8) << 4 | of);
        } else {
            with.bytes.push(0xf0 | of);
            varint(&mut with.bytes, count as u64);
        }
        with
    }

    /// Its bytes.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

/// Seven bits a byte, the lowest first.
pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn zigzag(bytes: &mut Vec<u8>, value: i64) {
    varint(bytes, (value << 1 ^ value >> 63).cast_unsigned());
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}
