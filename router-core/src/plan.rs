//! What all routers of a class have in common: links, selection, allocation.

mod outputs;
mod plain;

use crate::alloc::vl_arbiter::VlArbitration;
use crate::header::Header;
use crate::layout;
use crate::lifetime::Lifetimes;
use crate::links::{Links, LinksError, PortSizes};
use crate::mark::Marking;
use crate::options::{Options, Priority};
use crate::piggyback::FlagRule;
use crate::select::{Preference, Selection};
use crate::units::{Bits, PortClass, PortSet, VcSet};

/// When a packet is counted as wanting its minimal output.
#[repr(u8)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum CountAt {
    /// When it reaches the front of its VC.
    #[default]
    Head = layout::COUNT_AT_HEAD as u8,
    /// When its head is written into the buffer.
    Arrival = layout::COUNT_AT_ARRIVAL as u8,
}

crate::words!(CountAt {
    "head" => [Self::Head],
    "arrival" => [Self::Arrival],
});

/// The common settings of all routers of one class, in a network of routers with up to `P` ports.
///
/// Most networks have one class of routers; a fat tree has one for each level, of which only the lowest has ports to
/// nodes, and buffers for them.
#[derive(Clone, Debug)]
pub struct Plan<const P: usize> {
    /// What is at the ports.
    pub links: Links<P>,
    /// What holds at all ports. `links` has those that concern the links alone: flow control and the allocation of VCs.
    pub options: Options,
    /// When packets are counted.
    pub count_at: CountAt,
    /// Minimal or detour.
    pub selection: Selection,
    /// Which of several minimal outputs, and which of several VCs.
    pub preference: Preference,
    /// The tables by which outputs pick the VC of the next packet, instead of turn by turn.
    pub vl_arbitration: Option<VlArbitration<P>>,
    /// VCs of all ports whose packets go before all others: those of acknowledgements, where these have VCs of their own.
    pub first: VcSet,
    /// Which packets are marked where they meet congestion.
    pub marking: Marking<P>,
    /// For how long packets wait at the head of a queue before they are discarded.
    pub lifetimes: Lifetimes<P>,
    /// Groups of the network, where new packets react to the broadcasts of their group ([`crate::notice`]): what they count, or
    /// flags, where there are any; 0 where packets do not.
    pub groups: u16,
    /// Which global links routers flag, where those of a group tell each other that ([`crate::piggyback`]).
    pub flags: Option<FlagRule>,
    /// The address of the first group of nodes, above those of all routers ([`crate::map::trees`]). A packet for a group leaves by each of
    /// its candidates. Nothing where packets are for single nodes.
    pub groups_from: Option<u32>,
}

impl<const P: usize> Plan<P> {
    /// A plan for routers whose ports are of these classes, everything else as a plain router has it: virtual
    /// cut-through, minimal hops only, one iteration of a separable input-first allocator, a one-flit output register.
    ///
    /// `sizes` has an entry for each class, by number; those of classes without a port do not matter.
    ///
    /// # Errors
    /// When there are more than `P` ports, or one of them has no size, a size of 0, or more than 8 VCs.
    pub fn new(classes: &[PortClass], sizes: &[PortSizes]) -> Result<Self, LinksError> {
        Ok(Self::of(Links::new(classes, sizes)?))
    }

    /// A plan for routers with these links, everything else as a plain router has it.
    pub fn of(links: Links<P>) -> Self {
        Self {
            links,
            options: Options::PLAIN,
            count_at: CountAt::default(),
            selection: Selection::default(),
            preference: Preference::RANDOM,
            vl_arbitration: None,
            first: VcSet::EMPTY,
            marking: Marking::default(),
            lifetimes: Lifetimes::default(),
            groups: 0,
            flags: None,
            groups_from: None,
        }
    }

    /// The plan of routers with these options.
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        (self.links.flow, self.links.vc_allocation) = (options.flow_control, options.vc_allocation);
        self.options = options;
        self
    }

    /// Flits with which an output FIFO takes no more. What is admitted to an output comes a cycle later for each register behind admission,
    /// and in each of these cycles another flit may come: a place is kept for each. At a speedup of 1 a FIFO has sent what came before by
    /// then: one that has fewer places keeps one for what is admitted.
    pub const fn full_at(&self) -> u32 {
        let full_at = self.options.output_flits.saturating_sub(self.options.pipeline.ahead());
        if full_at == 0 { 1 } else { full_at }
    }

    /// Whether a packet is for a group of nodes.
    pub fn is_for_group(&self, header: &Header) -> bool {
        self.groups_from.is_some_and(|first| header.to.router >= first)
    }

    /// The ports whose requests give way to those of the others.
    pub fn yielding<B: Bits>(&self) -> PortSet<B> {
        match self.options.priority {
            Priority::None => PortSet::EMPTY,
            Priority::Transit => self.links.nodes(),
        }
    }
}
