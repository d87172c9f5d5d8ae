//! The plans of a network: what the routers of each class have in common.

use super::Blueprint;
use crate::scenario::CongestionSettings;
use router_core::links::{Links, LinksError, PortSizes};
use router_core::map::RouterClass;
use router_core::mark::Marking;
use router_core::piggyback::FlagRule;
use router_core::plan::Plan;
use router_core::route::RoutingScheme;
use router_core::units::{PortSet, VcSet};

impl Blueprint {
    /// What all routers of each class have in common.
    ///
    /// # Errors
    /// When the network's routers have more than `P` ports.
    pub fn plans<const P: usize>(&self) -> Result<Vec<Plan<P>>, LinksError> {
        (0..self.wiring.router_classes()).map(|class| self.plan_of(RouterClass(class as u8))).collect()
    }

    /// What a router has in common with the others of its class.
    ///
    /// # Errors
    /// When the network's routers have more than `P` ports.
    pub fn plan<const P: usize>(&self, router: usize) -> Result<Plan<P>, LinksError> {
        self.plan_of(self.wiring.router_class(router))
    }

    fn plan_of<const P: usize>(&self, class: RouterClass) -> Result<Plan<P>, LinksError> {
        let router = &self.scenario.router;
        let options = router.options;
        let size = |(vcs, buffer): (&u32, &u32)| PortSizes { vcs: *vcs as u8, buffer: *buffer as u16 };
        let sizes: Vec<_> =
            router.vcs.as_slice().iter().zip(router.buffer_flits.as_slice()).map(size).collect();
        let shortest = self.scenario.shortest_packet();
        // A dead address has a descriptor, too.
        let shortest = if options.flow_control.goes_ahead() {
            shortest.min(options.address_flits.into())
        } else {
            shortest
        };
        let mut links = Links::new(self.wiring.port_classes(class), &sizes)?.with_shortest(shortest as u16);
        for (class, depths) in router.depths.iter().filter(|(class, _)| router.has_depths(*class)) {
            links = links.with_depths(class, depths);
        }
        for (class, reserved) in router.reserved_flits.iter().filter(|(class, _)| router.shares(*class)) {
            links = links.with_reserved(class, reserved as u16);
        }
        links.restricted = self.scenario.topology.restricted();
        links.vc_order = self.scenario.routing.vc_order;
        let mut plan = Plan::of(links).with_options(options);
        plan.count_at = self.scenario.selection.count_at;
        plan.selection = self.scenario.selection.trigger;
        plan.preference = self.scenario.selection.preference;
        plan.vl_arbitration = router.vl_arbitration.as_ref().map(|tables| tables.of_plan(&plan));
        plan.first = VcSet::first_n(self.scenario.ack_vcs().into());
        plan.lifetimes = router.lifetimes(&plan);
        plan.marking = marking(&plan, &self.scenario.congestion);
        plan.flags = self.flag_rule();
        plan.groups_from = self.groups().map(super::Groups::first);
        if plan.selection.listens() || self.scenario.heeds_flags() {
            plan.groups = self.scenario.topology.groups().map_or(0, |groups| groups.len() as u16);
        }
        Ok(plan)
    }

    /// Which global links routers flag, if those of a group tell each other.
    fn flag_rule(&self) -> Option<FlagRule> {
        let RoutingScheme::UgalDragonfly(scheme) = self.scenario.routing.scheme else { return None };
        let tells = scheme.knowledge.is_flagged();
        tells.then(|| scheme.piggyback.for_packets(self.scenario.longest_packet()))
    }
}

/// What marks packets at routers of a plan.
fn marking<const P: usize>(plan: &Plan<P>, congestion: &CongestionSettings) -> Marking<P> {
    let ports = plan.links.each();
    let victim_mask = if congestion.victim_mask { ports.clone().collect() } else { PortSet::EMPTY };
    let none = Marking::new(congestion.marks, victim_mask);
    let channels = ports.flat_map(|port| plan.links.vcs(port).into_iter().map(move |vc| (port, vc)));
    channels.fold(none, |marking, (port, vc)| {
        marking.with_weight(port, vc, congestion.threshold[plan.links.class(port)] as u8)
    })
}
