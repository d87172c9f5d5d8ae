//! What a library of cells says about itself.

/// The area of the smallest NAND gate of two inputs, by its name; `None` where no cell has such a name.
pub(super) fn nand_area(library: &str) -> Option<f64> {
    // Not `cell_footprint` and its like.
    let begins = |&(at, word): &(usize, &str)| library[at + word.len()..].trim_start().starts_with('(');
    let starts: Vec<usize> = library.match_indices("cell").filter(begins).map(|(at, _)| at).collect();
    let ends = starts.iter().copied().skip(1).chain([library.len()]);
    let cells = starts.iter().zip(ends).filter_map(|(&start, end)| {
        let (_, text) = library[start..end].split_once('(')?;
        let (name, body) = text.split_once(')')?;
        let is_nand = name.trim().trim_matches('"').to_ascii_lowercase().contains("nand2");
        let (_, after) = body.split_once("area")?;
        let value = after.trim_start().strip_prefix(':')?.split(';').next()?;
        is_nand.then(|| value.trim().parse::<f64>().ok()).flatten()
    });
    cells.reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_nand_of_two_inputs_is_the_gate() {
        let library = "library (l) { cell (NAND2X2) { area : 48; } cell (\"NAND2X1\") { cell_footprint : \"n\"; area : 24; } \
                       cell (INVX1) { area : 16; } cell (NAND3X1) { area : 36; } }";
        assert_eq!(nand_area(library), Some(24.0));
        assert_eq!(nand_area("library (l) { cell (INVX1) { area : 16; } }"), None);
    }
}
