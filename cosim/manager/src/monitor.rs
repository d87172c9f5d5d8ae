//! The light sweep: whether anything has changed.

use crate::attribute::{PortInfo, SwitchInfo};
use crate::error::ManagerError;
use crate::requests::Requests;
use crate::subnet::{Node, Subnet};
use crate::transport::Transport;
use desvio_sma::mad::attribute;

/// What a light sweep finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// All is as it was. Managers run at these nodes, by their places, beside the own one.
    Same(Vec<usize>),
    /// Something is not as it was.
    Changed,
}

/// Asks each switch whether a link of it has changed, and each end whether it has its LID still, since there are no traps.
pub(crate) fn look<T: Transport>(
    requests: &mut Requests<T>,
    subnet: &Subnet,
    lids: &[u16],
) -> Result<Found, ManagerError> {
    let mut managers = Vec::new();
    for (place, (node, &lid)) in subnet.nodes.iter().zip(lids).enumerate() {
        if node.info.is_switch {
            let data = requests.get(&node.route, attribute::SWITCH_INFO, 0)?;
            if data.is_none_or(|data| SwitchInfo(data).has_changed()) {
                return Ok(Found::Changed);
            }
        }
        if node.info.is_switch && !may_manage(node) {
            continue;
        }
        let data = requests.get(&node.route, attribute::PORT_INFO, node.end().into())?;
        let Some(info) = data.map(PortInfo) else { return Ok(Found::Changed) };
        if info.lids().0 != lid || place == subnet.own && is_news(node, &info) {
            return Ok(Found::Changed);
        }
        if info.has_manager() && place != subnet.own {
            managers.push(place);
        }
    }
    for end in &subnet.silent {
        let way = subnet.nodes[end.node].route.by(end.port);
        if requests.get_once(&way, attribute::NODE_INFO, 0)?.is_some() {
            return Ok(Found::Changed);
        }
    }
    Ok(Found::Same(managers))
}

/// A switch at which a manager ran when it was discovered.
fn may_manage(node: &Node) -> bool {
    node.end_info().is_some_and(PortInfo::has_manager)
}

/// Whether the own link has come up, or gone down.
fn is_news(node: &Node, now: &PortInfo) -> bool {
    node.end_info().is_some_and(|was| was.is_up() != now.is_up())
}

/// Places of the nodes at which other managers ran when they were discovered.
pub(crate) fn managers(subnet: &Subnet) -> Vec<usize> {
    let runs = |&place: &usize| place != subnet.own && may_manage(&subnet.nodes[place]);
    (0..subnet.nodes.len()).filter(runs).collect()
}
