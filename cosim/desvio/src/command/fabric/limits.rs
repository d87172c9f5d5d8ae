//! `--limit`: what a manager of our own tells the switches of lifetime limits, by OpenSM's names.

use super::Arguments;
use desvio_manager::Limits;

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    set: fn(&mut Limits, u8),
    value: u8,
}

/// A limit's name, the highest value, and what it sets.
type Name = (&'static str, u8, fn(&mut Limits, u8));

const NAMES: [Name; 5] = [
    ("head_of_queue_lifetime", 31, |limits, value| limits.to_switches.life = value),
    ("leaf_head_of_queue_lifetime", 31, |limits, value| limits.to_ends.life = value),
    ("vl_stall_count", 7, |limits, value| limits.to_switches.stall_count = value),
    ("leaf_vl_stall_count", 7, |limits, value| limits.to_ends.stall_count = value),
    ("packet_life_time", 31, |limits, value| limits.in_switches = value),
];

/// `NAME=N`.
pub(super) fn parse(text: &str) -> Result<Limit, String> {
    let names = || NAMES.map(|(name, ..)| name).join(", ");
    let (name, value) = text.split_once('=').ok_or_else(|| "NAME=N is needed".to_owned())?;
    let known = NAMES.into_iter().find(|(known, ..)| *known == name);
    let (_, most, set) = known.ok_or_else(|| format!("there is no such limit, but {}", names()))?;
    let value = value.parse().ok().filter(|value| *value <= most);
    let value = value.ok_or_else(|| format!("a number from 0 to {most} is needed"))?;
    Ok(Limit { set, value })
}

/// What a manager of our own is configured with.
pub(super) fn of(arguments: &Arguments) -> Option<Limits> {
    let is_on = arguments.lifetimes || !arguments.limits.is_empty();
    is_on.then(|| {
        let mut limits = Limits::default();
        arguments.limits.iter().for_each(|limit| (limit.set)(&mut limits, limit.value));
        limits
    })
}
