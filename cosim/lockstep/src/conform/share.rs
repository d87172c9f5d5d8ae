//! How an output is shared among the inputs that want it, while all of them have something for it in every cycle.

use std::collections::BTreeMap;

/// An input port and a VC of it.
pub(super) type Channel = (usize, usize);

/// Flits that left by each input VC.
pub(super) type Served = BTreeMap<Channel, u64>;

/// The input VC that was served least, of those that wanted an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// What it got, of what an equal share is: 1 is as much as the others.
    pub share: f64,
    /// The input VC, in words.
    pub input: String,
    /// What it wanted, in words.
    pub output: String,
    /// How many input VCs wanted that, of how many ports.
    pub rivals: (usize, usize),
    /// Cycles of the stretch.
    pub cycles: u64,
}

/// An input VC that wants an output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rival {
    pub(super) channel: Channel,
    /// The VCs of the output that its packets may take, a bit for each.
    pub(super) lanes: u64,
    /// Flits of it that left.
    pub(super) flits: u64,
}

/// The least of all shares; `None` where there is nobody to share with.
pub(super) fn least(rivals: &[Rival]) -> Option<(Rival, f64)> {
    if rivals.len() < 2 {
        return None;
    }
    let all: u64 = rivals.iter().map(|rival| rival.flits).sum();
    let share =
        |rival: &Rival| (*rival, rival.flits as f64 * parts(rivals, rival) as f64 / all.max(1) as f64);
    rivals.iter().map(share).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Parts into which an equal share divides the output. There is one for each input VC; or for each port, and then for each VC of the port.
/// Or there is one for each set of VCs of the output, and then for each input VC that may take these. Each of them is fair, so the most
/// parts count.
fn parts(rivals: &[Rival], of: &Rival) -> usize {
    let ports =
        (distinct(rivals, |rival| rival.channel.0), same(rivals, |rival| rival.channel.0 == of.channel.0));
    let lanes = (distinct(rivals, |rival| rival.lanes), same(rivals, |rival| rival.lanes == of.lanes));
    rivals.len().max(ports.0 * ports.1).max(lanes.0 * lanes.1)
}

fn distinct<T: Ord>(rivals: &[Rival], key: impl Fn(&Rival) -> T) -> usize {
    rivals.iter().map(key).collect::<std::collections::BTreeSet<_>>().len()
}

fn same(rivals: &[Rival], is_same: impl Fn(&Rival) -> bool) -> usize {
    rivals.iter().filter(|rival| is_same(rival)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(served: &[(Channel, u64, u64)]) -> Option<(Channel, f64)> {
        let rival = |&(channel, lanes, flits): &(Channel, u64, u64)| Rival { channel, lanes, flits };
        let rivals: Vec<_> = served.iter().map(rival).collect();
        least(&rivals).map(|(rival, share)| (rival.channel, share))
    }

    #[test]
    fn an_equal_share_is_one_and_none_is_nothing() {
        assert_eq!(share(&[((0, 0), 1, 200), ((1, 0), 1, 200), ((2, 0), 1, 200)]), Some(((0, 0), 1.0)));
        assert_eq!(share(&[((0, 0), 1, 300), ((1, 0), 1, 300), ((2, 0), 1, 0)]), Some(((2, 0), 0.0)));
        assert_eq!(share(&[((0, 0), 1, 1000)]), None, "nobody to share with");
    }

    #[test]
    fn shares_may_be_equal_by_port_or_by_output_vc() {
        let by_port: Vec<_> = (0..8).map(|vc| ((0, vc), 1, 100)).chain([((1, 0), 1, 800)]).collect();
        assert_eq!(share(&by_port).map(|found| found.1), Some(1.0));
        let by_lane: Vec<_> = (0..8).map(|port| ((port, 0), 1, 100)).chain([((8, 0), 2, 800)]).collect();
        assert_eq!(share(&by_lane).map(|found| found.1), Some(1.0));
    }
}
