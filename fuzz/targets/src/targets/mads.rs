//! Packets of subnet management, as anything on a link may send them.

use super::{Outcome, Target};
use desvio_sma::mad::{self, attribute};
use desvio_sma::{Agent, Identity, Kind, Onward, Packet, Via};

pub(super) const TARGET: Target = Target {
    name: "mads",
    reads: "packets of subnet management, at a switch and an adapter",
    run,
    seeds,
    // Two requests in a row by which port 4 is set, from itself.
    is_rare: |bytes| packets(bytes).filter(|(from, _)| from % 8 == 7).count() > 1,
};

/// Ports, and LIDs of the forwarding table.
const P: usize = 5;
const LIDS: usize = 256;
/// Where a packet comes from, its LIDs and its MAD.
const BYTES: usize = 1 + 4 + mad::BYTES;
/// Most packets of an input.
const PACKETS: usize = 64;

/// Each packet, and the byte that says where it comes from. What is missing of the last one is 0.
fn packets(bytes: &[u8]) -> impl Iterator<Item = (u8, Packet)> + '_ {
    bytes.chunks(BYTES).take(PACKETS).map(|chunk| {
        let mut whole = [0; BYTES];
        whole[..chunk.len()].copy_from_slice(chunk);
        let [from, source_high, source_low, high, low, ..] = whole;
        let mut packet = Packet::directed(&[], 0, 0, 0);
        packet.slid = u16::from_be_bytes([source_high, source_low]);
        packet.dlid = u16::from_be_bytes([high, low]);
        packet.mad.copy_from_slice(&whole[5..]);
        (from, packet)
    })
}

fn written(from: u8, packet: &Packet) -> Vec<u8> {
    [&[from][..], &packet.slid.to_be_bytes(), &packet.dlid.to_be_bytes(), &packet.mad].concat()
}

/// A Get and a Set of each attribute, along a route of no, one and two hops and by LID.
fn seeds() -> Vec<Vec<u8>> {
    use attribute::{
        GUID_INFO, LINEAR_FORWARDING_TABLE, MULTICAST_FORWARDING_TABLE, NODE_DESCRIPTION, NODE_INFO,
        P_KEY_TABLE, PORT_INFO, SL_TO_VL_TABLE, SM_INFO, SWITCH_INFO, VL_ARBITRATION_TABLE,
    };
    let attributes = [
        NODE_DESCRIPTION,
        NODE_INFO,
        SWITCH_INFO,
        GUID_INFO,
        PORT_INFO,
        P_KEY_TABLE,
        SL_TO_VL_TABLE,
        VL_ARBITRATION_TABLE,
        LINEAR_FORWARDING_TABLE,
        MULTICAST_FORWARDING_TABLE,
        SM_INFO,
    ];
    let of = |attribute| {
        let routes: [&[u8]; 3] = [&[], &[2], &[1, 3]];
        let directed = routes.map(|route| Packet::directed(route, mad::GET, attribute, 1));
        let set = Packet::directed(&[], mad::SET, attribute, 1);
        let by_lid = Packet::by_lid((1, 2), mad::GET, attribute);
        let all = directed.into_iter().chain([set, by_lid]).zip(0..);
        all.map(|(packet, from)| written(from % 5, &packet)).collect::<Vec<_>>().concat()
    };
    attributes.map(of).to_vec()
}

fn run(bytes: &[u8]) -> Outcome {
    let (is_adapter, bytes) = bytes.split_first().map_or((0, bytes), |(first, rest)| (first & 1, rest));
    let kind = if is_adapter == 1 { Kind::Adapter } else { Kind::Switch };
    let identity = Identity {
        kind,
        guid: 1,
        port_guid: 1,
        ports: 4,
        description: Identity::describe("a switch of four ports"),
    };
    let mut agent = Agent::<_, P>::new(identity, [0u8; LIDS]);
    let (mut onward, mut orders) = (0u32, 0u32);
    for (from, mut packet) in packets(bytes) {
        let port = from % 5;
        if from & 8 != 0 {
            agent.handle_link(port, from & 16 != 0);
        }
        let via = if port == 0 { Via::Itself } else { Via::Port(port) };
        let handled = agent.handle(&mut packet, via);
        if let Onward::Port(port) = handled.onward {
            assert!(usize::from(port) < P, "port {port} of {P}");
            onward += 1;
        }
        if let Some((port, _)) = handled.link {
            assert!(usize::from(port) < P, "an order for port {port} of {P}");
            orders += 1;
        }
        assert!(usize::from(agent.output(packet.dlid).unwrap_or(0)) <= 255);
    }
    Outcome::taken((is_adapter, onward.min(6), orders.min(3)))
}
