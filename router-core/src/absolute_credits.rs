//! InfiniBand's credits: not one for each place that becomes free, but how much may be sent in all.
//!
//! The sender of a virtual lane counts the blocks of 64 bytes that it has sent since the link came up (FCTBS), the receiver those that have
//! come (ABR). Each flow control packet has the count of the sender of the lane, and the limit of the receiver of the other direction: the
//! blocks that have come and those that it has room for (FCCL). A limit replaces the one before, so that a lost flow control packet costs
//! only time. The receiver takes over the sender's count, so that blocks that were lost on the way are room again. Counts are modulo 4096,
//! and a limit is at most 2048 blocks ahead: half a turn separates it from one behind. Source: InfiniBand Architecture Specification,
//! volume 1, 7.9.4.
//!
//! `BITS` is the width of the counts, 12 on the wire.

/// Bytes of a block.
pub const BLOCK_BYTES: u32 = 64;

/// Bytes of a flow control packet on the wire, its check sum (LPCRC) and both delimiters included.
pub const PACKET_BYTES: u32 = 8;

/// Symbol times within which a flow control packet for each lane is sent, at least.
pub const LONGEST_PERIOD: u32 = 65_536;

/// Width of the counts on the wire.
pub const WIDTH: u32 = 12;

/// Blocks that a limit may be ahead: half a turn.
pub const MOST_ROOM: u16 = half(WIDTH);

/// A count of blocks, modulo 2 to the power of `BITS`, which are 2 to 15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Blocks<const BITS: u32 = WIDTH>(u16);

impl<const BITS: u32> Blocks<BITS> {
    /// This count; bits above the width are left out.
    pub const fn new(count: u16) -> Self {
        const { assert!(BITS >= 2 && BITS <= 15, "a count has 2 to 15 bits") }
        Self(count & mask(BITS))
    }

    /// The number on the wire.
    pub const fn number(self) -> u16 {
        self.0
    }

    const fn plus(self, blocks: u16) -> Self {
        Self::new(self.0.wrapping_add(blocks))
    }

    /// How far it is ahead of another one, from 0 up to a turn less 1.
    const fn ahead_of(self, other: Self) -> u16 {
        Self::new(self.0.wrapping_sub(other.0)).0
    }
}

/// The sender of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sender<const BITS: u32 = WIDTH> {
    sent: Blocks<BITS>,
    limit: Blocks<BITS>,
}

impl<const BITS: u32> Sender<BITS> {
    /// Nothing is sent, and nothing may be.
    pub const fn new() -> Self {
        Self { sent: Blocks::new(0), limit: Blocks::new(0) }
    }

    /// Whether a packet of so many blocks may be sent, less than half a turn of them.
    #[must_use]
    pub const fn may_send(&self, blocks: u16) -> bool {
        blocks < half(BITS) && self.limit.ahead_of(self.sent.plus(blocks)) <= half(BITS)
    }

    /// Blocks that may still be sent.
    #[must_use]
    pub const fn room(&self) -> u16 {
        let ahead = self.limit.ahead_of(self.sent);
        if ahead <= half(BITS) { ahead } else { 0 }
    }

    /// A packet of so many blocks is sent, whether it arrives or not.
    pub const fn send(&mut self, blocks: u16) {
        self.sent = self.sent.plus(blocks);
    }

    /// What a flow control packet tells of what has been sent (FCTBS).
    pub const fn sent(&self) -> Blocks<BITS> {
        self.sent
    }

    /// A flow control packet has come, with this limit (FCCL).
    pub const fn hear(&mut self, limit: Blocks<BITS>) {
        self.limit = limit;
    }
}

/// The receiver of a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Receiver<const BITS: u32 = WIDTH> {
    came: Blocks<BITS>,
}

impl<const BITS: u32> Receiver<BITS> {
    /// Nothing has come.
    pub const fn new() -> Self {
        Self { came: Blocks::new(0) }
    }

    /// A packet of so many blocks has come, undamaged.
    pub const fn receive(&mut self, blocks: u16) {
        self.came = self.came.plus(blocks);
    }

    /// A flow control packet has come, by which so many blocks have been sent (FCTBS): those that have not come will not come.
    pub const fn hear(&mut self, sent: Blocks<BITS>) {
        self.came = sent;
    }

    /// What a flow control packet tells (FCCL) where there is room for so many blocks: for half a turn of them at most.
    #[must_use]
    pub const fn limit(&self, room: u16) -> Blocks<BITS> {
        self.came.plus(if room < half(BITS) { room } else { half(BITS) })
    }
}

/// What a flow control packet says of a lane, in both directions of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FlowPacket {
    /// The lane, 0 to 15.
    pub lane: u8,
    /// Blocks that its sender has sent (FCTBS).
    pub sent: Blocks,
    /// The limit of what it may be sent (FCCL).
    pub limit: Blocks,
}

impl FlowPacket {
    /// Its first four bytes: operand 0, FCTBS, lane, FCCL. Two bytes of check sum follow on the wire.
    pub const fn bytes(self) -> [u8; 4] {
        let [high, low] = self.sent.0.to_be_bytes();
        let limit = self.limit.0.to_be_bytes();
        [high & 15, low, self.lane << 4 | limit[0] & 15, limit[1]]
    }

    /// Reads the first four bytes; `None` where the operand is another one.
    pub const fn parse(bytes: [u8; 4]) -> Option<Self> {
        let [first, second, third, fourth] = bytes;
        if first >> 4 != 0 {
            return None;
        }
        let sent = Blocks::new(u16::from_be_bytes([first, second]));
        let limit = Blocks::new(u16::from_be_bytes([third, fourth]));
        Some(Self { lane: third >> 4, sent, limit })
    }
}

/// The highest count.
const fn mask(bits: u32) -> u16 {
    1u16.wrapping_shl(bits).wrapping_sub(1)
}

const fn half(bits: u32) -> u16 {
    1u16.wrapping_shl(bits.wrapping_sub(1))
}
