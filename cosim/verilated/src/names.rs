//! How Verilator spells a Verilog name in C++.

/// Turns the spelling of a C++ member back into the Verilog name.
pub(crate) fn decode(encoded: &str) -> String {
    let plain = encoded
        .trim_start_matches("__PVT__")
        .replace("__DOT__", ".")
        .replace("__BRA__", "[")
        .replace("__KET__", "]");
    let mut name = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    // `__024` is the character with the hexadecimal code 24; `___` stands for `__`.
    while let Some(at) = rest.find("__0") {
        name.push_str(&rest[..at]);
        let code = rest.get(at + 3..at + 5).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(u8::is_ascii_graphic) {
            Some(code) => {
                name.push(char::from(code));
                rest = &rest[at + 5..];
            }
            None => {
                name.push_str("__0");
                rest = &rest[at + 3..];
            }
        }
    }
    name.push_str(rest);
    name
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn hierarchy_and_generate_indices_come_back() {
        assert_eq!(decode("clk"), "clk");
        assert_eq!(decode("top__DOT__lane__BRA__3__KET____DOT__sum"), "top.lane[3].sum");
        assert_eq!(decode("a__024b"), "a$b");
    }
}
