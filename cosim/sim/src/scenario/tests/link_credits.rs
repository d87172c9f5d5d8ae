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
