//! Values of module parameters, as Verilator's `-G` takes them.

use std::fmt;

/// A value for a parameter of the top module.
///
/// Integers and strings convert into it; [`Parameter::sized`] writes a sized hexadecimal constant of any width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter(String);

impl Parameter {
    /// A constant of `bits` bits, given as hexadecimal digits: `Parameter::sized(48, "dead_beef")`.
    #[must_use]
    pub fn sized(bits: u32, hex: &str) -> Self {
        Self(format!("{bits}'h{hex}"))
    }

    /// Text that Verilator reads as it stands, such as `4'b10_01` or `3.5`.
    #[must_use]
    pub fn verbatim(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<bool> for Parameter {
    fn from(value: bool) -> Self {
        Self(format!("1'b{}", u8::from(value)))
    }
}

/// Small integers are plain decimal numbers; what does not fit a Verilog `int` is written with its size.
macro_rules! from_integer {
    ($($integer:ty: $bits:literal),*) => {$(
        impl From<$integer> for Parameter {
            fn from(value: $integer) -> Self {
                if i32::try_from(value).is_ok() {
                    Self(value.to_string())
                } else {
                    Self(format!("{}'h{value:x}", $bits))
                }
            }
        }
    )*};
}

from_integer!(u8: 8, u16: 16, u32: 32, u64: 64, u128: 128, usize: 64, i8: 8, i16: 16, i32: 32, i64: 64);

impl From<&str> for Parameter {
    fn from(value: &str) -> Self {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        Self(format!("\"{escaped}\""))
    }
}

impl From<String> for Parameter {
    fn from(value: String) -> Self {
        Self::from(value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Parameter;

    #[test]
    fn integers_keep_their_value_and_large_ones_their_size() {
        assert_eq!(Parameter::from(4).to_string(), "4");
        assert_eq!(Parameter::from(-1).to_string(), "-1");
        assert_eq!(Parameter::from(0xffff_ffff_u32).to_string(), "32'hffffffff");
        assert_eq!(Parameter::from(1_u64 << 40).to_string(), "64'h10000000000");
    }

    #[test]
    fn strings_are_quoted() {
        assert_eq!(Parameter::from("a\"b").to_string(), "\"a\\\"b\"");
        assert_eq!(Parameter::sized(48, "dead_beef").to_string(), "48'hdead_beef");
    }
}
