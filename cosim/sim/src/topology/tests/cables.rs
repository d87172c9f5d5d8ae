//! Fabrics as `ibnetdiscover` and `ibsim` have them, and what is left out of them.

mod texts;

use super::*;

/// A fabric of that text in a file of that name.
fn read(name: &str, text: &str) -> Result<Wiring, TopologyError> {
    network_of(name, text, NodesPerRouter::File)
}

fn fabric(text: &str) -> Wiring {
    let wiring = read("net.ibnetdiscover", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    check_wiring(&wiring);
    wiring
}

/// What a message says behind the name of the file.
fn refusal(name: &str, text: &str) -> String {
    behind(name, &read(name, text).unwrap_err())
}

const HEAD: &str = "#\n# Topology file: generated on Tue Mar  3 09:00:00 2026\n#\n# Initiated from node 0000000000000a01 port 0000000000000a01\n";

/// Two switches with a cable between them, two adapters at the first, one at the second.
const PAIR: &str = r#"
vendid=0x2c9
devid=0xcf08
sysimgguid=0xa0
switchguid=0xa0(a0)
Switch	32 "S-00000000000000a0"		# "east" enhanced port 0 lid 7 lmc 0
[3]	"H-0000000000000c01"[1](c01) 		# "h1 HCA-1" lid 11 4xHDR
[20]	"H-0000000000000c02"[1](c02) 		# "h2 HCA-1" lid 12 4xHDR
[31]	"S-00000000000000b0"[2]		# "west" lid 8 4xHDR

vendid=0x2c9
devid=0xcf08
sysimgguid=0xb0
switchguid=0xb0(b0)
Switch	32 "S-00000000000000b0"		# "west" enhanced port 0 lid 8 lmc 0
[1]	"H-0000000000000c03"[1](c03) 		# "h3 HCA-1" lid 13 4xHDR
[2]	"S-00000000000000a0"[31]		# "east" lid 7 4xHDR

vendid=0x2c9
devid=0x101b
sysimgguid=0xc01
caguid=0xc01
Ca	1 "H-0000000000000c01"		# "h1 HCA-1"
[1](c01) 	"S-00000000000000a0"[3]		# lid 11 lmc 0 "east" lid 7 4xHDR
"#;

fn pair(from: &str, to: &str) -> String {
    assert!(PAIR.contains(from), "{from}");
    format!("{HEAD}{}", PAIR.replacen(from, to, 1))
}

#[test]
fn names_and_ports_are_those_of_the_file() {
    let wiring = fabric(&pair("", ""));
    assert_eq!((size(&wiring), wiring.notes()), ([2, 3, 1], &[][..]));
    assert_eq!([0, 1].map(|router| wiring.router_label(router)), ["east", "west"]);
    assert_eq!([0, 1, 2].map(|node| wiring.node_label(node)), ["h1 HCA-1", "h2 HCA-1", "h3 HCA-1"]);
    assert_eq!(
        [0, 1, 2].map(|port| wiring.port_label(0, port)),
        ["east port 3", "east port 20", "east port 31"]
    );
    assert_eq!(wiring.peer_label(0, 2).unwrap(), "west port 2");
    assert_eq!(wiring.peer_label(1, 0).unwrap(), "h3 HCA-1");
    let message = "cycle 7: router 0, port 2, VC 1 from node 2 to node 1; port 1 of router 1; router 0x, router 9, rerouter 0, router 1.";
    let named = "cycle 7: east port 31, VC 1 from h3 HCA-1 to h2 HCA-1; west port 2; router 0x, router 9, rerouter 0, west.";
    assert_eq!(wiring.named(message), named);
    assert_eq!(wired(&mesh(&[2, 2])).named(message), message);
}

/// The example of the manual page, its indentation included: grouped, ports in no order, a switch without a `sysimgguid`.
#[test]
fn the_example_of_the_manual_page() {
    const MANUAL: &str = r#"
          #
          # Topology file: generated on Tue Jun  5 14:15:10 2007
          #
          # Max of 3 hops discovered
          # Initiated from node 0008f10403960558 port 0008f10403960559

          Non-Chassis Nodes

          vendid=0x8f1
          devid=0x5a06
          sysimgguid=0x5442ba00003000
          switchguid=0x5442ba00003080(5442ba00003080)
          Switch  24 "S-005442ba00003080"         # "ISR9024 Voltaire" base port 0 lid 6 lmc 0
          [22]    "H-0008f10403961354"[1](8f10403961355)         # "MT23108 InfiniHost Mellanox Technologies" lid 4 4xSDR
          [10]    "S-0008f10400410015"[1]         # "SW-6IB4 Voltaire" lid 3 4xSDR
          [8]     "H-0008f10403960558"[2](8f1040396055a)         # "MT23108 InfiniHost Mellanox Technologies" lid 14 4xSDR
          [6]     "S-0008f10400410015"[3]         # "SW-6IB4 Voltaire" lid 3 4xSDR
          [12]    "H-0008f10403960558"[1](8f10403960559)         # "MT23108 InfiniHost Mellanox Technologies" lid 10 4xSDR

          vendid=0x8f1
          devid=0x5a05
          switchguid=0x8f10400410015(8f10400410015)
          Switch  8 "S-0008f10400410015"          # "SW-6IB4 Voltaire" base port 0 lid 3 lmc 0
          [6]     "H-0008f10403960984"[1](8f10403960985)         # "MT23108 InfiniHost Mellanox Technologies" lid 16 4xSDR
          [4]     "H-005442b100004900"[1](5442b100004901)        # "MT23108 InfiniHost Mellanox Technologies" lid 12 4xSDR
          [1]     "S-005442ba00003080"[10]                # "ISR9024 Voltaire" lid 6 1xSDR
          [3]     "S-005442ba00003080"[6]         # "ISR9024 Voltaire" lid 6 4xSDR

          vendid=0x2c9
          devid=0x5a44
          caguid=0x8f10403960984
          Ca      2 "H-0008f10403960984"          # "MT23108 InfiniHost Mellanox Technologies"
          [1](8f10403960985)     "S-0008f10400410015"[6]         # lid 16 lmc 1 "SW-6IB4 Voltaire" lid 3 4xSDR

          vendid=0x2c9
          devid=0x5a44
          caguid=0x8f10403960558
          Ca      2 "H-0008f10403960558"          # "MT23108 InfiniHost Mellanox Technologies"
          [2](8f1040396055a)     "S-005442ba00003080"[8]         # lid 14 lmc 1 "ISR9024 Voltaire" lid 6 4xSDR
          [1](8f10403960559)     "S-005442ba00003080"[12]                # lid 10 lmc 1 "ISR9024 Voltaire" lid 6 1xSDR
"#;
    let wiring = fabric(MANUAL);
    let note = "net.ibnetdiscover: 6 links at 4xSDR, 1 at 1xSDR: 1xSDR carries 1/4 of a flit per cycle";
    assert_eq!((size(&wiring), wiring.notes()), ([2, 5, 2], &[note.to_owned()][..]));
    // By its head it is known without the ending of its name.
    assert_eq!(size(&read("net.txt", MANUAL).unwrap()), [2, 5, 2]);
    // By GUID; nodes of one description have their GUIDs or ports.
    assert_eq!(wiring.router_label(0), "SW-6IB4 Voltaire");
    let nodes: Vec<String> = (0..5).map(|node| wiring.node_label(node)).collect();
    assert_eq!(nodes[0], "MT23108 InfiniHost Mellanox Technologies (0x5442b100004900)");
    assert_eq!(nodes[2], "MT23108 InfiniHost Mellanox Technologies port 2");
}

#[test]
fn chassis_and_what_groups_print() {
    let grouped = PAIR
        .replacen("\nvendid", "\nChassis 1 (guid 0xa0)\n\n# Spine Nodes\nvendid", 1)
        .replacen("sysimgguid=0xa0", "sysimgguid=0xa0\t\t# Chassis 1 (rack 3) slot 2", 1)
        .replacen("switchguid=0xa0(a0)", "switchguid=0xa0(a0)\t# Spine 1 Chip 1 ", 1)
        .replacen("[31]\t", "[31][ext 9]\t", 1)
        .replacen("\"[31]", "\"[31][ext 9]", 1)
        .replacen(
            "\n\nvendid=0x2c9\ndevid=0x101b",
            "\n\nNon-Chassis Nodes\n\nHostname: h1\n# Chassis CAs\nvendid=0x2c9\ndevid=0x101b",
            1,
        )
        .replacen("# \"h1 HCA-1\"\n", "# \"h1 HCA-1\" (scp)\n", 1);
    let wiring = fabric(&format!("{HEAD}{grouped}"));
    assert_eq!((size(&wiring), wiring.notes()), ([2, 3, 1], &[][..]));
    assert_eq!(wiring.port_label(0, 2), "east port 31");
}

#[test]
fn loopback_cables_are_left_out() {
    let cables = "[5]\t\"S-00000000000000a0\"[6]\t\t# \"east\" lid 7 4xHDR\n[6]\t\"S-00000000000000a0\"[5]\t\t# \"east\" lid 7 4xHDR\n\
                  [8]\t\"S-00000000000000a0\"[8]\t\t# \"east\" lid 7 4xHDR\n";
    let wiring = fabric(&pair("[20]", &format!("{cables}[20]")));
    assert_eq!(size(&wiring), [2, 3, 1]);
    assert_eq!(wiring.notes(), ["net.ibnetdiscover: 2 loopback cables are left out"]);
    assert_eq!(wiring.port_label(0, 2), "east port 31");
}

#[test]
fn routers_to_other_subnets_are_left_out() {
    let block = "\nvendid=0x2c9\ndevid=0xc839\nrtguid=0xd0\nRt\t8 \"R-00000000000000d0\"\t\t# \"east/RT\"\n\
                 [2](d2) \t\"S-00000000000000a0\"[32]\t\t# lid 40 lmc 0 \"east\" lid 7 1xXDR\n";
    let port = "[32]\t\"R-00000000000000d0\"[2](d2) \t\t# \"east/RT\" lid 40 1xXDR\n";
    let with_both = pair("[31]", &format!("{port}[31]")) + block;
    let wiring = fabric(&with_both);
    assert_eq!(size(&wiring), [2, 3, 1]);
    let note =
        "net.ibnetdiscover: 1 link to a router of InfiniBand, which leads to another subnet, is left out";
    assert_eq!(wiring.notes(), [note]);
    assert_eq!(size(&fabric(&(pair("", "") + block))), [2, 3, 1], "its own block alone");
    assert_eq!(size(&fabric(&pair("[31]", &format!("{port}[31]")))), [2, 3, 1], "the switch's line alone");
}

#[test]
fn aggregation_nodes_are_no_hosts() {
    let port =
        "[33]\t\"H-00000000000000e0\"[1](e0) \t\t# \"Mellanox Technologies Aggregation Node\" lid 50 4xHDR\n";
    let wiring = fabric(&pair("[31]", &format!("{port}[31]")));
    assert_eq!(size(&wiring), [2, 3, 1]);
    let note = "net.ibnetdiscover: 1 aggregation node, which is inside a switch and no host, is left out";
    assert_eq!(wiring.notes(), [note]);
    let small = port.replace("Aggregation Node", "aggregation node");
    assert_eq!(fabric(&pair("[31]", &format!("{small}[31]"))).notes(), [note]);
    // A map of names may call it otherwise where it is a peer; its own block does not.
    let named = port.replace("Mellanox Technologies Aggregation Node", "sharp-east");
    let block =
        "\ncaguid=0xe0\nCa\t1 \"H-00000000000000e0\"\t\t# \"Mellanox Technologies Aggregation Node\"\n";
    assert_eq!(size(&fabric(&(pair("[31]", &format!("{named}[31]")) + block))), [2, 3, 1]);
}

/// LIDs are for tables alone: before a manager has run all are 0.
#[test]
fn lids_may_be_missing_or_twice() {
    let before: String =
        pair("", "").replace("lid 1", "lid 0 1").replace("lid 7", "lid 0").replace("lid 8", "lid 0");
    assert_eq!(size(&fabric(&before)), [2, 3, 1]);
    assert_eq!(size(&fabric(&pair("lid 12", "lid 11"))), [2, 3, 1]);
    assert_eq!(size(&fabric(&pair(" lid 11 4xHDR", ""))), [2, 3, 1]);
}

/// A link carries its width times the data of a lane, beside the fastest: 40 Gbit/s of 200, and 200 of 200.
#[test]
fn speeds_that_differ_are_rates() {
    let own = |wiring: &Wiring| {
        let ends = (0..wiring.routers()).flat_map(|at| (0..wiring.ports()).map(move |port| (at, port)));
        let found = ends.filter_map(|(at, port)| Some((at, port, wiring.rate(at, port)?)));
        found
            .map(|(at, port, (rate, is_speed))| (at, port, rate.flits(), rate.cycles(), is_speed))
            .collect::<Vec<_>>()
    };
    let wiring = fabric(&pair("\"west\" lid 8 4xHDR", "\"west\" lid 8 4xQDR"));
    let note = "net.ibnetdiscover: 3 links at 4xHDR, 1 at 4xQDR: 4xQDR carries 4/25 of a flit per cycle";
    assert_eq!(wiring.notes(), [note]);
    let both: Vec<_> =
        own(&wiring).into_iter().map(|(_, _, flits, cycles, is_speed)| (flits, cycles, is_speed)).collect();
    assert_eq!(both, [(4, 25, true); 2], "both ends of one link");
    let split = fabric(&pair("\"h1 HCA-1\" lid 11 4xHDR", "\"h1 HCA-1\" lid 11 2xNDR s=4 w=16 v=4"));
    assert_eq!(split.notes(), ["net.ibnetdiscover: 3 links at 4xHDR, 1 at 2xNDR: all carry as much"]);
    assert_eq!(own(&split), []);
    let strange = fabric(&pair("\"h1 HCA-1\" lid 11 4xHDR", "\"h1 HCA-1\" lid 11 4xFDR"));
    let note = "net.ibnetdiscover: 3 links at 4xHDR, 1 at 4xFDR: 4xFDR carries 3/11 of a flit per cycle";
    assert_eq!(strange.notes(), [note]);
    for speed in ["4xABC", "4x???", "??HDR"] {
        let unknown = fabric(&pair("\"h1 HCA-1\" lid 11 4xHDR", &format!("\"h1 HCA-1\" lid 11 {speed}")));
        assert_eq!(
            unknown.notes(),
            [format!(
                "net.ibnetdiscover: 3 links at 4xHDR, 1 at {speed}: all carry as much, unknown speeds are taken for the fastest"
            )]
        );
    }
}

/// Switches number up to 254 ports; those that are connected count.
#[test]
fn ports_are_counted_where_they_are_connected() {
    let many = |count: usize| {
        let port = |n: usize| format!("[{}]\t\"H-{n:016x}\"[1]({n:x}) \t\t# \"g{n}\" lid {n} 2xNDR\n", 4 * n);
        let ports: String = (1..=count).map(port).collect();
        format!(
            "{HEAD}\nSwitch\t254 \"S-0000000000003000\"\t\t# \"big\" enhanced port 0 lid 1 lmc 0\n{ports}"
        )
    };
    let wiring = fabric(&many(63));
    assert_eq!((size(&wiring), wiring.ports()), ([1, 63, 0], 63));
    assert_eq!(wiring.port_label(0, 62), "big port 252");
    let two_sided =
        many(63).replace("[252]", "[252]\t\"H-00000000000000f0\"[1](f0) # \"x\" lid 90 2xNDR\n[251]");
    assert_eq!(size(&fabric(&two_sided)), [1, 64, 0]);
    let wide = two_sided.replace("[251]", "[251]\t\"H-00000000000000f1\"[1](f1) # \"y\" lid 91 2xNDR\n[253]");
    assert_eq!((size(&fabric(&wide)), fabric(&wide).ports()), ([1, 65, 0], 65));
    let all = (1..=254).map(|n| format!("[{n}]\t\"H-{n:016x}\"[1]({n:x}) \t\t# \"g{n}\" lid {n} 2xNDR\n"));
    let full = format!("{}{}", &wide[..wide.find("lmc 0\n").unwrap() + 6], all.collect::<String>());
    assert_eq!(
        (size(&fabric(&full)), fabric(&full).port_label(0, 253)),
        ([1, 254, 0], "big port 254".into())
    );
}

#[test]
fn adapters_without_a_switch() {
    let joined = format!(
        "{HEAD}\nCa\t1 \"H-0000000000000a01\"\t\t# \"a\"\n[1](a01) \t\"H-0000000000000b01\"[1](b01)\t\t# lid 1 lmc 0 \"b\" lid 2 4xEDR\n"
    );
    let message = ": no switch in this fabric: two adapters are joined directly";
    assert_eq!(refusal("net.ibnetdiscover", &joined), message);
    assert_eq!(refusal("net.ibnetdiscover", HEAD), ": no switch in this file");
    assert_eq!(refusal("net.txt", &joined), message);
    let back = joined.replace("a01", "c01").replace("b01", "a01").replace("c01", "b01");
    let beside = fabric(&format!("{}{joined}{back}", pair("", "")));
    assert_eq!(size(&beside), [2, 3, 1]);
    let note = "net.ibnetdiscover: 2 adapters whose cables lead to no switch are left out";
    assert_eq!(beside.notes(), [note]);
}

/// Switches of one description have their GUIDs behind it; one without a cable is left out where others have some.
#[test]
fn switches_alike_and_alone() {
    let twins = fabric(
        &pair("", "").replace("\"east\"", "\"IS5035 Mellanox\"").replace("\"west\"", "\"IS5035 Mellanox\""),
    );
    assert_eq!(
        [0, 1].map(|router| twins.router_label(router)),
        ["IS5035 Mellanox (0xa0)", "IS5035 Mellanox (0xb0)"]
    );
    let alone = "\nSwitch\t36 \"S-0000000000000001\"\t\t# \"spare\" base port 0 lid 99 lmc 0\n";
    let wiring = fabric(&(pair("", "") + alone));
    assert_eq!(size(&wiring), [2, 3, 1]);
    assert_eq!(wiring.notes(), ["net.ibnetdiscover: 1 switch without a cable is left out"]);
    assert_eq!(wiring.port_label(0, 2), "east port 31", "those behind it keep their places");
    let only = read("net.ibnetdiscover", &format!("{HEAD}{alone}")).unwrap();
    assert_eq!(size(&only), [1, 0, 0]);
}

/// Two rails that were discovered one after the other into one file.
#[test]
fn a_plane_of_several() {
    let rail = |n: u32| {
        PAIR.replace("00a0", &format!("0{n}a0"))
            .replace("00b0", &format!("0{n}b0"))
            .replace("0c0", &format!("{n}c0"))
    };
    let text = format!(
        "{HEAD}{}{}",
        rail(1),
        rail(2).replace("\"east\"", "\"north\"").replace("\"west\"", "\"south\"")
    );
    assert_eq!(
        refusal("net.ibnetdiscover", &text),
        ": the network is not connected, it falls into planes (plane 0: east, west; plane 1: north, south); topology.plane = 0 takes the first of them alone"
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.ibnetdiscover");
    std::fs::write(&file, text).unwrap();
    let plane = |plane| {
        Wiring::build(&Graph { plane: Some(plane), ..Graph::new(&file, NodesPerRouter::File) }.into())
    };
    let second = plane(1).unwrap();
    check_wiring(&second);
    assert_eq!(
        (size(&second), second.router_label(1), second.port_label(0, 2)),
        ([2, 3, 1], "south".to_owned(), "north port 31".to_owned())
    );
    assert_eq!(plane(0).unwrap().router_label(0), "east");
    assert!(
        plane(2)
            .unwrap_err()
            .to_string()
            .ends_with("there is no such plane (plane 0: east, west; plane 1: north, south)")
    );
}
