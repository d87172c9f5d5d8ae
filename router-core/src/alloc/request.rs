//! The requests of one cycle: which input VC requests which outputs.

use super::contest::Contest;
use super::grant::{Grant, Grants};
use crate::per_port::PerPort;
use crate::units::{Bits, PortId, PortSet, VcId};

/// The requests of one cycle.
///
/// A request without a competitor is granted at once; the allocator decides about the others only.
#[derive(Clone, Debug)]
pub struct Requests<const P: usize, const V: usize, B: Bits = usize> {
    inputs: PortSet<B>,
    /// Outputs with at least one request.
    wanted: PortSet<B>,
    /// The input whose request for each output came first.
    askers: PerPort<PortId, P>,
    /// Grants of the requests without a competitor.
    pub(super) granted: Grants<P, B>,
    /// The contested requests; made with the first of them, since most cycles have none.
    pub(super) contest: Option<Contest<P, V, B>>,
}

impl<const P: usize, const V: usize, B: Bits> Requests<P, V, B> {
    /// No requests.
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

    /// VC `vc` of `input` requests any one of `outputs`, and VC `out_vc` there.
    #[inline]
    pub fn add(&mut self, input: PortId, vc: VcId, outputs: PortSet<B>, out_vc: VcId) {
        // `add_plain` grants without a check, so a request for an out_vc that does not exist must not take that path.
        match outputs.first() {
            Some(output) if outputs.is_single() && out_vc.index() < V => {
                self.add_plain(Grant { input, vc, out_vc, output });
            }
            Some(_) => self.add_contested(input, vc, outputs, out_vc),
            None => {}
        }
    }

    /// A VC requests a single output, and a VC that exists there.
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
    fn add_contested(&mut self, input: PortId, vc: VcId, outputs: PortSet<B>, out_vc: VcId) {
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

    /// Whether there is no request.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// Whether this VC requests this output.
    pub fn has(&self, input: PortId, vc: VcId, output: PortId) -> bool {
        let granted = self.granted.vc_of(input) == Some(vc) && self.granted.at(input).output == output;
        granted || self.contest.as_ref().is_some_and(|contest| contest.row(input).of(vc).contains(output))
    }
}
