//! Attributes, as a manager reads and writes them.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.3 (NodeInfo), 14.2.5.4 (SwitchInfo), 14.2.5.6 (PortInfo) and 14.2.5.13
//! (SMInfo); 13.4.8.2 and 14.2.5.1 (notices and traps).

use crate::limits::HeadLimit;
use crate::requests::Data;
use desvio_sma::mad::DATA;
use desvio_sma::port::PortState;

fn take<const N: usize>(data: &Data, at: usize) -> [u8; N] {
    std::array::from_fn(|byte| data[at + byte])
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeInfo {
    /// A switch; otherwise a channel adapter, or a router between subnets, which is an end like one.
    pub is_switch: bool,
    /// Its links.
    pub ports: u8,
    /// Its GUID.
    pub guid: u64,
    /// That of the port by which the request came; of a switch its own.
    pub port_guid: u64,
    /// The port by which the request came.
    pub local_port: u8,
}

impl NodeInfo {
    pub(crate) fn read(data: &Data) -> Self {
        Self {
            is_switch: data[2] == 2,
            ports: data[3],
            guid: u64::from_be_bytes(take(data, 12)),
            port_guid: u64::from_be_bytes(take(data, 20)),
            local_port: data[36],
        }
    }

    /// What the node is known by: each port of an adapter is an end of its own.
    #[must_use]
    pub fn id(&self) -> u64 {
        if self.is_switch { self.guid } else { self.port_guid }
    }
}

/// A port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PortInfo(pub(crate) Data);

impl PortInfo {
    /// The first LID, and the manager's.
    pub(crate) fn lids(&self) -> (u16, u16) {
        (u16::from_be_bytes(take(&self.0, 16)), u16::from_be_bytes(take(&self.0, 18)))
    }

    /// There are 2 to the power of this many LIDs.
    pub(crate) fn lmc(&self) -> u8 {
        self.0[34] & 7
    }

    pub(crate) fn state(&self) -> u8 {
        self.0[32] & 0xf
    }

    pub(crate) fn is_up(&self) -> bool {
        self.state() > PortState::Down as u8
    }

    /// Whether a manager runs behind it.
    pub(crate) fn has_manager(&self) -> bool {
        self.0[23] & 2 != 0
    }

    /// What a Set writes to bring it to a state; nothing changes but that.
    pub(crate) fn towards(&self, state: Option<PortState>) -> Self {
        let mut info = self.clone();
        info.0[32] = info.0[32] & 0xf0 | state.map_or(0, |state| state as u8);
        info.0[33] &= 0x0f;
        info
    }

    /// For how long its packets wait at the head of a queue (HOQLife, VLStallCount).
    pub(crate) fn head_limit(&self) -> HeadLimit {
        HeadLimit { life: self.0[42] & 31, stall_count: self.0[42] >> 5 }
    }

    /// With another one.
    pub(crate) fn with_head_limit(mut self, HeadLimit { life, stall_count }: HeadLimit) -> Self {
        self.0[42] = stall_count << 5 | life & 31;
        self
    }

    /// With other LIDs.
    pub(crate) fn with(mut self, lid: u16, lmc: u8, manager: u16) -> Self {
        self.0[16..18].copy_from_slice(&lid.to_be_bytes());
        self.0[18..20].copy_from_slice(&manager.to_be_bytes());
        self.0[34] = self.0[34] & !7 | lmc;
        self
    }
}

/// Trap 144 of the end with a LID: the priority of its manager is news.
pub(crate) fn priority_changed(lid: u16) -> Data {
    let mut notice = [0; DATA];
    // Generic, for information, by a channel adapter.
    notice[..4].copy_from_slice(&[0x84, 0, 0, 1]);
    notice[4..6].copy_from_slice(&144u16.to_be_bytes());
    for at in [6, 12] {
        notice[at..at + 2].copy_from_slice(&lid.to_be_bytes());
    }
    // Another local change than one of the capabilities: bit 3, the priority.
    notice[15] = 1;
    notice[21] = 1 << 3;
    notice
}

/// A switch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SwitchInfo(pub(crate) Data);

impl SwitchInfo {
    /// Entries of the forwarding table.
    pub(crate) fn room(&self) -> u16 {
        u16::from_be_bytes(take(&self.0, 0))
    }

    /// Rows of the multicast forwarding table (MulticastFDBCap).
    pub(crate) fn group_room(&self) -> u16 {
        u16::from_be_bytes(take(&self.0, 4))
    }

    /// The highest LID in use.
    pub(crate) fn top(&self) -> u16 {
        u16::from_be_bytes(take(&self.0, 6))
    }

    /// Whether a port has changed its state since that was cleared.
    pub(crate) fn has_changed(&self) -> bool {
        self.0[11] & CHANGED != 0
    }

    /// For how long a packet may be in it (LifeTimeValue).
    pub(crate) fn lifetime_value(&self) -> u8 {
        self.0[11] >> 3
    }

    /// With another one.
    pub(crate) fn with_lifetime_value(mut self, value: u8) -> Self {
        self.0[11] = self.0[11] & 7 | value << 3;
        self
    }

    /// What a Set writes; `clears` the bit of a change.
    pub(crate) fn with(&self, top: u16, clears: bool) -> Self {
        let mut info = self.clone();
        info.0[6..8].copy_from_slice(&top.to_be_bytes());
        // A written 1 clears it.
        info.0[11] = if clears { info.0[11] | CHANGED } else { info.0[11] & !CHANGED };
        info
    }
}

const CHANGED: u8 = 4;

/// What a manager does.
#[repr(u8)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Nothing, until it is set.
    NotActive = 0,
    /// Looks what is there.
    Discovering = 1,
    /// Waits, in case the master fails.
    Standby = 2,
    /// Manages.
    Master = 3,
}

/// What a manager says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmInfo {
    /// That of the port at which it runs.
    pub guid: u64,
    /// SM_Key: managers of one fabric have the same.
    pub key: u64,
    /// Rises as long as it works.
    pub activity: u32,
    /// 0…15: the highest one manages.
    pub priority: u8,
    /// What it does.
    pub state: State,
}

impl SmInfo {
    pub(crate) fn read(data: &Data) -> Self {
        let state = match data[20] & 0xf {
            1 => State::Discovering,
            2 => State::Standby,
            3 => State::Master,
            _ => State::NotActive,
        };
        Self {
            guid: u64::from_be_bytes(take(data, 0)),
            key: u64::from_be_bytes(take(data, 8)),
            activity: u32::from_be_bytes(take(data, 16)),
            priority: data[20] >> 4,
            state,
        }
    }

    pub(crate) fn write(&self) -> Data {
        let mut data = [0; DATA];
        data[..8].copy_from_slice(&self.guid.to_be_bytes());
        data[8..16].copy_from_slice(&self.key.to_be_bytes());
        data[16..20].copy_from_slice(&self.activity.to_be_bytes());
        data[20] = self.priority << 4 | self.state as u8;
        data
    }

    /// Whether it goes before another one: by the higher priority, then by the lower GUID.
    #[must_use]
    pub fn goes_before(&self, other: &Self) -> bool {
        (self.priority, std::cmp::Reverse(self.guid)) > (other.priority, std::cmp::Reverse(other.guid))
    }
}
