//! A sweep: breadth first along directed routes, from the manager's own node. A GUID tells a node that is met again.

use crate::attribute::{NodeInfo, PortInfo, SwitchInfo};
use crate::error::ManagerError;
use crate::requests::{Data, Requests};
use crate::route::Route;
use crate::subnet::{End, Node, Port, Subnet};
use crate::transport::Transport;
use desvio_sma::mad::{HOPS, attribute};
use std::collections::{BTreeMap, VecDeque};

/// Discovers what is there. With `clears` the change bits of the switches are cleared, each before its ports are read: that is for a master.
pub(crate) fn discover<T: Transport>(
    requests: &mut Requests<T>,
    clears: bool,
) -> Result<Subnet, ManagerError> {
    let mut sweep = Sweep { requests, clears, subnet: Subnet::default(), known: BTreeMap::new() };
    let own = sweep.info(&Route::default())?.ok_or(ManagerError::Alone)?;
    sweep.add(own, Route::default())?.ok_or(ManagerError::Alone)?;
    let mut queue = VecDeque::from([0]);
    while let Some(at) = queue.pop_front() {
        // Nothing goes on through an adapter.
        if at == sweep.subnet.own || sweep.subnet.nodes[at].info.is_switch {
            sweep.look_around(at, &mut queue)?;
        }
    }
    sweep.check()?;
    Ok(sweep.subnet.sort())
}

struct Sweep<'r, T> {
    requests: &'r mut Requests<T>,
    clears: bool,
    subnet: Subnet,
    /// Places of the nodes.
    known: BTreeMap<u64, usize>,
}

