//! Slices of vectors as signals, in vectors that are declared either way.

use super::{MAP, Place, THREE_MAP, number, three, verilator_is_here};

/// The example's map, with kind and VC beside the flit; they are bits of the same vector.
fn sliced() -> String {
    let kind = "kind = { bits = \"35:34\", head = 1, body = 0, tail = 2, single = 3 }\nvc = 33\n";
    let mut map = MAP.replace(kind, "");
    for word in ["rx_word", "tx_word"] {
        let whole = format!("flit = \"{word}\"");
        let (body, head, tail) = (format!("{word}[32:0]"), format!("{word}[34]"), format!("{word}[35]"));
        let parts = format!("flit = \"{body}\"\nvc = \"{word}[33]\"\nhead = \"{head}\"\ntail = \"{tail}\"");
        assert!(map.contains(&whole), "{map}");
        map = map.replace(&whole, &parts);
    }
    map
}

#[test]
fn slices_of_a_vector_are_signals() {
    if !verilator_is_here() {
        return;
    }
    let run = |map: &str| Place::new().with_map(map).with(&["--cycles", "6000"]);
    let out = run(&sliced()).passes();
    assert!(number(&out, "packets") > 5000, "{out}");
    for (from, to, start, fragment) in [
        ("rx_word[35]", "rx_word[36]", ": `rx_word[36]` reaches up to bit 36, of 36 bits", "^^^"),
        ("rx_word[35]", "rx_word[34]", ": a bit of `rx_word` is named twice", "^^^"),
        (
            "rx_word[32:0]",
            "rx_word[0:32]",
            ": `rx_word[0:32]` must end in bits such as",
            "`vectors` at the top",
        ),
        ("tail = \"rx_word[35]\"", "", "does not name: 5 of the 180 bits of `rx_word`", "[constants]"),
        ("flit = \"rx_word[32:0]\"", "flit = \"rx_word\"", " of `rx_word` is named twice", "^^^"),
    ] {
        eprintln!("{to}");
        run(&sliced().replacen(from, to, 1)).refused(start, fragment);
    }
    // A bit that says nothing keeps one value.
    let (from, to) = ("flit = \"rx_word[32:0]\"", "flit = \"rx_word[32:1]\"");
    let narrow = sliced().replace(from, to).replace("\"tx_word[32:0]\"", "\"tx_word[32:1]\"");
    let narrow = narrow.replace("\"32:29\"", "\"31:28\"").replace("to_port = 28", "to_port = 27");
    let narrow = narrow.replace("[constants]", "[constants]\n\"rx_word[0]\" = 1");
    run(&narrow).passes();
}

/// Counted from the other end, the ports of the switch are in the other order, and so are the bits of each.
#[test]
fn vectors_that_begin_with_the_most_significant_bit() {
    if !verilator_is_here() {
        return;
    }
    let mut map = THREE_MAP.replace("ports = 3\n", "ports = 3\nvectors = \"ascending\"\norder = [2, 1, 0]\n");
    for word in ["in_word", "out_word"] {
        let parts = format!("flit = \"{word}[2:31]\"\nhead = \"{word}[0]\"\ntail = \"{word}[1]\"");
        map = map.replace(&format!("flit = \"{word}\""), &parts);
    }
    let map = map.replace("head = 31\ntail = 30\n", "");
    let out = three(&map).with(&["--cycles", "6000"]).passes();
    assert!(number(&out, "packets") > 1000, "{out}");
    three(&map.replace("[2, 1, 0]", "[0, 1, 2]")).with(&["--cycles", "6000"]).breaks(&["LEGAL-PORT"]);
    three(&map.replace("\"ascending\"", "\"rising\""))
        .refused(":5:11: `vectors` must be one of", "ascending");
}
