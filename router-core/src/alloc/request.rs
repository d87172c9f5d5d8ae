//! Who asks for what.

use super::contest::Contest;
use super::grant::{Grant, Grants};
use crate::per_port::PerPort;
use crate::units::{PortId, PortSet, VcId};

/// Who asks for what.
///
/// Whoever is in nobody's way is granted as it asks: whatever the allocator, that is what it would decide, and nobody else
/// would get more. Allocators are asked about the others only.
#[derive(Clone, Debug)]
pub struct Requests<const P: usize, const V: usize> {
    inputs: PortSet,
    /// Outputs that anyone asks for.
    wanted: PortSet,
    /// Who asked for an output first.
    askers: PerPort<PortId, P>,
    /// What nobody contests, granted.
    pub(super) granted: Grants<P>,
    /// Made when there is one: in most cycles there is none.
    pub(super) contest: Option<Contest<P, V>>,
}

impl<const P: usize, const V: usize> Requests<P, V> {
    /// Nobody asks.
    #[inline(always)]
    pub fn new() -> Self {
        Self {
            inputs: PortSet::EMPTY,
            wanted: PortSet::EMPTY,
            askers: PerPort::default(),
            granted: Grants::default(),
            contest: None,
        }
    }

    /// VC `vc` of `input` asks for any one of `outputs`, and would take VC `out_vc` there.
    #[inline]
    pub fn add(&mut self, input: PortId, vc: VcId, outputs: PortSet, out_vc: VcId) {
        // Nobody grants a VC that does not exist.
        match outputs.first() {
            Some(output) if outputs.is_single() && out_vc.index() < V => {
                self.add_plain(Grant { input, vc, out_vc, output });
            }
            Some(_) => self.add_contested(input, vc, outputs, out_vc),
            None => {}
        }
    }

    /// The same for a single output, and a VC that exists there.
    #[inline(always)]
    pub(crate) fn add_plain(&mut self, request: Grant) {
        let Grant { input, vc, out_vc, output } = request;
        if self.inputs.contains(input) | self.wanted.contains(output) {
            return self.add_contested(input, vc, PortSet::only(output), out_vc);
        }
        self.inputs.insert(input);
        self.wanted.insert(output);
        self.askers.set(output, input);
        self.granted.push(request);
    }

    #[inline(never)]
    fn add_contested(&mut self, input: PortId, vc: VcId, outputs: PortSet, out_vc: VcId) {
        let Self { inputs, wanted, askers, granted, contest } = self;
        let contest = contest.get_or_insert_with(Contest::new);
        for output in outputs {
            if wanted.contains(output) {
                contest.withdraw(granted, askers.at(output));
            } else {
                askers.set(output, input);
            }
        }
        contest.withdraw(granted, input);
        contest.insert(input, vc, outputs, out_vc);
        inputs.insert(input);
        *wanted = wanted.union(outputs);
    }

    /// Whether nobody asks.
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Whether this VC asks for this output.
    pub fn has(&self, input: PortId, vc: VcId, output: PortId) -> bool {
        let granted = self.granted.vc_of(input) == Some(vc) && self.granted.at(input).output == output;
        granted || self.contest.as_ref().is_some_and(|contest| contest.row(input).of(vc).contains(output))
    }
}
