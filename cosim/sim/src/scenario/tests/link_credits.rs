//! What links lose, and how credits come.

use super::{parse, refuses};
use crate::scenario::{CreditForm, Loss};

fn links(keys: &str) -> String {
    format!("[links]\n{keys}\n")
}

#[test]
fn links_lose_shares() {
    let read =
        parse(&links("credits = \"absolute\"\ncredit_period = 9\npacket_loss = 0.5\ncredit_loss = 1")).links;
    assert_eq!((read.credits, read.credit_period), (CreditForm::Absolute, 9));
    assert_eq!(read.loss, Loss { packets: 0.5, credits: 1.0 });
    let none = parse("").links;
    assert!(!none.is_tapped() && none.credits == CreditForm::Pulse);
    assert!(!parse("").to_toml().contains("credit"), "a file without them is as it was");
    refuses(&links("packet_loss = ‸1.5"), "from 0 to 1");
    refuses(&links("credit_loss = ‸-0.1"), "from 0 to 1");
    refuses(&links("credit_period = ‸65537"), "from 1 to 65536, not 65537");
    refuses(&links("credits = ‸\"relative\""), "absolute");
}

#[test]
fn credits_have_a_latency_of_their_own() {
    let read = parse(&links("latency = { local = 7 }\ncredit_latency = { global = 3 }"));
    assert_eq!(read.links.credit_latency.as_slice(), [1, 7, 3]);
    assert!(parse(&links("latency = 7")).links.credit_latency.iter().all(|(_, cycles)| cycles == 7));
    assert_eq!(parse(&read.to_toml()), read);
    let metres = parse("[infiniband]\ncable_metres = 50\n").links;
    assert_eq!(metres.credit_latency, metres.latency);
    refuses(&links("credit_latency = { local = ‸0 }"), "`links.credit_latency.local` must be a whole number");
    refuses(&links("credit_latency = ‸10001"), "from 1 to 10000, not 10001");
    let circuits = "[router]\nflow_control = \"circuit\"\nbuffer_flits = 300\n";
    refuses(&format!("{circuits}{}", links("credit_latency = ‸3")), "whose answers take as long as flits");
    refuses(&links("credits = \"absolute\"\ncredit_latency = ‸3"), "flow control packets take as long");
}

#[test]
fn a_credit_may_stand_for_several_flits() {
    let with = |links: &str, traffic: &str| {
        format!("[links]\ncredit_flits = {links}\n[traffic]\nloads = [1]\npacket_flits = {traffic}\n")
    };
    let read = parse(&with("4", "8\nreply_flits = 4"));
    assert_eq!((read.links.credit_flits, read.links.is_tapped()), (4, true));
    assert_eq!(parse(&read.to_toml()), read);
    refuses(&with("‸4", "6"), "is for packets of whole credits");
    refuses(&with("‸4", "8\nreply_flits = 1"), "multiples of 4");
    refuses(&with("‸4\ncredit_loss = 0.1", "8"), "is for links that lose nothing");
    refuses(&with("‸4\ncredits = \"absolute\"", "8"), "is for credits that are pulses");
    refuses(&with("‸0", "8"), "from 1 to 1023, not 0");
    // What a worm leaves in a buffer may be less than a credit.
    let worm = |flits: &str, vcs| {
        let router = "[router]\nflow_control = \"wormhole\"\nbuffer_flits = 8\n";
        format!("{router}vcs = {vcs}\n{flits}\n[routing]\nalgorithm = \"minimal\"\n{}", with("‸4", "8"))
    };
    parse(&worm("reserved_flits = 4", 3).replace('‸', ""));
    refuses(&worm("reserved_flits = 3", 3), "where a virtual channel has 3 flits for itself");
    refuses(
        &worm("", 3).replace("buffer_flits = 8", "buffer_flits = 3"),
        "where a virtual channel has 3 flits",
    );
    let controlled = "[injection]\ncontrol = \"congestion-control\"\n";
    refuses(&format!("{}{controlled}", with("‸4", "8")), "not for messages of a few flits");
}

#[test]
fn not_everything_goes_with_them() {
    let circuits = "[router]\nflow_control = \"circuit\"\nbuffer_flits = 300\n";
    refuses(&format!("{circuits}{}", links("credit_loss = ‸0.1")), "which takes heads back");
    let down = "down = [{ router = 0, port = 2, at = 5 }]";
    refuses(&links(&format!("credits = ‸\"absolute\"\n{down}")), "is about links that stay up");
    let large = "[router]\nbuffer_flits = ‸2049\n";
    refuses(
        &format!("{large}{}", links("credits = \"absolute\"")),
        "for buffers of up to 2048 flits, not 2049",
    );
    parse(&format!("[router]\nbuffer_flits = 2049\n{}", links("credit_loss = 0.1")));
    refuses(
        &format!("[router]\nvcs = 5\n{}", links("credits = \"absolute\"\ncredit_period = ‸1")),
        "flow control packets of 5 virtual channels, with a `links.credit_period` of 1, take more than half of a link",
    );
    parse(&format!("[router]\nvcs = 8\n{}", links("credits = \"absolute\"\ncredit_period = 2")));
    let held = "[routing]\nalgorithm = \"ugal-dragonfly\"\nknowledge = \"credits\"\n[selection]\ntrigger = \"ugal\"\n";
    refuses(&format!("{held}{}", links("packet_loss = ‸0.1")), "for routers that hold credits back");
    let asking = held.replace("\"credits\"", "\"reservation\"");
    refuses(&format!("{asking}{}", links("packet_loss = ‸0.1")), "a question or an answer that is lost");
    parse(&format!("{asking}{}", links("credits = \"absolute\"")));
}
