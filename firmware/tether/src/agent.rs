//! A subnet management agent at the end of a line: requests of a host and answers of a microcontroller, as payloads of frames.
//!
//! ```text
//! identity   'I', kind ('S', 'A'), links, GUID (8), port GUID (8), description (64)   → done
//! packet     'P', from where, SLID (2), DLID (2), MAD (256)                           → 'P', what became of it, the packet
//! link       'L', port, 1 for up                                                      → done
//! retrained  'T', port, 1 by its own wish                                             → done
//! manager    'M', 1 if one runs there                                                 → done
//! end        'E'                                                                      → nothing
//! done       'K'
//! refused    'X'
//! ```
//!
//! From where: a port, or 255 for a program at the node itself. What became of it: a port, 255 for up, 254 for discarded; then a port and
//! what it wants of the link there: 0 for nothing, 1 to retrain, 2 to disable, 3 to enable.

use crate::bytes::{Reader, TooShort, Writer};
use crate::frame::{self, FrameError, Stream};
use desvio_sma::{Agent, Handled, Identity, Kind, LinkOrder, Onward, Packet, Via};

/// Says what the agent is, as after power-on.
pub const IDENTITY: u8 = b'I';
/// Hands a packet over.
pub const PACKET: u8 = b'P';
/// A link has come up, or gone down.
pub const LINK: u8 = b'L';
/// A link trains anew.
pub const RETRAINED: u8 = b'T';
/// A subnet manager runs there, or no longer.
pub const MANAGER: u8 = b'M';
/// Ends the binary.
pub const END: u8 = b'E';
/// It is done.
pub const DONE: u8 = b'K';
/// It makes no sense.
pub const REFUSED: u8 = b'X';

/// Bytes that hold any frame.
pub const FRAME: usize = 320;

/// A program at the node itself, or up to it.
const ITSELF: u8 = 255;
const DISCARDED: u8 = 254;

/// Writes an identity.
pub fn write_identity(to: &mut Writer<'_>, identity: &Identity) {
    to.u8(if identity.kind == Kind::Switch { b'S' } else { b'A' });
    to.u8(identity.ports);
    to.u64(identity.guid);
    to.u64(identity.port_guid);
    to.bytes(&identity.description);
}

fn read_identity(from: &mut Reader<'_>) -> Result<Identity, TooShort> {
    let kind = if from.u8()? == b'S' { Kind::Switch } else { Kind::Adapter };
    let (ports, guid, port_guid) = (from.u8()?, from.u64()?, from.u64()?);
    Ok(Identity { kind, guid, port_guid, ports, description: from.take()? })
}

/// Writes a packet.
pub fn write_packet(to: &mut Writer<'_>, packet: &Packet) {
    to.u16(packet.slid);
    to.u16(packet.dlid);
    to.bytes(&packet.mad);
}

/// Reads a packet.
///
/// # Errors
/// When the bytes end within it.
pub fn read_packet(from: &mut Reader<'_>) -> Result<Packet, TooShort> {
    Ok(Packet { slid: from.u16()?, dlid: from.u16()?, mad: from.take()? })
}

/// Writes where a packet comes from.
pub fn write_via(to: &mut Writer<'_>, via: Via) {
    to.u8(match via {
        Via::Itself => ITSELF,
        Via::Port(port) => port,
    });
}

fn read_via(from: &mut Reader<'_>) -> Result<Via, TooShort> {
    Ok(match from.u8()? {
        ITSELF => Via::Itself,
        port => Via::Port(port),
    })
}

fn write_handled(to: &mut Writer<'_>, handled: &Handled) {
    to.u8(match handled.onward {
        Onward::Up => ITSELF,
        Onward::Discarded => DISCARDED,
        Onward::Port(port) => port,
    });
    let (port, order) = match handled.link {
        None => (0, 0),
        Some((port, LinkOrder::Retrain)) => (port, 1),
        Some((port, LinkOrder::Disable)) => (port, 2),
        Some((port, LinkOrder::Enable)) => (port, 3),
    };
    to.bytes(&[port, order]);
}

/// Reads what became of a packet.
///
/// # Errors
/// When the bytes end within it.
pub fn read_handled(from: &mut Reader<'_>) -> Result<Handled, TooShort> {
    let onward = match from.u8()? {
        ITSELF => Onward::Up,
        DISCARDED => Onward::Discarded,
        port => Onward::Port(port),
    };
    let [port, order] = from.take()?;
    let order = match order {
        1 => Some(LinkOrder::Retrain),
        2 => Some(LinkOrder::Disable),
        3 => Some(LinkOrder::Enable),
        _ => None,
    };
    Ok(Handled { onward, link: order.map(|order| (port, order)) })
}

/// Is an agent as a host requests, until the host requests the end.
///
/// # Errors
/// When the line is gone.
pub fn serve<S: Stream, T: AsRef<[u8]> + AsMut<[u8]>, const P: usize>(
    stream: &mut S,
    agent: &mut Agent<T, P>,
) -> Result<(), S::Error> {
    let (mut request, mut reply) = ([0; FRAME], [0; FRAME]);
    loop {
        let payload = match frame::receive(stream, &mut request) {
            Ok(payload) => payload,
            // The host notices that there is no answer.
            Err(FrameError::Broken) => continue,
            Err(FrameError::Line(error)) => return Err(error),
        };
        let mut reader = Reader::new(payload);
        let kind = reader.u8();
        if kind == Ok(END) {
            return Ok(());
        }
        let answer = match kind {
            Ok(PACKET) => pass(agent, &mut reader).map(Some),
            Ok(kind) => tell(agent, kind, &mut reader).map(|()| None),
            Err(TooShort) => Err(TooShort),
        };
        let sent = frame::send(stream, &mut reply, |to| match &answer {
            Ok(None) => to.u8(DONE),
            Ok(Some((handled, packet))) => {
                to.u8(PACKET);
                write_handled(to, handled);
                write_packet(to, packet);
            }
            Err(TooShort) => to.u8(REFUSED),
        });
        if let Err(FrameError::Line(error)) = sent {
            return Err(error);
        }
    }
}

fn pass<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize>(
    agent: &mut Agent<T, P>,
    reader: &mut Reader<'_>,
) -> Result<(Handled, Packet), TooShort> {
    let via = read_via(reader)?;
    let mut packet = read_packet(reader)?;
    let handled = agent.handle(&mut packet, via);
    Ok((handled, packet))
}

fn tell<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize>(
    agent: &mut Agent<T, P>,
    kind: u8,
    reader: &mut Reader<'_>,
) -> Result<(), TooShort> {
    match kind {
        IDENTITY => agent.restart(read_identity(reader)?),
        LINK => agent.handle_link(reader.u8()?, reader.u8()? != 0),
        RETRAINED => agent.handle_retraining(reader.u8()?, reader.u8()? != 0),
        MANAGER => agent.set_manager(reader.u8()? != 0),
        _ => return Err(TooShort),
    }
    Ok(())
}
