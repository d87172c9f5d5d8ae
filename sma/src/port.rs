//! A port as a subnet manager sees it: the attribute PortInfo, and what a Set changes in it.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.6 (PortInfo) and 7.2.7 (the states of a link).

use crate::bits::{Bits, byte, double, half, put, take};
use crate::mad::{DATA, Status};

/// What a link may be used for. A management packet crosses it in every state but the first.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortState {
    /// For nothing: the link is not there.
    Down = 1,
    /// For management only.
    Initialize = 2,
    /// For management; data may come in.
    Armed = 3,
    /// For everything.
    Active = 4,
}

impl PortState {
    const fn of(number: u8) -> Self {
        match number {
            2 => Self::Initialize,
            3 => Self::Armed,
            4 => Self::Active,
            _ => Self::Down,
        }
    }
}

/// What a Set wants of the link itself, which only what is beside the agent can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkOrder {
    /// To come up anew: both its ends begin at [`PortState::Initialize`].
    Retrain,
    /// To stay down.
    Disable,
    /// To come up after that, if there is something at the other end.
    Enable,
}

/// What stands at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The management of a switch: port 0. Its state is Active for ever.
    Management,
    /// A link of a switch: it has no LID.
    Link,
    /// A link of a channel adapter.
    End,
}

/// The attribute of a port, as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Port {
    role: Role,
    info: [u8; DATA],
}

impl Port {
    pub(crate) fn new(role: Role, number: u8) -> Self {
        let mut port = Self { role, info: [0; DATA] };
        port.set_defaults();
        put(&mut port.info, LOCAL_PORT, [number]);
        port
    }

    fn set_defaults(&mut self) {
        let info = &mut self.info;
        let is_management = self.role == Role::Management;
        for (field, value) in DEFAULTS {
            field.set(info, *value);
        }
        STATE.set(info, if is_management { PortState::Active } else { PortState::Down } as u8);
        PHYSICAL_STATE.set(info, if is_management { LINK_UP } else { POLLING });
        if self.role != Role::Link {
            put(info, PREFIX, LINK_LOCAL.to_be_bytes());
            GUID_CAP.set(info, 1);
        }
        if is_management {
            // VL15 only.
            VL_CAP.set(info, 1);
            VLS.set(info, 1);
            put(info, HIGH_CAP, [0, 0]);
        }
    }

    /// As a request that came by port `arrived` reads it.
    pub(crate) fn info(&self, arrived: u8) -> [u8; DATA] {
        let mut info = self.info;
        put(&mut info, LOCAL_PORT, [arrived]);
        info
    }

    pub(crate) fn state(&self) -> PortState {
        PortState::of(STATE.get(&self.info))
    }

    /// The first LID of the port, and how many it has: a power of two.
    pub(crate) fn lids(&self) -> (u16, u16) {
        (half(&self.info, LID), 1u16.wrapping_shl(LMC.get(&self.info).into()))
    }

    /// The key that requests need, and how far: a Set always, a Get from 2 up.
    pub(crate) fn key(&self) -> (u64, u8) {
        (double(&self.info, KEY), PROTECTION.get(&self.info))
    }

    /// A request had a wrong key.
    pub(crate) fn count_violation(&mut self) {
        let count = half(&self.info, KEY_VIOLATIONS).saturating_add(1);
        put(&mut self.info, KEY_VIOLATIONS, count.to_be_bytes());
    }

    /// A subnet manager runs behind this port, or no longer.
    pub(crate) fn set_manager(&mut self, runs: bool) {
        IS_SM.set(&mut self.info, runs.into());
    }

    /// Whether a Set keeps the link down.
    pub(crate) fn is_disabled(&self) -> bool {
        PHYSICAL_STATE.get(&self.info) == DISABLED
    }

    /// The link has come up, or gone down. Says whether that is news.
    pub(crate) fn link(&mut self, is_up: bool) -> bool {
        let was_up = self.state() != PortState::Down;
        STATE.set(&mut self.info, if is_up { PortState::Initialize } else { PortState::Down } as u8);
        if is_up || !self.is_disabled() {
            PHYSICAL_STATE.set(&mut self.info, if is_up { LINK_UP } else { POLLING });
        }
        is_up != was_up
    }

    /// Takes over what a Set may change, all of it or nothing.
    pub(crate) fn set(&mut self, wanted: &[u8; DATA]) -> Result<Option<LinkOrder>, Status> {
        let order = self.order(wanted)?;
        self.check(wanted)?;
        let state = STATE.get(&self.info);
        let (wanted_state, physical) = (STATE.get(wanted), PHYSICAL_STATE.get(wanted));
        for (at, length) in WRITABLE {
            let places = self.info.iter_mut().zip(wanted).skip(*at).take(*length);
            places.for_each(|(place, &byte)| *place = byte);
        }
        if self.role != Role::Link {
            put(&mut self.info, LID, take::<2>(wanted, LID));
            put(&mut self.info, PREFIX, take::<8>(wanted, PREFIX));
            LMC.set(&mut self.info, LMC.get(wanted));
        }
        for field in [SM_SL, VL_STALL, LIFE, ENFORCEMENT, TIMEOUT, LOCAL_ERRORS, OVERRUNS, PROTECTION] {
            field.set(&mut self.info, field.get(wanted));
        }
        // 0 leaves these as they are.
        for field in [MTU, VLS, DOWN_DEFAULT] {
            if field.get(wanted) != 0 {
                field.set(&mut self.info, field.get(wanted));
            }
        }
        let keeps = wanted_state <= PortState::Down as u8 || self.role == Role::Management;
        STATE.set(&mut self.info, if keeps { state } else { wanted_state });
        if physical == DISABLED && self.role != Role::Management {
            PHYSICAL_STATE.set(&mut self.info, DISABLED);
        } else if self.is_disabled() && order == Some(LinkOrder::Enable) {
            PHYSICAL_STATE.set(&mut self.info, POLLING);
        }
        Ok(order)
    }

