//! The routings of routers with more than 64 ports.

use super::multipath::Multipath;
use super::ugal::Ugal;
use super::up_down::{Ascent, Levelled, UpDown};
use super::valiant_table::ValiantTable;
use super::ways::{Exit, Ways};
use super::{Arrival, Candidates, Draw, Full, Here, HopKind, Misfit, Route, RoutingScheme};
use crate::header::{Address, Header};
use crate::map::AnyMap;
use crate::map::forwarding::ForwardingTable;
use crate::map::intervals::IntervalTable;
use crate::map::table::Table;
use crate::map::up_down::UpDownTable;
use crate::units::{PortClass, PortId, WideBits, WidePorts};

/// Makes the closed list of routings, and sends each call to the one in use.
macro_rules! wide_routings {
    ($($scheme:pat, $map:pat $(if $condition:expr)? => $name:ident($type:ty) = $routing:expr),* $(,)?) => {
        /// The routing in use, of those that routers with more than 64 ports have: one for all routers of a network. They are those by
        /// tables whose headers name no ports.
        #[derive(Clone, Copy, Debug)]
        pub enum WideRouting<'m> {
            $(#[doc = concat!("As [`Routing::", stringify!($name), "`](super::Routing::", stringify!($name), ").")] $name($type)),*
        }

        impl RoutingScheme {
            /// The routing on a map of routers with more than 64 ports; nothing where those do not have it, or on a map that it does not fit.
            pub fn build_wide<'m>(&self, map: &AnyMap<'m, WideBits>) -> Option<WideRouting<'m>> {
                match (self, *map) {
                    $(($scheme, $map) $(if $condition)? => Some(WideRouting::$name($routing)),)*
                    _ => None,
                }
            }
        }

        impl RoutingScheme {
            /// Whether routers with more than 64 ports have it, on a map that it fits.
            pub fn has_wide(&self) -> bool {
                match self {
                    $($scheme $(if $condition)? => true,)*
                    _ => false,
                }
            }
        }

        impl Route<WideBits> for WideRouting<'_> {
            #[inline]
            fn offer(&self, here: &Wide, from: Arrival, header: &Header) -> Result<Candidates<WideBits>, Full> {
                match self { $(Self::$name(routing) => routing.offer(here, from, header)),* }
            }
            #[cold]
            fn passed_over(&self, here: &Wide, header: &Header) -> WidePorts {
                match self { $(Self::$name(routing) => routing.passed_over(here, header)),* }
            }
            #[inline]
            fn onward(&self, here: &Wide, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
                match self { $(Self::$name(routing) => routing.onward(here, header, out_kind, hop)),* }
            }
            fn launch(&self, here: &Wide, to: Address, length: u16, draw: &mut impl Draw) -> Header {
                match self { $(Self::$name(routing) => routing.launch(here, to, length, draw)),* }
            }
            fn level(&self, from: Address, to: Address) -> u8 {
                match self { $(Self::$name(routing) => Route::<WideBits>::level(routing, from, to)),* }
            }
            fn leaves_for(&self, here: &Wide, from: Arrival, header: &Header) -> Option<u32> {
                match self { $(Self::$name(routing) => routing.leaves_for(here, from, header)),* }
            }
            fn exit(&self, here: &Wide, group: u32) -> Option<Exit> {
                match self { $(Self::$name(routing) => routing.exit(here, group)),* }
            }
            fn ways(&self, here: &Wide, from: Arrival, header: &Header) -> Option<Ways> {
                match self { $(Self::$name(routing) => routing.ways(here, from, header)),* }
            }
            fn straight(&self, from: Arrival) -> Option<PortId> {
                match self { $(Self::$name(routing) => Route::<WideBits>::straight(routing, from)),* }
            }
            fn legs(&self, from: u32, to: u32) -> u16 {
                match self { $(Self::$name(routing) => Route::<WideBits>::legs(routing, from, to)),* }
            }
            #[inline]
            fn keeps_order(&self, here: &Wide, from: Arrival, header: &Header) -> bool {
                match self { $(Self::$name(routing) => routing.keeps_order(here, from, header)),* }
            }
        }
    };
}

type Wide = Here<WideBits>;

wide_routings! {
    RoutingScheme::Table(_), AnyMap::Graph(table) => Table(Table<'m, WideBits>) = table,
    RoutingScheme::Multipath(_), AnyMap::Graph(table) => Multipath(Multipath<'m, WideBits>) = Multipath { table },
    RoutingScheme::ValiantTable(_), AnyMap::Graph(table) => ValiantTable(ValiantTable<'m, WideBits>) = ValiantTable { table },
    // A header has six bits for a port that is drawn.
    RoutingScheme::UpDown(scheme), AnyMap::Levels(levels) if scheme.ascent != Ascent::Random =>
        UpDown(UpDown<'m, WideBits>) = UpDown { levels: Levelled::Table(levels), ascent: scheme.ascent },
    RoutingScheme::UpDownStar(_), AnyMap::UpDown(table) => UpDownStar(UpDownTable<'m, WideBits>) = table,
    RoutingScheme::Forwarding(_), AnyMap::Forwarding(table) => Forwarding(ForwardingTable<'m>) = table,
    RoutingScheme::Layered(_), AnyMap::Forwarding(table) => Layered(ForwardingTable<'m>) = table,
    RoutingScheme::Interval(_), AnyMap::Intervals(table) => Interval(IntervalTable<'m>) = table,
    RoutingScheme::Ugal(_), AnyMap::Distance(map) => Ugal(Ugal<'m, WideBits>) = Ugal { map },
}

impl RoutingScheme {
    /// What keeps it from a network of routers with more than 64 ports although it has a map of the right kind.
    ///
    /// # Errors
    /// When there is something.
    pub fn check_wide(&self, map: &AnyMap<'_, WideBits>) -> Result<(), Misfit> {
        match (self, map) {
            (Self::UpDown(scheme), AnyMap::Levels(levels)) => scheme.check_levels(levels),
            _ => Ok(()),
        }
    }
}

impl WideRouting<'_> {
    /// The words of those routings.
    pub const WORDS: &'static str = "`table`, `multipath`, `valiant-table`, `up-down` (but not with `ascent = \"random\"`), `up*/down*`, `forwarding`, `layered`, `interval` and `ugal`";
}
