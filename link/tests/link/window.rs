//! A window of 2, and everything that a line can do to the first frames after training.

use desvio_link::{Arrival, DataFlit, Port, PortState, Setup, Tick, Timing, frame_bytes};
use router_core::header::{Flit, Header, Packet};
use router_core::links::FlowControl;
use router_core::units::VcId;
use std::collections::VecDeque;
use std::num::NonZeroU32;

const FRAME: usize = frame_bytes(1, 0);
type End = Port<1, 0, 2, FRAME>;

/// What happens to a frame. `Late` comes once more, after the next one.
#[derive(Clone, Copy, Debug)]
enum Fault {
    None,
    Lost,
    Twice,
    Late,
}

const FAULTS: [Fault; 4] = [Fault::None, Fault::Lost, Fault::Twice, Fault::Late];

fn end(session: u32) -> End {
    let timing = Timing { hello: 3, heartbeat: 4, patience: 200, resend: 6 };
    let session = NonZeroU32::new(session).unwrap();
    End::new(&Setup { flow: FlowControl::Vct, buffers: [2], session, timing }).unwrap()
}

fn single(tag: u32) -> DataFlit<0> {
    let flit = Flit::Head(Packet { header: Header { length: 1, ..Header::default() }, tag });
    DataFlit { vc: VcId::new(0), flit, payload: [] }
}

struct Pair {
    ends: [End; 2],
    late: [Option<Vec<u8>>; 2],
    now: u32,
    sent: [u32; 2],
    came: [Vec<u32>; 2],
}

impl Pair {
    fn trained() -> Self {
        let ends = [end(1), end(2)];
        let mut pair = Self { ends, late: [None, None], now: 0, sent: [0; 2], came: [vec![], vec![]] };
        while !pair.ends.iter().all(|end| end.state() == PortState::Up) {
            pair.tick(&mut VecDeque::new(), [0, 0]);
            assert!(pair.now < 50);
        }
        pair
    }

    /// One tick: each end sends up to `flits` of its own, and every frame meets the next fault.
    fn tick(&mut self, faults: &mut VecDeque<Fault>, flits: [u32; 2]) {
        self.now += 1;
        for (me, limit) in flits.into_iter().enumerate() {
            self.ends[me].step(Tick(self.now));
            while self.ends[me].poll_credit().is_some() {}
            if self.sent[me] < limit && self.ends[me].send(single(self.sent[me])).is_ok() {
                self.sent[me] += 1;
            }
            while let Some(Arrival::Flit(flit)) = self.ends[me].poll_arrival() {
                let Flit::Head(packet) = flit.flit else { panic!("no head was sent as a body") };
                self.came[me].push(packet.tag);
                self.ends[me].free(flit.vc);
            }
            let mut frame = [0; FRAME];
            let length = self.ends[me].poll_transmit(&mut frame);
            if length > 0 {
                self.carry(me, &frame[..length], faults.pop_front().unwrap_or(Fault::None));
            }
        }
    }

    fn carry(&mut self, from: usize, frame: &[u8], fault: Fault) {
        let late = self.late[from].take();
        let to = &mut self.ends[1 - from];
        if !matches!(fault, Fault::Lost) {
            to.handle(frame);
        }
        if matches!(fault, Fault::Twice) {
            to.handle(frame);
        }
        if let Some(late) = late {
            to.handle(&late);
        }
        if matches!(fault, Fault::Late) {
            self.late[from] = Some(frame.to_vec());
        }
    }
}

/// All sequences of faults of the first `frames` frames of both ends; five flits go one way and two the
/// other.
fn search(frames: u32) {
    for number in 0..4u32.pow(frames) {
        let mut faults: VecDeque<Fault> =
            (0..frames).map(|at| FAULTS[(number >> (2 * at)) as usize % 4]).collect();
        let mut pair = Pair::trained();
        let flits = [5, 2];
        while pair.came[1].len() < 5 || pair.came[0].len() < 2 {
            pair.tick(&mut faults, flits);
            assert!(pair.now < 2_000, "sequence {number}: {:?}", pair.came);
        }
        // Long enough for everything that is still to come to come twice.
        (0..40).for_each(|_| pair.tick(&mut faults, flits));
        assert_eq!(pair.came, [vec![0, 1], vec![0, 1, 2, 3, 4]], "sequence {number}");
        assert!(pair.ends.iter().all(|end| end.unacknowledged() == 0), "sequence {number}");
        assert!(pair.ends.iter().all(|end| end.occupancy(VcId::new(0)) == 0), "sequence {number}");
    }
}

#[test]
fn every_sequence_of_faults_of_six_frames_is_survived() {
    search(6);
}

mod slow {
    #[test]
    fn every_sequence_of_faults_of_eight_frames_is_survived() {
        super::search(8);
    }
}
