//! The header on the wire: each field in the bits that the specification gives it, and each refusal for its reason.

use router_core::header::{Address, Carried, Flit, Header, HeaderError, Packet, Progress, RawHeader, WORDS};
use router_core::layout;

const LENGTH_ONE: u128 = 1 << 86;

fn raw(number: u128) -> RawHeader {
    RawHeader(std::array::from_fn(|word| (number >> (32 * word)) as u32))
}

#[test]
fn each_field_has_its_bits() {
    let (progress, carried) = (Progress::default(), Carried::default());
    let one = Header { length: 1, ..Header::default() };
    let far = Address { router: 0x3_ffff, port: 0 };
    let high = Address { router: 0, port: 63 };
    let cases = [
        (Header { length: 1023, ..one }, 0x3ff << 86),
        (Header { to: far, ..one }, 0x3_ffff),
        (Header { to: high, ..one }, 63 << 18),
        (Header { progress: progress.with_local_misroute(), ..one }, 1 << 24),
        (Header { progress: progress.with_origin_left(), ..one }, 1 << 27),
        (Header { progress: progress.with_duty_to_leave(), ..one }, 1 << 28),
        (Header { progress: progress.with_via_ahead(true), ..one }, 1 << 29),
        (Header { carried: carried.with_marks(true, false), ..one }, 1 << 30),
        (Header { carried: carried.with_marks(false, true), ..one }, 1 << 31),
        (Header { carried: carried.with_source(far), ..one }, 0x3_ffff << 32),
        (Header { carried: carried.with_source(high), ..one }, 63 << 50),
        (Header { carried: carried.with_spare(0xff), ..one }, 0xff << 56),
        (Header { via: 0x3_ffff, ..one }, 0x3_ffff << 64),
        (Header { carried: carried.with_level(15), ..one }, 15 << 82),
    ];
    let mut used = 0;
    for (header, bits) in cases {
        let length = if header.length == 1 { LENGTH_ONE } else { 0 };
        assert_eq!(u128::from(header.emit()), bits | length, "{header:?}");
        assert_eq!(Header::parse(raw(bits | length)), Ok(header));
        used |= bits;
    }
    // Two of the three bits of the count of local misroutes are left: no bit is reserved.
    assert_eq!(used | 0b110 << 24, (1 << layout::HEADER_BITS) - 1);
    assert_eq!(WORDS * 32, layout::HEADER_BITS as usize);
}

#[test]
fn a_packet_without_flits_is_refused() {
    assert_eq!(Header::parse(raw(0)), Err(HeaderError::NoLength));
    assert_eq!(Header::parse(raw(LENGTH_ONE - 1)), Err(HeaderError::NoLength));
    assert!((0..86).all(|bit| Header::parse(raw(LENGTH_ONE | 1 << bit)).is_ok()), "no bit is reserved");
}

#[test]
fn leaving_the_origin_fulfils_the_duty_to_leave() {
    let progress = Progress::default().with_local_misroute().with_duty_to_leave();
    assert!(progress.must_leave() && !progress.left_origin());
    let left = progress.with_origin_left();
    assert!(left.left_origin() && !left.must_leave());
    assert_eq!((left.local_misroutes(), left.without_local_misroutes().local_misroutes()), (1, 0));
    assert!(left.without_local_misroutes().left_origin());
    assert_eq!(left.with_via_ahead(true).with_via_ahead(false), left);
}

#[test]
fn the_last_flit_is_the_tail() {
    let head = |length| Flit::Head(Packet { header: Header { length, ..Header::default() }, tag: 0 });
    assert!(head(1).is_tail() && !head(2).is_tail());
    assert!(Flit::Body { tail: true }.is_tail() && !Flit::Body { tail: false }.is_tail());
}
