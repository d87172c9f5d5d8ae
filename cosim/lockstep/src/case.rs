//! The cases of each stage that coverage counts, by name, and which one a register shows.

use crate::shape::Shape;
use router_core::discard::Discard;
use router_core::layout;

/// Names the cases that need no size.
macro_rules! cases {
    ($($case:ident = $name:literal,)*) => {
        /// A case of a stage.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Case {
            $($case),*
        }

        /// All of them, with their names.
        pub(crate) const CASES: &[(Case, &str)] = &[$((Case::$case, $name)),*];
    };
}

cases! {
    RouteConsume = "route.consume",
    RouteMinimalOnly = "route.minimal-only",
    RouteMinimalAndGlobal = "route.minimal-and-global",
    RouteMinimalAndLocal = "route.minimal-and-local",
    RouteMinimalAndBoth = "route.minimal-and-both",
    RouteForcedWithOwnLink = "route.forced-with-own-link",
    RouteForcedWithoutOwnLink = "route.forced-without-own-link",
    ContentionZero = "contention.zero",
    ContentionSeveral = "contention.several",
    ContentionHalf = "contention.half-of-all-vcs",
    SelectMinimal = "select.minimal",
    SelectGlobalMisroute = "select.global-misroute",
    SelectLocalMisroute = "select.local-misroute",
    SelectSeveral = "select.several-outputs",
    SelectForced = "select.forced",
    SelectContendedDetoured = "select.contended-and-detoured",
    SelectContendedNoDetour = "select.contended-and-no-valid-detour",
    SelectNotContended = "select.not-contended",
    SelectToldDetoured = "select.told-by-its-group-and-detoured",
    NoticeHeard = "notice.heard",
    NoticeTold = "notice.told",
    VcIdleWaiting = "vc.idle-to-waiting",
    VcWaitingActive = "vc.waiting-to-active",
    VcActiveIdle = "vc.active-to-idle",
    VcActiveWaiting = "vc.active-to-waiting",
    VcWaitingIdle = "vc.waiting-to-idle",
    VcWaitingWaiting = "vc.waiting-to-waiting",
    VcIdleDiscarding = "vc.idle-to-discarding",
    VcWaitingDiscarding = "vc.waiting-to-discarding",
    VcActiveDiscarding = "vc.active-to-discarding",
    VcDiscardingIdle = "vc.discarding-to-idle",
    VcDiscardingWaiting = "vc.discarding-to-waiting",
    VcDiscardingDiscarding = "vc.discarding-to-discarding",
    DiscardNotInTable = "discard.not-in-table",
    DiscardInvalidPort = "discard.invalid-port",
    DiscardInputPort = "discard.input-port",
    DiscardManagementPort = "discard.management-port",
    DiscardLifetime = "discard.lifetime",
    LifetimeJustInTime = "lifetime.granted-in-the-last-cycle",
    LifetimeSeveral = "lifetime.several-in-one-cycle",
    LifetimeStalls = "lifetime.lane-stalled",
    LifetimeStalledLane = "lifetime.discarded-for-a-stalled-lane",
    LifetimeStallEnds = "lifetime.lane-no-longer-stalled",
    LifetimeInRouter = "lifetime.discarded-for-its-time-in-the-router",
    LifetimeOldAtFront = "lifetime.too-old-as-it-comes-to-the-front",
    LifetimeOldLeaves = "lifetime.too-old-and-leaving",
    LifetimeSetBack = "lifetime.count-set-back-by-a-packet-that-leaves",
    VcBufferFull = "vc.buffer-full",
    VcDescriptorsFull = "vc.descriptors-full",
    AllocateNone = "allocate.none",
    AllocateOne = "allocate.one",
    AllocateSeveral = "allocate.several",
    AllocateContended = "allocate.output-asked-by-several-inputs",
    AllocateRivals = "allocate.input-with-several-vcs",
    VlLimitReached = "vl.limit-of-high-priority-reached",
    VlLowBehindLimit = "vl.low-priority-behind-the-limit",
    VlManagementServed = "vl.management-served",
    VlOneFlitPackets = "vl.packets-of-one-flit-on-two-lanes-in-turn",
    CreditEmpty = "credit.empty",
    CreditFull = "credit.full",
    CreditTakenAndGiven = "credit.taken-and-given-at-once",
    OutputFull = "output.fifo-full",
    OutputSeveral = "output.fifo-several",
    OutputOneFlitPacket = "output.one-flit-packet",
    OutputHead = "output.head",
    OutputBody = "output.body",
    OutputTail = "output.tail",
    Reset = "reset.in-mid-flight",
    ResetInputs = "reset.flits-and-credits-come",
    HeaderSpare = "header.bits-that-no-router-reads",
    HeaderOutside = "header.address-outside",
    HeaderPayload = "header.payload-each-bit-0-and-1",
    ChanceBits = "chance.each-bit-0-and-1",
    ChanceBegins = "chance.begins-elsewhere",
    ErrorsAtEnd = "error.counter-at-its-end",
}

