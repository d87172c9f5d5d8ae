//! What an escape ring needs: bubble flow control, packets of one length, and buffers for two of them.

use router_core::settings::Choice as _;
use router_core::units::PortClass;

use super::model::*;
use crate::document::{Document, Problem};

/// Refuses an escape ring that can fill up, and bubbles where there is no ring.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { routing, router, .. } = scenario;
    let has_bubbles = router.options.vc_allocation == VcAllocation::Bubble;
    if routing.bubbles() == has_bubbles {
        return if has_bubbles { sizes(scenario, document) } else { Ok(()) };
    }
    let at = document.blame(&["router.vc_allocation", "routing.algorithm"]);
    let word = routing.word();
    let (message, note) = if has_bubbles {
        let able = RoutingScheme::all().filter(RoutingScheme::bubbles);
        let able: Vec<_> = able.map(|scheme| format!("\"{}\"", scheme.word())).collect();
        let note = format!("`routing.algorithm` must be {}", able.join(" or "));
        (format!("\"bubble\" is for routings with an escape ring, which \"{word}\" does not have"), note)
    } else {
        let message = format!(
            "\"{word}\" has an escape ring, which fills up where packets come on to it without room for two"
        );
        (message, "`router.vc_allocation` must be \"bubble\"".to_owned())
    };
    Err(Problem::new(at, message).note(note))
}

/// A bubble is a packet: those that move through it are as long, and a buffer holds two.
fn sizes(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, router, .. } = scenario;
    let (shortest, longest) = (scenario.shortest_packet(), scenario.longest_packet());
    if shortest != longest {
        let at = document.blame(&["traffic.packet_flits", "traffic.reply_flits", "routing.algorithm"]);
        let message = format!(
            "an escape ring is kept free by room for one packet: all have to be as long, not {shortest} to {longest} flits"
        );
        return Err(Problem::new(at, message)
            .note("`traffic.packet_flits` and `traffic.reply_flits` must be one and the same number"));
    }
    for ((class, room), kind) in router.buffer_flits.iter().zip(topology.classes()) {
        if class != PortClass::NODE && topology.has(class) && room < 2 * longest {
            let buffer = format!("router.buffer_flits.{kind}");
            let at = document.blame(&[&buffer, "traffic.packet_flits", "routing.algorithm"]);
            let message = format!(
                "packets come on to an escape ring where there is room for two, {} flits, not {room}",
                2 * longest
            );
            return Err(
                Problem::new(at, message).note(format!("`{buffer}` must be from {} to 65535", 2 * longest))
            );
        }
    }
    Ok(())
}
