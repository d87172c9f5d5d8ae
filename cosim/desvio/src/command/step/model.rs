//! The model of a router: what it drives, given what its neighbours drive.

use super::super::failure::Failure;
use super::lines::{answer, need, next, number, refused};
use desvio_lockstep::frame::{Data, Frame, PortSignals, WireFlit};
use desvio_lockstep::stepper::{Launcher, PortFacts, Stepped, ports, stepped};
use desvio_sim::blueprint::Blueprint;
use serde_json::{Map, Value as Json, json};

/// Answers requests until there are no more.
pub(super) fn serve(blueprint: &Blueprint, router: usize) -> Result<(), Failure> {
    let refuse = |error: &dyn std::fmt::Display| Failure::Input(format!("error: {error}"));
    let mut stepped = stepped(blueprint, router).map_err(|error| refuse(&error))?;
    let mut launcher = Launcher::new(blueprint).map_err(|error| refuse(&error))?;
    let ports = ports(blueprint, router).map_err(|error| refuse(&error))?;
    let listed = |port: &PortFacts| {
        let PortFacts { class, leads_to, vcs, buffer } = port;
        json!({ "class": class, "leads_to": leads_to, "vcs": vcs, "buffer": buffer })
    };
    let speedup = blueprint.scenario().router.options.speedup;
    let hello = json!({
        "router": router,
        "nodes": blueprint.wiring().nodes(),
        "speedup": speedup,
        "ports": ports.iter().map(listed).collect::<Vec<_>>(),
    });
    if !answer(&hello)? {
        return Ok(());
    }
    let mut model = Served { stepped: stepped.as_mut(), ports: &ports };
    while let Some(request) = next()? {
        let result = if let Some(inputs) = request.get("step") {
            model.step(inputs)
        } else if let Some(packet) = request.get("packet") {
            launch(&mut launcher, blueprint, packet)
        } else if request.get("reset").is_some() {
            model.stepped.reset();
            Ok(json!({}))
        } else {
            Err("expected `step`, `packet` or `reset`".to_owned())
        };
        if !answer(&result.unwrap_or_else(|why| refused(&why)))? {
            break;
        }
    }
    Ok(())
}

struct Served<'s, 'b> {
    stepped: &'s mut (dyn Stepped + 'b),
    ports: &'s [PortFacts],
}

impl Served<'_, '_> {
    /// One internal cycle; ports with nothing on their wires are left out.
    fn step(&mut self, inputs: &Json) -> Result<Json, String> {
        let count = self.ports.len();
        let mut frame = Frame::idle(count);
        let inputs =
            inputs.as_object().ok_or("`step` has what is on the wires by port, such as {\"0\": …}")?;
        for (port, signals) in inputs {
            let number = port.parse().ok().filter(|port: &usize| *port < count);
            let number = number.ok_or_else(|| format!("there is no port {port}, only 0 to {}", count - 1))?;
            let flit = signals.get("flit").filter(|flit| !flit.is_null());
            frame.ports[number] = PortSignals {
                flit: flit.map(|flit| read(flit, port)).transpose()?,
                credit: self::number(signals, "credit", VCS)?.map(|vc| vc as u8),
                stray: false,
            };
        }
        let mut outputs = Frame::idle(count);
        let result = self.stepped.step(&frame, &mut outputs);
        let driven = outputs.ports.iter().enumerate();
        let driven = driven.filter(|(_, signals)| signals.flit.is_some() || signals.credit.is_some());
        let driven = driven.map(|(port, signals)| {
            let flit = signals.flit.as_ref().map(written);
            (port.to_string(), json!({ "flit": flit, "credit": signals.credit }))
        });
        let driven: Map<_, _> = driven.collect();
        Ok(match result {
            Ok(()) => json!({ "ports": driven }),
            Err(error) => json!({ "ports": driven, "protocol": error.to_string() }),
        })
    }
}

/// The flits of a packet as they come to the router of its source.
fn launch(launcher: &mut Launcher<'_>, blueprint: &Blueprint, packet: &Json) -> Result<Json, String> {
    let nodes = blueprint.wiring().nodes() as u64;
    let (from, to) = (need(packet, "from", nodes)?, need(packet, "to", nodes)?);
    let length = number(packet, "flits", MOST_FLITS)?.unwrap_or(1).max(1);
    let vc = number(packet, "vc", VCS)?.unwrap_or(0);
    let tag = number(packet, "tag", TAGS)?.unwrap_or(0);
    let flits = launcher.packet((from as usize, to as usize), vc as u8, length as u16, tag as u32);
    Ok(json!({ "flits": flits.iter().map(written).collect::<Vec<_>>() }))
}

/// A flit with its bits as one number, the payload lowest.
fn written(flit: &WireFlit) -> Json {
    let bits: String = flit.data.iter().rev().map(|word| format!("{word:08x}")).collect();
    json!({ "vc": flit.vc, "head": flit.head, "tail": flit.tail, "data": format!("0x{bits}") })
}

fn read(flit: &Json, port: &str) -> Result<WireFlit, String> {
    let flag = |key: &str| {
        flit.get(key)
            .and_then(Json::as_bool)
            .ok_or_else(|| format!("port {port}: `{key}` must be true or false"))
    };
    let data = flit.get("data").and_then(Json::as_str).and_then(|text| text.strip_prefix("0x"));
    let data = data.and_then(|digits| u128::from_str_radix(digits, 16).ok());
    let data =
        data.ok_or_else(|| format!("port {port}: `data` must be such as \"0x1f\", of 128 bits at most"))?;
    let words: Data = std::array::from_fn(|word| (data >> (32 * word)) as u32);
    let vc = need(flit, "vc", VCS)?;
    Ok(WireFlit { vc: vc as u8, head: flag("head")?, tail: flag("tail")?, data: words })
}

/// VCs of a port, at most.
const VCS: u64 = 8;
/// One more than the flits of the longest packet.
const MOST_FLITS: u64 = 1024;
/// One more than the largest tag.
const TAGS: u64 = 1 << 32;
