//! Buffers whose places VCs share, and what does not go together with them.

use super::{parse, refuses};
use router_core::units::PortClass;

#[test]
fn a_packet_fits_into_what_is_reserved_for_a_vc() {
    let reserved =
        |flits| format!("[routing]\nalgorithm = \"minimal\"\n[router]\nreserved_flits = {flits}\n");
    parse(&reserved("8"));
    refuses(
        &reserved("‸7"),
        "a packet of 8 flits does not fit into the 7 that are reserved for a local VC: it would wait for what other VCs hold, as \"vct\" needs room for it",
    );
    refuses(&reserved("{ global = ‸7 }"), "into the 7 that are reserved for a global VC");
    let worm = "[routing]\nalgorithm = \"minimal\"\n[router]\nflow_control = \"wormhole\"\n";
    parse(&format!("{worm}reserved_flits = 1\n"));
    // Local misroutes go where there is room for all of the packet.
    let misrouted = "[routing]\nalgorithm = \"rlm\"\n[router]\nflow_control = \"wormhole\"\n";
    refuses(
        &format!("{misrouted}reserved_flits = {{ local = ‸7 }}\n"),
        "the local misroutes of \"rlm\" need",
    );
    // A packet behind a local misroute in its first group leaves by a detour.
    refuses(
        &format!("{misrouted}reserved_flits = {{ local = 8, global = ‸7 }}\n"),
        "the detours that \"rlm\" insists on need",
    );
    parse(&format!("{misrouted}reserved_flits = {{ local = 8, global = 8 }}\n"));
}

#[test]
fn what_rests_on_whole_packets_shares_no_places() {
    refuses(
        "[router]\nreserved_flits = { local = ‸8 }\n",
        "the local misroutes of \"olm\" need room for the whole packet, which shared places are not kept for",
    );
    parse("[router]\nreserved_flits = { global = 8 }\n");
    let mesh = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[router]\nreserved_flits = 8\n[routing]\n";
    refuses(&format!("{mesh}algorithm = ‸\"duato\"\n"), "duato routing is free of deadlock only where");
    parse(&format!("{mesh}algorithm = \"dimension-order\"\n"));
}

#[test]
fn no_more_is_reserved_than_there_is() {
    refuses(
        "[router]\nreserved_flits = { local = ‸33 }\n",
        "33 flits cannot be reserved of a local buffer of 32",
    );
    parse("[router]\nreserved_flits = { local = 32 }\n");
    refuses("[router]\nreserved_flits = { ‸node = 8 }\n", "unknown key `node`");
    // One VC has all places of its port.
    let alone = parse(
        "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[router]\nvcs = 1\nreserved_flits = 8\n[routing]\nalgorithm = \"dimension-order\"\n",
    );
    assert_eq!(alone.router.kept_flits(PortClass::LOCAL), alone.router.buffer_flits[PortClass::LOCAL]);
    refuses("[router]\nreserved_flits = ‸0\n", "from 1 to 65535, not 0");
}

#[test]
fn shared_places_go_with_single_credits() {
    let shared = "reserved_flits = { global = 8 }\n";
    parse(&format!("[router]\n{shared}pipeline = 5\n"));
    parse(&format!("[router]\n{shared}pipeline = 6\n"));
    refuses(
        &format!("[router]\n{shared}vc_allocation = ‸\"atomic\"\n"),
        "virtual channels that are allocated \"atomic\" share no places",
    );
    refuses(
        &format!("[router]\n{shared}allocation_unit = ‸\"packet\"\n"),
        "would hold it while shared places are taken by others",
    );
    refuses(
        &format!("[router]\n{shared}[links]\ncredits = ‸\"absolute\"\n"),
        "\"absolute\" credits say how many flits each VC takes",
    );
    refuses(
        "[router]\nreserved_flits = { global = 8 }\n[congestion]\nthreshold = ‸15\n",
        "marks are set by how full the buffer of a VC is",
    );
    // All of a buffer is reserved: nothing is shared.
    parse("[router]\nreserved_flits = { local = 32 }\nallocation_unit = \"packet\"\n");
}
