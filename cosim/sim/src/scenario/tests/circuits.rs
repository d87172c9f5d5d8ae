//! What circuits, mad postman, escape rings and places on links do not go together with.

use super::{parse, refuses};
use crate::scenario::VcAllocation;

#[test]
fn circuits_have_what_they_need() {
    let mesh = "[topology]\nkind = \"mesh\"\ndims = [4]\n";
    for word in ["circuit", "pipelined-circuit"] {
        let flow = format!("flow_control = \"{word}\"\n");
        let refused = |text: &str, why: &str| refuses(&format!("{mesh}{text}"), why);
        let router = format!("[router]\n{flow}");
        refused(
            &format!("{router}vc_allocation = ‸\"non-atomic\"\n"),
            "holds VCs that no other packet is in",
        );
        refused(&format!("[router]\nallocation_unit = ‸\"packet\"\n{flow}"), &format!("not \"{word}\""));
        refused(&format!("{router}buffer_flits = {{ local = ‸7 }}\n"), "8 with links of 1, not 7");
        refused(&format!("{router}[links]\nlatency = {{ local = ‸14 }}\n"), "34 with links of 14, not 32");
        refused(&format!("{router}[traffic]\nloads = [1]\npacket_flits = ‸1\n"), "a packet has 1 flit");
        refused(&format!("{router}[traffic]\nloads = [1]\nreply_flits = ‸1\n"), "or from 2 to 1023");
        refused(&format!("{router}[routing]\nalgorithm = ‸\"drb\"\n"), "no sources that balance paths");
        refused(&format!("{router}[congestion]\nthreshold = ‸3\n"), "its routers do not mark");
        refused(
            &format!("{router}[injection]\ncontrol = ‸\"congestion-control\"\n"),
            "its routers do not mark",
        );
        let down = "[[links.down]]\nrouter = 1\nport = 1\nat = 5\n";
        refuses(&format!("{mesh}{router}{}", down.replacen("[[", "‸[[", 1)), "has no links that go down");
        let read =
            parse(&format!("{mesh}{router}buffer_flits = 8\n[traffic]\nloads = [1]\npacket_flits = 2\n"));
        assert_eq!(read.router.options.vc_allocation, VcAllocation::Atomic);
    }
    let olm = "[routing]\nalgorithm = ‸\"olm\"\n[router]\nflow_control = \"pipelined-circuit\"\n";
    refuses(olm, "not the detours of a routing");
}

#[test]
fn mad_postman_has_what_it_needs() {
    let flow = "flow_control = \"mad-postman\"\n";
    let router = format!("[router]\n{flow}");
    let refused = |text: &str, why: &str| {
        refuses(&format!("[topology]\nkind = \"mesh\"\ndims = [4, 4]\n{router}{text}"), why);
    };
    refused("vc_allocation = ‸\"non-atomic\"\n", "in VCs that no other packet is in");
    refused("buffer_flits = { local = ‸1 }\n", "keeps an address of 1 flits and a flit behind it, not 1");
    refused("address_flits = ‸32\n", "must be a whole number from 1 to 16, not 32");
    refused("[routing]\nalgorithm = ‸\"duato\"\n", "an address for one dimension after the other");
    refused("[selection]\ncount_at = ‸\"arrival\"\n", "counts a packet where it comes to the front");
    refused(
        "[traffic]\nloads = [1]\npacket_flits = ‸1022\n",
        "up to 2 flits of addresses ahead of a packet: 1022",
    );
    refused("[congestion]\nthreshold = ‸3\n", "its routers do not mark");
    refused("‸[[links.down]]\nrouter = 1\nport = 1\nat = 5\n", "has no links that go down");
    refuses(
        &format!("[topology]\nkind = ‸\"torus\"\ndims = [4, 4]\n{router}"),
        "goes straight on in a dimension: it is for meshes",
    );
    let mesh = "[topology]\nkind = \"mesh\"\ndims = [4]\n";
    let read = parse(&format!("{mesh}{router}buffer_flits = 2\n[traffic]\nloads = [1]\npacket_flits = 1\n"));
    assert_eq!(
        (read.router.options.vc_allocation, read.router.options.address_flits),
        (VcAllocation::Atomic, 1)
    );
}

#[test]
fn channels_of_a_node_answer_nothing() {
    let router = "[router]\nejection = ‸\"any\"\n";
    let why = "from the channel that it came to";
    refuses(&format!("{router}[traffic]\nloads = [1]\nreply_flits = 2\n"), why);
    refuses(&format!("{router}[injection]\ncontrol = \"congestion-control\"\n"), why);
    refuses(
        &format!("[topology]\nkind = \"mesh\"\ndims = [4]\n[routing]\nalgorithm = \"drb\"\n{router}"),
        why,
    );
    parse(&router.replace('‸', ""));
}

#[test]
fn an_escape_ring_has_what_it_needs() {
    let ofar = "[routing]\nalgorithm = \"ofar\"\n";
    let read = parse(ofar);
    assert_eq!(read.router.options.vc_allocation, VcAllocation::Bubble);
    assert_eq!(read.router.vcs.as_slice(), [3, 4, 3]);
    for allocation in ["non-atomic", "atomic"] {
        refuses(
            &format!("{ofar}[router]\nvc_allocation = ‸\"{allocation}\"\n"),
            "which fills up where packets come on to it without room for two",
        );
    }
    refuses("[router]\nvc_allocation = ‸\"bubble\"\n", "an escape ring, which \"olm\" does not have");
    let router = format!("{ofar}[router]\n");
    refuses(&format!("{router}buffer_flits = {{ local = ‸15 }}\n"), "where there is room for two, 16 flits");
    refuses(&format!("{router}flow_control = ‸\"wormhole\"\n"), "only where a buffer has room for the whole");
    let traffic = format!("{ofar}[traffic]\nloads = [1]\n");
    refuses(&format!("{traffic}reply_flits = ‸4\n"), "all have to be as long, not 4 to 8 flits");
    parse(&format!("{traffic}reply_flits = 8\n"));
}

#[test]
fn places_have_what_they_need() {
    let routing = "[routing]\nalgorithm = \"ugal-dragonfly\"\nknowledge = \"reservation\"\n";
    let read = parse(routing);
    assert_eq!((read.shortest_packet(), read.longest_packet()), (1, 8));
    assert!(parse(&routing.replace("reservation", "oracle")).reservation().is_none());
    let traffic = format!("{routing}[traffic]\nloads = [1]\n");
    refuses(&format!("{traffic}reply_flits = ‸4\n"), "replies ask for no place");
    let router = format!("{routing}[router]\n");
    let lifetime = format!("{router}head_lifetime = ‸{{ global = 9 }}\n");
    refuses(&lifetime, "one that is lost never gives its place back");
    refuses(&format!("{router}ejection = ‸\"any\"\n"), "from the channel that was asked");
    let circuit = "flow_control = ‸\"circuit\"\nbuffer_flits = { node = 8, local = 26, global = 206 }\n";
    refuses(&format!("{router}vc_allocation = \"atomic\"\n{circuit}"), "questions are packets of one flit");
    let down = "‸[[links.down]]\nrouter = 0\nport = 5\nat = 9\n";
    refuses(&format!("{routing}{down}"), "a packet that is lost never gives its place back");
    let control = "[injection]\ncontrol = ‸\"congestion-control\"\n";
    refuses(&format!("{routing}{control}"), "holds packets back until they are answered");
}