impl<T: Transport> Sweep<'_, T> {
    fn info(&mut self, route: &Route) -> Result<Option<NodeInfo>, ManagerError> {
        let data = self.requests.get(route, attribute::NODE_INFO, 0)?;
        Ok(data.map(|data| NodeInfo::read(&data)))
    }

    /// What is behind each link of a node that is up.
    fn look_around(&mut self, at: usize, queue: &mut VecDeque<usize>) -> Result<(), ManagerError> {
        let node = &self.subnet.nodes[at];
        let route = node.route.clone();
        let up = |(&port, is): (&u8, &Port)| (port != 0 && is.info.is_up()).then_some(port);
        let ports: Vec<u8> = node.ports.iter().filter_map(up).collect();
        for port in ports {
            let near = End { node: at, port };
            let way = route.by(port);
            let is_near = way.0.len() <= HOPS.into();
            let Some(info) = (if is_near { self.info(&way)? } else { None }) else {
                self.subnet.silent.push(near);
                continue;
            };
            let there = match self.known.get(&info.id()) {
                Some(&there) => there,
                None => match self.add(info, way.clone())? {
                    Some(there) => {
                        queue.push_back(there);
                        there
                    }
                    None => {
                        self.subnet.silent.push(near);
                        continue;
                    }
                },
            };
            self.connect(near, End { node: there, port: info.local_port }, &info, &way)?;
        }
        Ok(())
    }

    /// A new node. Nothing where it stops answering.
    fn add(&mut self, info: NodeInfo, route: Route) -> Result<Option<usize>, ManagerError> {
        let Some(description) = self.description(&route)? else { return Ok(None) };
        let mut node = Node { info, description, route, switch: None, ports: BTreeMap::new() };
        let mut numbers = info.local_port..=info.local_port;
        if info.is_switch {
            let Some(switch) = self.switch_info(&node.route)? else { return Ok(None) };
            node.switch = Some(switch);
            numbers = 0..=info.ports;
        }
        for number in numbers {
            let data = self.requests.get(&node.route, attribute::PORT_INFO, number.into())?;
            let Some(data) = data else { return Ok(None) };
            node.ports.insert(number, Port { info: PortInfo(data), link: None });
        }
        let place = self.subnet.nodes.len();
        self.known.insert(info.id(), place);
        self.subnet.nodes.push(node);
        Ok(Some(place))
    }

    fn switch_info(&mut self, route: &Route) -> Result<Option<SwitchInfo>, ManagerError> {
        let data = self.requests.get(route, attribute::SWITCH_INFO, 0)?;
        let Some(info) = data.map(SwitchInfo) else { return Ok(None) };
        if !self.clears || !info.has_changed() {
            return Ok(Some(info));
        }
        let cleared = info.with(info.top(), true).0;
        let data = self.requests.set(route, attribute::SWITCH_INFO, 0, cleared)?;
        Ok(data.map(SwitchInfo))
    }

    fn description(&mut self, route: &Route) -> Result<Option<String>, ManagerError> {
        let text = |data: Data| {
            let end = data.iter().position(|&byte| byte == 0).unwrap_or(data.len());
            String::from_utf8_lossy(&data[..end]).into_owned()
        };
        Ok(self.requests.get(route, attribute::NODE_DESCRIPTION, 0)?.map(text))
    }

    /// A link from one end to another.
    fn connect(&mut self, near: End, far: End, info: &NodeInfo, way: &Route) -> Result<(), ManagerError> {
        let known = self.subnet.nodes[far.node].info;
        let is_same = (known.is_switch, known.ports, known.guid) == (info.is_switch, info.ports, info.guid);
        let is_there = self.subnet.nodes[far.node].ports.contains_key(&far.port);
        if !is_same || !is_there {
            return Err(self.duplicate(far.node, way)?);
        }
        if let Some(rival) = self.subnet.claimant(far).filter(|&rival| rival != near) {
            if self.leads(rival, far)? {
                return Err(self.duplicate(far.node, way)?);
            }
            // It did when it was looked at.
            self.cut(rival);
        }
        if let Some(port) = self.subnet.nodes[near.node].ports.get_mut(&near.port) {
            port.link = Some(far);
        }
        // Its links are not looked at, but for those of the own node.
        let is_end = far.node != self.subnet.own && !info.is_switch;
        if is_end && let Some(port) = self.subnet.nodes[far.node].ports.get_mut(&far.port) {
            port.link = Some(near);
        }
        Ok(())
    }

    fn duplicate(&mut self, first: usize, second_route: &Route) -> Result<ManagerError, ManagerError> {
        let second = self.description(second_route)?.unwrap_or_default();
        let node = &self.subnet.nodes[first];
        Ok(ManagerError::Duplicate {
            guid: node.info.id(),
            first: node.description.clone(),
            first_route: node.route.clone(),
            second,
            second_route: second_route.clone(),
        })
    }

    /// A link leads back by which it led there. One that does not has changed meanwhile, or two nodes have one GUID.
    fn check(&mut self) -> Result<(), ManagerError> {
        for node in 0..self.subnet.nodes.len() {
            let links: Vec<_> = self.subnet.nodes[node].links().collect();
            for (port, far) in links {
                let near = End { node, port };
                if self.subnet.nodes[far.node].behind(far.port) == Some(near) {
                    continue;
                }
                if let Some(way) = self.is_elsewhere(near, far)? {
                    return Err(self.duplicate(far.node, &way)?);
                }
                self.cut(near);
            }
        }
        Ok(())
    }

    /// A link that is not there any more.
    fn cut(&mut self, near: End) {
        self.subnet.is_torn = true;
        if let Some(port) = self.subnet.nodes[near.node].ports.get_mut(&near.port) {
            port.link = None;
        }
    }

    /// What is behind a link now: nothing where it is down, or node and port. Nothing at all where that is unknown, because the known
    /// way does not lead to the node any more, or an answer is lost.
    fn behind_now(&mut self, end: End) -> Result<Option<Option<(u64, u8)>>, ManagerError> {
        let node = &self.subnet.nodes[end.node];
        let (route, id) = (node.route.clone(), node.info.id());
        if self.info(&route)?.is_none_or(|info| info.id() != id) {
            return Ok(None);
        }
        let data = self.requests.get(&route, attribute::PORT_INFO, end.port.into())?;
        let Some(info) = data.map(PortInfo) else { return Ok(None) };
        if !info.is_up() {
            return Ok(Some(None));
        }
        Ok(self.info(&route.by(end.port))?.map(|there| Some((there.id(), there.local_port))))
    }

    /// Whether the link at an end leads, now, to a port of the GUID that is known for another one.
    fn leads(&mut self, near: End, far: End) -> Result<bool, ManagerError> {
        let id = self.subnet.nodes[far.node].info.id();
        Ok(self.behind_now(near)? == Some(Some((id, far.port))))
    }

    /// Whether the link still leads to a port of that GUID, while the node that is known by it has no such link: then the way to the other
    /// node.
    fn is_elsewhere(&mut self, near: End, far: End) -> Result<Option<Route>, ManagerError> {
        if !self.leads(near, far)? {
            return Ok(None);
        }
        let id = self.subnet.nodes[near.node].info.id();
        let is_elsewhere = self.behind_now(far)?.is_some_and(|back| back != Some((id, near.port)));
        Ok(is_elsewhere.then(|| self.subnet.nodes[near.node].route.by(near.port)))
    }
}