    /// What becomes of the link; an error where the state cannot be reached from here.
    fn order(&self, wanted: &[u8; DATA]) -> Result<Option<LinkOrder>, Status> {
        if self.role == Role::Management {
            return Ok(None);
        }
        let (is, state) = (self.state(), STATE.get(wanted));
        let legal = match state {
            0 | 1 => true,
            3 => matches!(is, PortState::Initialize | PortState::Armed),
            4 => matches!(is, PortState::Armed | PortState::Active),
            _ => false,
        };
        if !legal {
            return Err(Status::InvalidValue);
        }
        match PHYSICAL_STATE.get(wanted) {
            DISABLED => return Ok(Some(LinkOrder::Disable)),
            POLLING if self.is_disabled() => return Ok(Some(LinkOrder::Enable)),
            0 | POLLING => {}
            _ => return Err(Status::InvalidValue),
        }
        let retrains = state == PortState::Down as u8 && is != PortState::Down;
        Ok(retrains.then_some(LinkOrder::Retrain))
    }

    fn check(&self, wanted: &[u8; DATA]) -> Result<(), Status> {
        let (lid, lmc) = (half(wanted, LID), LMC.get(wanted));
        let has_lid = self.role != Role::Link;
        let aligned = lid & 1u16.wrapping_shl(lmc.into()).wrapping_sub(1) == 0;
        let fits = !has_lid || lid <= LAST_LID && aligned;
        // The management port of a switch has one LID.
        let one = self.role != Role::Management || lmc == 0;
        let lanes = VLS.get(wanted) <= VL_CAP.get(&self.info);
        let mtu = MTU.get(wanted) <= MTU_CAP.get(&self.info);
        let width = matches!(byte(wanted, WIDTH_ENABLED), 0..=3 | u8::MAX);
        if fits && one && lanes && mtu && width { Ok(()) } else { Err(Status::InvalidValue) }
    }
}

/// Highest LID of a single port.
const LAST_LID: u16 = 0xbfff;
const LINK_LOCAL: u64 = 0xfe80 << 48;

const KEY: usize = 0;
const PREFIX: usize = 8;
const LID: usize = 16;
const LOCAL_PORT: usize = 28;
const WIDTH_ENABLED: usize = 29;
const HIGH_CAP: usize = 39;
const KEY_VIOLATIONS: usize = 44;

/// IsSM, bit 1 of the capabilities.
const IS_SM: Bits = Bits::new(23, 1, 1);
const STATE: Bits = Bits::new(32, 0, 4);
const PHYSICAL_STATE: Bits = Bits::new(33, 4, 4);
const DOWN_DEFAULT: Bits = Bits::new(33, 0, 4);
const PROTECTION: Bits = Bits::new(34, 6, 2);
const LMC: Bits = Bits::new(34, 0, 3);
const MTU: Bits = Bits::new(36, 4, 4);
const SM_SL: Bits = Bits::new(36, 0, 4);
const VL_CAP: Bits = Bits::new(37, 4, 4);
const MTU_CAP: Bits = Bits::new(41, 0, 4);
const VL_STALL: Bits = Bits::new(42, 5, 3);
const LIFE: Bits = Bits::new(42, 0, 5);
const VLS: Bits = Bits::new(43, 4, 4);
const ENFORCEMENT: Bits = Bits::new(43, 0, 4);
const GUID_CAP: Bits = Bits::new(50, 0, 8);
const TIMEOUT: Bits = Bits::new(51, 0, 5);
const LOCAL_ERRORS: Bits = Bits::new(53, 4, 4);
const OVERRUNS: Bits = Bits::new(53, 0, 4);

const POLLING: u8 = 2;
const DISABLED: u8 = 3;
const LINK_UP: u8 = 5;

/// Bytes that a Set replaces as they are: key, manager's LID, lease, limit of high priority, counts of violations.
const WRITABLE: &[(usize, usize)] = &[(KEY, 8), (18, 2), (26, 2), (38, 1), (KEY_VIOLATIONS, 6)];

/// 4 lanes of 2.5 Gb/s; MTU 2048, as far as it is enabled; 8 data VLs; 8 entries in each table of VL arbitration.
const DEFAULTS: &[(Bits, u8)] = &[
    // SL mapping is supported: bit 6 of the capabilities.
    (Bits::new(23, 6, 1), 1),
    (Bits::new(WIDTH_ENABLED, 0, 8), 3),
    (Bits::new(30, 0, 8), 3),
    (Bits::new(31, 0, 8), 2),
    // Speed: supported, active and enabled.
    (Bits::new(32, 4, 4), 1),
    (Bits::new(35, 4, 4), 1),
    (Bits::new(35, 0, 4), 1),
    (DOWN_DEFAULT, POLLING),
    (MTU, 4),
    (MTU_CAP, 4),
    (VL_CAP, 4),
    (VLS, 4),
    (Bits::new(HIGH_CAP, 0, 8), 8),
    (Bits::new(40, 0, 8), 8),
];
