//! The header on the wire: each field in the bits that the specification gives it, and each refusal for its reason.

use router_core::header::{Address, Flit, Header, HeaderError, Packet, Progress, RawHeader};

const LENGTH_ONE: u64 = 1 << 54;

#[test]
fn each_field_has_its_bits() {
    let progress = Progress::default();
    let cases = [
        (Header { length: 1023, ..Header::default() }, 0x3ff << 54),
        (Header { to: Address { router: 0x3_ffff, port: 0 }, length: 1, ..Header::default() }, 0x3_ffff << 4),
        (Header { to: Address { router: 0, port: 63 }, length: 1, ..Header::default() }, 63 << 22),
        (Header { via: 0x3_ffff, length: 1, ..Header::default() }, 0x3_ffff << 28),
        (Header { progress: progress.with_local_misroute(), length: 1, ..Header::default() }, 1 << 46),
        (Header { progress: progress.with_origin_left(), length: 1, ..Header::default() }, 1 << 49),
        (Header { progress: progress.with_duty_to_leave(), length: 1, ..Header::default() }, 1 << 50),
        (Header { progress: progress.with_via_ahead(true), length: 1, ..Header::default() }, 1 << 51),
    ];
    for (header, bits) in cases {
        let length = if header.length == 1 { LENGTH_ONE } else { 0 };
        assert_eq!(header.emit(), RawHeader(bits | length), "{header:?}");
        assert_eq!(Header::parse(RawHeader(bits | length)), Ok(header));
    }
}

#[test]
fn each_refusal_has_its_reason() {
    assert_eq!(Header::parse(RawHeader(0)), Err(HeaderError::NoLength));
    assert_eq!(Header::parse(RawHeader(!(0x3ff << 54))), Err(HeaderError::NoLength));
    let mut reserved = 0;
    for bit in 0..54 {
        let refused = Header::parse(RawHeader(LENGTH_ONE | 1 << bit)) == Err(HeaderError::ReservedBits);
        assert_eq!(refused, bit < 4 || bit == 52 || bit == 53, "bit {bit}");
        reserved += u32::from(refused);
    }
    assert_eq!(reserved, 6);
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
