//! What of a switch a check has reached, file by file.

use super::{Place, THREE_MAP, three, verilator_is_here};
use std::fs;

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn what_was_not_reached_stands_under_its_line() {
        if !verilator_is_here() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("reached");
        let counting = |map: &str| -> Place {
            three(map).with(&["--cycles", "20000", "--coverage", at.to_str().unwrap()])
        };
        let out = counting(THREE_MAP).passes();
        let row = out.lines().find(|line| line.trim_start().starts_with("three.v ")).unwrap();
        assert!(row.contains(" of ") && out.contains("  coverage  "), "{out}");
        let table = fs::read_to_string(at.join("coverage.csv")).unwrap();
        let (head, rest) = table.split_once('\n').unwrap();
        assert_eq!(head, "file,lines_reached,lines,branches_reached,branches,bits_reached,bits");
        let numbers: Vec<u32> =
            rest.trim_end().rsplit(',').take(6).map(|number| number.parse().unwrap()).collect();
        assert!(numbers.chunks(2).all(|pair| pair[1] > 0 && pair[1] <= pair[0]), "{table}");
        assert!(numbers[0] > numbers[1], "some bit never changed: {table}");
        // The queues are never overfull; `waits` is 0 for ever.
        let annotated = |from: &str| {
            let path = fs::canonicalize(from).unwrap();
            fs::read_to_string(at.join("annotated").join(path.strip_prefix("/").unwrap())).unwrap()
        };
        let text = annotated(&format!("{}/tests/cli/conform/three.v", env!("CARGO_MANIFEST_DIR")));
        let below = |line: &str| {
            let mut lines = text.lines().skip_while(|found| !found.contains(line));
            (lines.next().unwrap().to_owned(), lines.next().unwrap().to_owned())
        };
        assert!(below("if (count[i] > 4) error").1.contains("!   not taken: "), "{text}");
        assert!(below("wire        waits,").1.ends_with("!   never changed: waits"), "{text}");
        let (line, after) = below("if (in_valid[i] && in_ready[i]) begin");
        assert!(line.trim_start().starts_with(|first: char| ('1'..='9').contains(&first)), "{line}");
        assert!(!after.contains('!'), "{text}");
    }
}