/// A packet's candidates, and its request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offer {
    pub(crate) minimal: u64,
    pub(crate) global: u64,
    pub(crate) local: u64,
    pub(crate) forced: bool,
    request: u64,
}

impl Offer {
    /// Candidates as packed in the registers.
    pub(crate) fn new(candidates: u128, request: u64, shape: &Shape) -> Self {
        let packing = shape.packing();
        let of = |kind: u32| {
            let sets = (0..).zip(shape.set_kinds()).filter(|&(_, &of)| of == kind);
            sets.fold(0, |ports, (set, _)| ports | packing.ports_of(candidates, set))
        };
        let [minimal, global, local] =
            [layout::HOP_KIND_MINIMAL, layout::HOP_KIND_GLOBAL_MISROUTE, layout::HOP_KIND_LOCAL_MISROUTE]
                .map(of);
        Self { minimal, global, local, forced: packing.is_forced(candidates), request }
    }
}

/// What a VC went through.
pub(crate) fn transition(was: u32, is: u32, packets_before: u64, packets: u64) -> Option<Case> {
    use layout::{VC_STATE_ACTIVE as ACTIVE, VC_STATE_DISCARDING as DISCARDING};
    use layout::{VC_STATE_IDLE as IDLE, VC_STATE_WAITING as WAITING};
    match (was, is) {
        (IDLE, WAITING) => Some(Case::VcIdleWaiting),
        (WAITING, ACTIVE) => Some(Case::VcWaitingActive),
        (ACTIVE, IDLE) => Some(Case::VcActiveIdle),
        (ACTIVE, WAITING) => Some(Case::VcActiveWaiting),
        (WAITING, IDLE) => Some(Case::VcWaitingIdle),
        (IDLE, DISCARDING) => Some(Case::VcIdleDiscarding),
        (WAITING, DISCARDING) => Some(Case::VcWaitingDiscarding),
        (ACTIVE, DISCARDING) => Some(Case::VcActiveDiscarding),
        (DISCARDING, IDLE) => Some(Case::VcDiscardingIdle),
        (DISCARDING, WAITING) => Some(Case::VcDiscardingWaiting),
        (DISCARDING, DISCARDING) if packets < packets_before => Some(Case::VcDiscardingDiscarding),
        (WAITING, WAITING) if packets < packets_before => Some(Case::VcWaitingWaiting),
        _ => None,
    }
}

/// The case of a packet that is discarded.
pub(crate) const fn discard_case(why: Discard) -> Case {
    match why {
        Discard::NotInTable => Case::DiscardNotInTable,
        Discard::InvalidPort => Case::DiscardInvalidPort,
        Discard::InputPort => Case::DiscardInputPort,
        Discard::ManagementPort => Case::DiscardManagementPort,
        Discard::Lifetime => Case::DiscardLifetime,
    }
}

/// The case of a waiting packet's request.
pub(crate) fn select_case(offer: &Offer) -> Option<Case> {
    let request = offer.request;
    if request == 0 {
        None
    } else if offer.forced {
        Some(Case::SelectForced)
    } else if request.count_ones() > 1 {
        Some(Case::SelectSeveral)
    } else if request & offer.minimal != 0 {
        Some(Case::SelectMinimal)
    } else if request & offer.global != 0 {
        Some(Case::SelectGlobalMisroute)
    } else {
        Some(Case::SelectLocalMisroute)
    }
}

/// What a waiting packet was offered.
pub(crate) fn route_case(offer: &Offer, shape: &Shape) -> Case {
    let nodes = (1u64 << shape.nodes()) - 1;
    match (offer.forced, offer.minimal, offer.global, offer.local) {
        (true, 0, ..) => Case::RouteForcedWithoutOwnLink,
        (true, ..) => Case::RouteForcedWithOwnLink,
        (_, minimal, ..) if minimal & nodes != 0 => Case::RouteConsume,
        (_, _, 0, 0) => Case::RouteMinimalOnly,
        (_, _, _, 0) => Case::RouteMinimalAndGlobal,
        (_, _, 0, _) => Case::RouteMinimalAndLocal,
        _ => Case::RouteMinimalAndBoth,
    }
}
