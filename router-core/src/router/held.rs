//! Inputs and outputs that packets hold, where packets are allocated.

use crate::units::{Bits, PackedPorts, PortId, PortSet};

/// The input and the output of each packet that is leaving, from its head's grant to its tail's; nothing where flits are allocated.
///
/// An input sends one packet, and an output takes one: in the RTL these are the inputs with an active VC, and the outputs behind
/// which a VC is owned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held<B: Bits = usize> {
    inputs: PackedPorts<B>,
    outputs: PackedPorts<B>,
}

impl<B: Bits> Held<B> {
    /// Nothing.
    pub(super) const NONE: Self = Self { inputs: PackedPorts::EMPTY, outputs: PackedPorts::EMPTY };

    /// A packet's head is granted.
    #[inline(always)]
    pub(super) fn take(&mut self, input: PortId, output: PortId) {
        self.inputs.insert(input);
        self.outputs.insert(output);
    }

    /// Its tail is.
    #[inline(always)]
    pub(super) fn release(&mut self, input: PortId, output: PortId) {
        self.inputs.remove(input);
        self.outputs.remove(output);
    }

    /// Whether a packet is leaving from this input.
    #[inline(always)]
    pub(super) fn has_input(&self, input: PortId) -> bool {
        self.inputs.get().contains(input)
    }

    /// The outputs by which a packet is leaving.
    #[inline(always)]
    pub(super) fn outputs(&self) -> PortSet<B> {
        self.outputs.get()
    }
}
