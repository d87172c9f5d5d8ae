//! The loopback test: frames with a pattern, which a plug or the neighbour sends back.

use crate::counters::count;
use crate::reader::Reader;

/// Bytes of a pattern.
pub(crate) const PATTERN_BYTES: usize = 16;

/// The port is up: it carries flits, and is not tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Busy;

/// How a loopback test stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Loopback {
    /// Frames to send.
    pub frames: u16,
    /// Frames sent so far.
    pub sent: u16,
    /// Frames that came back as they were sent, in order.
    pub returned: u16,
    /// The number of the next frame to come back.
    next: u16,
}

impl Loopback {
    pub(crate) fn of(frames: u16) -> Self {
        Self { frames, ..Self::default() }
    }

    /// Whether all frames have been sent. The last ones may be on their way back.
    pub const fn is_sent(&self) -> bool {
        self.sent >= self.frames
    }

    /// The next frame to send.
    pub(crate) fn poll(&mut self, session: u32) -> Option<Test> {
        let number = self.sent;
        (number < self.frames).then(|| {
            self.sent = number.saturating_add(1);
            Test::new(session, number)
        })
    }

    /// A frame of this end has come back.
    pub(crate) fn take(&mut self, test: &Test) {
        if test.number >= self.next && *test == Test::new(test.session, test.number) {
            self.returned = self.returned.saturating_add(1);
            self.next = test.number.saturating_add(1);
        }
    }
}

/// A frame of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    /// Of the end that began the test.
    pub(crate) session: u32,
    number: u16,
    pattern: [u8; PATTERN_BYTES],
}

impl Test {
    /// Bytes that differ from frame to frame: zeros, ones, a moving bit.
    fn new(session: u32, number: u16) -> Self {
        let mut pattern = [0; PATTERN_BYTES];
        for (place, at) in pattern.iter_mut().zip(0u32..) {
            let bits = u32::from(number).wrapping_add(at);
            *place = match at % 4 {
                0 => 0,
                1 => 0xff,
                2 => 1u8.rotate_left(bits),
                _ => bits as u8,
            };
        }
        Self { session, number, pattern }
    }

    pub(crate) fn write(&self, put: &mut dyn FnMut(&[u8])) {
        put(&self.session.to_le_bytes());
        put(&self.number.to_le_bytes());
        put(&self.pattern);
    }

    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { session: from.u32()?, number: from.u16()?, pattern: from.take()? })
    }
}

/// A test of this end or the neighbour's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tester {
    pub(crate) own: Option<Loopback>,
    /// The neighbour's frame, to be sent back.
    mirrored: Option<Test>,
}

impl Tester {
    pub(crate) fn take(&mut self, test: &Test, session: u32, stale: &mut u32) {
        if test.session != session {
            self.mirrored = Some(*test);
        } else if let Some(own) = &mut self.own {
            own.take(test);
        } else {
            count(stale);
        }
    }

    pub(crate) fn poll(&mut self, session: u32) -> Option<Test> {
        self.mirrored.take().or_else(|| self.own.as_mut()?.poll(session))
    }

    /// Whether a test of this end goes on: the port says no HELLO.
    pub(crate) fn is_running(&self) -> bool {
        self.own.is_some_and(|own| !own.is_sent())
    }
}
