//! The switch in memory answers every frame as the RTL does.

use super::worlds::World;
use desvio_driver::fake::Fake;
use desvio_driver::file::Built;
use desvio_driver::register::Register as _;
use desvio_driver::registers::{Commit, InterruptEnable, READ, WRITE};
use desvio_driver::{Happened, Switch};
use desvio_lockstep::control::{Board, Neighbours};
use desvio_tests::rtl::hdl;
use embedded_hal::digital::OutputPin;
use embedded_hal::spi::SpiDevice;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::select::Selection;
use router_core::units::PortSet;

/// Rows of the table of the ring of four routers.
const ROWS: usize = 4;

/// The slow half of the tests.
mod slow {
    use super::*;

    #[test]
    fn a_switch_in_memory_answers_as_the_rtl() {
        let Some(world) = World::ring(&hdl()) else { return };
        let board = world.board(9, ());
        let mut switch = Switch::new(board.spi(4), board.reset_pin(), board.delay());
        let shape = switch.reset().unwrap();
        let [ports, vcs, kinds, counter_bits] = shape.bits().to_le_bytes();
        let built = Built { ports, vcs, routing: kinds & 0xf, trigger: kinds >> 4, counter_bits };
        let fake = Fake::<ROWS>::of(built);
        let mut beside = Switch::new(fake.spi(), fake.reset_pin(), fake.delay());
        beside.reset().unwrap();
        // Both banks of the table are not reset, and hold anything in the RTL until they are written.
        for _ in 0..2 {
            switch.program_table([PortSet::EMPTY; ROWS].into_iter()).unwrap();
            beside.program_table([PortSet::EMPTY; ROWS].into_iter()).unwrap();
        }
        let mut answers = [0u32; 256];
        for seed in 0..4 {
            board.reset_pin().set_high().unwrap();
            board.reset_pin().set_low().unwrap();
            board.run(4).unwrap();
            fake.reset_pin().set_high().unwrap();
            fake.reset_pin().set_low().unwrap();
            let mut frames = Frames { chance: Xoshiro256PlusPlus::seed_from_u64(seed), generation: 0 };
            for row in 0..ROWS as u16 {
                let write = frames.frame(WRITE, 0x4000 + row, 0);
                both(&board, &fake, write, &mut answers);
            }
            for step in 0..1_500 {
                let frame = frames.next();
                both(&board, &fake, frame, &mut answers);
                board.run(30).unwrap();
                assert_eq!(board.irq(), fake.irq(), "seed {seed}, step {step}");
            }
        }
        // Followed, corrupt, no such command, no such register, read only.
        assert!([0x5a, 0x99, 0xa6, 0x65, 0x3c].iter().all(|&answer| answers[answer] > 10), "{answers:?}");
    }

    #[test]
    fn no_event_is_lost_and_the_line_says_so() {
        let Some(world) = World::ring(&hdl()) else { return };
        let board = world.board(6, ());
        let mut switch = Switch::new(board.spi(4), board.reset_pin(), board.delay());
        let shape = switch.reset().unwrap();
        let fake = Fake::<ROWS>::new(shape.ports() as u8, shape.vcs() as u8);
        let mut beside = Switch::new(fake.spi(), fake.reset_pin(), fake.delay());
        beside.reset().unwrap();
        let all = InterruptEnable::default().with_commits(true).with_frames(true);
        switch.listen(all).unwrap();
        beside.listen(all).unwrap();
        board.run(4).unwrap();
        assert!(!board.irq() && !fake.irq());
        let rows: Vec<PortSet> = world.rows();
        switch.program_table(rows.iter().copied()).unwrap();
        switch.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
        beside.program_table(rows.iter().copied()).unwrap();
        beside.start(&world.blueprint.here(0), world.seed, &Selection::NEVER).unwrap();
        assert!(board.irq() && fake.irq());
        let two = Happened { commits: 2, ..Happened::default() };
        assert_eq!((switch.happened().unwrap(), beside.happened().unwrap()), (two, two));
        board.run(4).unwrap();
        assert!(!board.irq() && !fake.irq());

        // More events than a count can show: it stops one before the count that was seen.
        for generation in 100..400 {
            let commit = Commit::default().with_generation(generation);
            switch.bus().write(commit).unwrap();
            beside.bus().write(commit).unwrap();
        }
        let most = Happened { commits: u8::MAX, ..Happened::default() };
        assert_eq!((switch.happened().unwrap(), beside.happened().unwrap()), (most, most));
        assert_eq!(switch.happened().unwrap(), Happened::default());
    }

    /// Reads and writes all over the map, damaged ones among them.
    struct Frames {
        chance: Xoshiro256PlusPlus,
        generation: u32,
    }

    impl Frames {
        fn below(&mut self, n: u64) -> u64 {
            self.chance.next_u64() % n
        }

        fn frame(&self, command: u8, address: u16, data: u32) -> Vec<u8> {
            let ([high, low], [a, b, c, d]) = (address.to_be_bytes(), data.to_be_bytes());
            let request = [command, high, low, a, b, c, d];
            let sum = desvio_driver::checksum::Checksum::new().with_bytes(&request).value().to_be_bytes();
            [&request[..], &sum, &[0; 8]].concat()
        }

        fn next(&mut self) -> Vec<u8> {
            let address = match self.below(8) {
                0..5 => self.below(0x30) as u16,
                5 => [0x4000, 0x8000, 0x4000, 0x100][self.below(4) as usize] + self.below(6) as u16,
                6 => [0x100, 0x200, 0x300][self.below(3) as usize] + self.below(24) as u16,
                _ => self.chance.next_u64() as u16,
            };
            let command = [READ, READ, WRITE, WRITE, WRITE, WRITE, WRITE, 0x00][self.below(8) as usize];
            let mut data = self.chance.next_u64() as u32;
            if address == 0x0005 {
                // A new number, or the last one again; table, thresholds and restart by chance.
                self.generation += u32::from(self.below(4) > 0);
                data = self.generation & 0xffff | data & 0x7_0000;
            } else if self.below(3) == 0 {
                data &= 7;
            }
            let mut frame = self.frame(command, address, data);
            if self.below(12) == 0 {
                frame[self.below(9) as usize] ^= 1 << self.below(8);
            } else if self.below(20) == 0 {
                frame.truncate(1 + self.below(8) as usize);
            }
            frame
        }
    }
}

/// Sends a frame to both, and compares what comes back behind the request.
fn both<N: Neighbours>(board: &Board<N>, fake: &Fake<ROWS>, frame: Vec<u8>, answers: &mut [u32; 256]) {
    let (mut of_rtl, mut of_fake) = (frame.clone(), frame.clone());
    board.spi(4).transfer_in_place(&mut of_rtl).unwrap();
    fake.spi().transfer_in_place(&mut of_fake).unwrap();
    if frame.len() == 17 {
        // There is no router in memory: its counters of contention, credits and errors are 0, whatever the RTL's are.
        if (1..4).contains(&frame[1]) {
            assert_eq!(
                (of_rtl[10], [0; 4]),
                (of_fake[10], of_fake[11..15].try_into().unwrap()),
                "for the frame {frame:02x?}"
            );
        } else {
            assert_eq!(of_rtl[10..], of_fake[10..], "for the frame {frame:02x?}");
        }
        answers[usize::from(of_rtl[10])] += 1;
    }
}
