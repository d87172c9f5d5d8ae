//! What led to a mismatch: the last events of both sides, and a waveform with the model's and the RTL's signals side by
//! side.

use super::compare::{Moment, Observer, told};
use super::frame::{Data, Frame};
use crate::rtl::Probe;
use std::collections::VecDeque;
use std::io::{self, Write};
use vcd::{IdCode, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

/// Cycles that a recording keeps.
const CYCLES: usize = 256;

/// Records the last cycles of a stimulus.
#[derive(Debug, Default)]
pub struct Recorder {
    kept: VecDeque<Kept>,
}

/// One cycle.
#[derive(Debug, Clone)]
struct Kept {
    cycle: u32,
    inputs: Frame,
    outputs: [Frame; 2],
    registers: [Vec<u64>; 2],
}

impl Observer for Recorder {
    fn observe(&mut self, moment: Moment<'_>) {
        if self.kept.len() == CYCLES {
            self.kept.pop_front();
        }
        self.kept.push_back(Kept {
            cycle: moment.cycle,
            inputs: moment.inputs.clone(),
            outputs: [moment.outputs.clone(), moment.rtl_outputs.clone()],
            registers: [moment.registers.to_vec(), moment.rtl_registers.to_vec()],
        });
    }
}

impl Recorder {
    /// The last `count` events: what came in, and what each side drove.
    pub fn events(&self, count: usize) -> Vec<String> {
        let mut found = VecDeque::new();
        for kept in &self.kept {
            let [model, rtl] = &kept.outputs;
            for (port, signals) in kept.inputs.ports.iter().enumerate() {
                if signals.flit.is_some() || signals.credit.is_some() {
                    found.push_back(format!("cycle {}: input{port}: {}", kept.cycle, told(signals)));
                }
                let (expected, got) = (&model.ports[port], &rtl.ports[port]);
                if expected == got && (expected.flit.is_some() || expected.credit.is_some()) {
                    found.push_back(format!("cycle {}: output{port}: both {}", kept.cycle, told(expected)));
                } else if expected != got {
                    let (expected, got) = (told(expected), told(got));
                    found.push_back(format!(
                        "cycle {}: output{port}: model {expected}; RTL {got}",
                        kept.cycle
                    ));
                }
            }
            while found.len() > count {
                found.pop_front();
            }
        }
        found.into()
    }

    /// Writes what has been recorded as a value change dump: a scope `wires` with the inputs, and for each output and
    /// register a pair `model` and `rtl`. The name of a VC has `vc_bits` bits.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_waveform(&self, probes: &[Probe], vc_bits: u32, to: impl Write) -> io::Result<()> {
        let Some(first) = self.kept.front() else { return Ok(()) };
        let mut writer = Writer::new(to);
        writer.timescale(1, TimescaleUnit::NS)?;
        let ports = first.inputs.ports.len();
        writer.add_module("inputs")?;
        let inputs = Wires::declare(&mut writer, ports, vc_bits)?;
        writer.upscope()?;
        let mut sides = Vec::new();
        for side in ["model", "rtl"] {
            writer.add_module(side)?;
            let outputs = Wires::declare(&mut writer, ports, vc_bits)?;
            let registers = declare_registers(&mut writer, probes)?;
            writer.upscope()?;
            sides.push((outputs, registers));
        }
        writer.enddefinitions()?;
        writer.begin(SimulationCommand::Dumpvars)?;
        writer.end()?;
        let mut last = [vec![None; probes.len()], vec![None; probes.len()]];
        for kept in &self.kept {
            writer.timestamp(u64::from(kept.cycle))?;
            inputs.write(&mut writer, &kept.inputs)?;
            for (side, (outputs, registers)) in sides.iter().enumerate() {
                outputs.write(&mut writer, &kept.outputs[side])?;
                for ((&id, probe), last) in registers.iter().zip(probes).zip(&mut last[side]) {
                    let value = probe.field.of(&kept.registers[side]);
                    if last.replace(value) != Some(value) {
                        writer.change_vector(id, bits(value, probe.field.bits))?;
                    }
                }
            }
        }
        writer.timestamp(self.kept.back().map_or(0, |kept| u64::from(kept.cycle) + 1))
    }
}

/// Registers appear in scopes: `input0.vc1.flits` is `flits` in `vc1` in `input0`.
fn declare_registers(writer: &mut Writer<impl Write>, probes: &[Probe]) -> io::Result<Vec<IdCode>> {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = Vec::new();
    for probe in probes {
        let mut path: Vec<&str> = probe.name.split('.').collect();
        let name = path.pop().unwrap_or_default();
        let common = open.iter().zip(&path).take_while(|(a, b)| a == b).count();
        for _ in common..open.len() {
            writer.upscope()?;
        }
        for scope in &path[common..] {
            writer.add_module(scope)?;
        }
        open = path;
        ids.push(writer.add_wire(probe.field.bits, name)?);
    }
    for _ in open {
        writer.upscope()?;
    }
    Ok(ids)
}

/// The wires of all ports in one direction.
struct Wires {
    ports: Vec<[IdCode; 7]>,
    vc_bits: u32,
}

impl Wires {
    fn declare(writer: &mut Writer<impl Write>, ports: usize, vc_bits: u32) -> io::Result<Self> {
        let mut declare = |port: usize| -> io::Result<[IdCode; 7]> {
            writer.add_module(&format!("port{port}"))?;
            let mut wire = |bits, name| writer.add_var(VarType::Wire, bits, name, None);
            let ids = [
                wire(1, "flit_valid")?,
                wire(1, "flit_head")?,
                wire(1, "flit_tail")?,
                wire(vc_bits, "flit_vc")?,
                wire(8 * size_of::<Data>() as u32, "flit_data")?,
                wire(1, "credit_valid")?,
                wire(vc_bits, "credit_vc")?,
            ];
            writer.upscope()?;
            Ok(ids)
        };
        let ports = (0..ports).map(&mut declare).collect::<io::Result<_>>()?;
        Ok(Self { ports, vc_bits })
    }

    fn write(&self, writer: &mut Writer<impl Write>, frame: &Frame) -> io::Result<()> {
        for (signals, ids) in frame.ports.iter().zip(&self.ports) {
            let flit = signals.flit.unwrap_or_default();
            let data_bits = flit.data.iter().rev().flat_map(|&word| bits(word.into(), u32::BITS));
            let [valid, head, tail, vc, data, credit_valid, credit_vc] = *ids;
            writer.change_scalar(valid, signals.flit.is_some())?;
            writer.change_scalar(head, flit.head)?;
            writer.change_scalar(tail, flit.tail)?;
            writer.change_vector(vc, bits(flit.vc.into(), self.vc_bits))?;
            writer.change_vector(data, data_bits)?;
            writer.change_scalar(credit_valid, signals.credit.is_some())?;
            writer.change_vector(credit_vc, bits(signals.credit.unwrap_or_default().into(), self.vc_bits))?;
        }
        Ok(())
    }
}

/// The bits of a value, highest first.
fn bits(value: u128, width: u32) -> impl Iterator<Item = Value> {
    (0..width).rev().map(move |bit| Value::from(value >> bit & 1 == 1))
}
