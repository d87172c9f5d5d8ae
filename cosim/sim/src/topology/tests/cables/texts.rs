//! The texts that fabrics come in: with lines of other programs, mailed, damaged, and as `ibsim` writes them.

use super::*;

/// Other programs write between the lines: libraries warn, shells prompt. A line that looks like one of the fabric is not skipped.
#[test]
fn lines_of_other_programs_are_skipped_and_counted() {
    for strange in [
        "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,1,31 Attr 0x11:0) bad status 110; Connection timed out",
        "ibwarn: [6931] sim_connect: attached as client 1 at node \"S-00000000000000a0\"",
        "ibwarn: [71] _do_madrpc: recv failed: Connection timed out",
        "DR path slid 65535; dlid 65535; 0,3",
        "libibumad: can't open /dev/infiniband/umad0",
        "root@head:~# ibnetdiscover",
        "[root@head ~]# ibnetdiscover",
        "```",
        "real\t0m1.2s",
        "warning: clock skew",
    ] {
        let on_top = format!("{strange}\n{}", pair("", ""));
        let wiring = fabric(&on_top);
        assert_eq!(size(&wiring), [2, 3, 1], "{strange}");
        assert_eq!(
            wiring.notes(),
            ["net.ibnetdiscover: 1 line of another program is skipped, the first is line 1"]
        );
        assert_eq!(size(&read("scan.log", &on_top).unwrap()), [2, 3, 1], "{strange}");
        let between = pair("[20]", &format!("{strange}\n{strange}\n[20]"));
        let notes = fabric(&between).notes().to_vec();
        assert_eq!(notes, ["net.ibnetdiscover: 2 lines of other programs are skipped, the first is line 12"]);
    }
    let torn = pair("Switch\t32 \"S-00000000000000b0\"", "Swich\t32 \"S-00000000000000b0\"");
    assert_eq!(
        refusal("net.ibnetdiscover", &torn),
        ":19: expected a switch, a channel adapter or a port, as ibnetdiscover writes it"
    );
}

/// Dumps come with other ends of lines, spaces for tabs, no end of the last line, comments between ports, and any description.
#[test]
fn dumps_as_they_are_mailed() {
    for text in [
        pair("", "").replace('\n', "\r\n"),
        pair("", "").replace('\t', "    "),
        pair("", "").trim_end().to_owned(),
        format!("\u{feff}{}", pair("", "")),
        pair("[20]", "# moved on Friday\n   # \"S-1\"\n[20]"),
        pair("enhanced port 0 lid 7", "base port 0 lid 7"),
        pair("\n\nvendid", "\n\n\n\nvendid"),
    ] {
        let wiring = fabric(&text);
        assert_eq!((size(&wiring), wiring.notes()), ([2, 3, 1], &[][..]), "{text}");
        assert_eq!(wiring.node_label(2), "h3 HCA-1");
    }
    for (description, shown) in [
        ("rack \"4\" lid 9 # x", "rack \"4\" lid 9 # x"),
        ("Zürich — Knoten", "Zürich — Knoten"),
        ("MF0;leaf-3:MQM8700/U1", "MF0;leaf-3:MQM8700/U1"),
        ("=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"),
        ("\u{1b}]0;owned\u{7}", "\\u{1b}]0;owned\\u{7}"),
        ("", "H-0000000000000c01"),
        ("h2 HCA-1", "h2 HCA-1 (0xc01)"),
    ] {
        let wiring = fabric(&pair("\"h1 HCA-1\" lid 11", &format!("\"{description}\" lid 11")));
        assert_eq!((size(&wiring), wiring.node_label(0).as_str()), ([2, 3, 1], shown));
    }
    // A description that is cut in the middle of a character.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.ibnetdiscover");
    let mut bytes = pair("\"h1 HCA-1\" lid 11", "\"X\" lid 11").into_bytes();
    let place = bytes.iter().position(|&byte| byte == b'X').unwrap();
    bytes[place] = 0xc3;
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(size(&wired(&Graph::new(file, NodesPerRouter::File).into())), [2, 3, 1]);
}

#[test]
fn damaged_fabrics_are_told_by_line() {
    for (from, to, message) in [
        (
            "[2]\t\"S-00000000000000a0\"[31]",
            "[2]\t\"S-00000000000000a0\"[30]",
            ":13: port 2 of switch 0xb0 does not lead back",
        ),
        (
            "[31]\t\"S-00000000000000b0\"[2]",
            "[31]\t\"S-00000000000000b1\"[2]",
            ":13: the file has no switch 0xb1",
        ),
        ("[20]", "[3]", ":12: port 3 is listed twice"),
        ("[20]", "[0]", ":12: expected a port and what it leads to, as ibnetdiscover writes it"),
        ("[20]", "[256]", ":12: expected a port and what it leads to, as ibnetdiscover writes it"),
        ("32 \"S-00000000000000b0\"", "32 \"S-00000000000000a0\"", ":19: switch 0xa0 is listed twice"),
        (
            "Switch\t32 \"S-00000000000000b0\"",
            "Switch",
            ":19: expected a switch's name and GUID, as ibnetdiscover writes it",
        ),
    ] {
        assert_eq!(refusal("net.ibnetdiscover", &pair(from, to)), message, "{to}");
    }
}

/// `ibsim` takes names for GUIDs, one end of a cable for both, and settings of links.
#[test]
fn what_ibsim_reads() {
    const NET: &str = "# lab\nwidth=4\nSwitch\t8 \"sw-a\"\n[1]\t\"host1\"\n[2]\t\"host2\"[2]\n[8]\t\"sw-b\"[7] w=4 s=2\n\n\
                       Switch 8 \"sw-b\"\n\nHca\t1 \"host1\"\n[1] \"sw-a\"[1]\n\nHca 2 \"host2\"\n[2] \"sw-a\"[2]\n\nCa 1 \"host3\"\n[1] \"sw-b\"[3]";
    for name in ["lab.net", "lab.txt"] {
        let wiring = read(name, NET).unwrap_or_else(|error| panic!("{error}"));
        check_wiring(&wiring);
        assert_eq!(size(&wiring), [2, 3, 1]);
        assert_eq!([0, 1, 2].map(|node| wiring.node_label(node)), ["host1", "host2", "host3"]);
        assert_eq!(wiring.peer_label(0, 2).unwrap(), "sw-b port 7");
    }
    for (from, to, message) in [
        ("width=4", "include \"more.net\"", ":2: `include` is not read"),
        ("\"host2\"[2]", "\"host9\"[2]", ":5: the file has no switch `host9`"),
        ("\"sw-b\"[7]", "\"sw-b\"[3]", ":6: port 3 of switch `sw-b` does not lead back"),
    ] {
        let bad = NET.replacen(from, to, 1);
        let bad = if to.contains("[3]") {
            bad.replacen("Switch 8 \"sw-b\"\n", "Switch 8 \"sw-b\"\n[3] \"host3\"[1]\n", 1)
        } else {
            bad
        };
        assert_eq!(refusal("lab.net", &bad), message);
    }
}
