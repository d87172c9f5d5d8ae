//! The service levels that a subnet manager gives, and the lanes of the switches.

use super::{OWN, Server};
use crate::error::FabricError;
use crate::levels::{self, Levels, NoPath};
use crate::program::Program;
use crate::record::Request;
use desvio_sma::mad::{BYTES, attribute};
use std::time::Duration;

impl Server {
    /// The service level from each node to each other one, which the subnet manager gives in answer to a request from that node, and the
    /// tables of the switches. `further` as in [`Program::to_csv`].
    ///
    /// # Errors
    /// When there is no answer.
    pub fn levels(&self, program: &Program, further: u16) -> Result<Levels, FabricError> {
        self.levels_by(program, |pair| self.level(program, pair, further))
    }

    /// The service level from each node to each other one, by service levels that are known.
    ///
    /// # Errors
    /// When there is no service level.
    pub fn levels_by(
        &self,
        program: &Program,
        level: impl Fn((usize, usize)) -> Result<u8, FabricError>,
    ) -> Result<Levels, FabricError> {
        let nodes = program.lids.len();
        let mut all = vec![0; nodes * nodes];
        for from in 0..nodes {
            for to in (0..nodes).filter(|&to| to != from) {
                all[from * nodes + to] = level((from, to))?;
            }
        }
        Ok(Levels::read(&mut self.fabric(), all, nodes)?)
    }

    fn level(&self, program: &Program, (from, to): (usize, usize), further: u16) -> Result<u8, FabricError> {
        let mut fabric = self.fabric();
        let place = fabric.routers() + from;
        let info = fabric.read(place, attribute::PORT_INFO, 1)?;
        let manager = u16::from_be_bytes([info[18], info[19]]);
        let mut packet = levels::path_request(program, (from, to), further, manager);
        let number = (from * program.lids.len() + to) as u64;
        packet.set_transaction(OWN << 48 | number);
        let arrived = fabric.carry(place, &mut packet)?;
        drop(fabric);
        let queue = 1u32.to_be();
        let request = Request { packet, to: queue, from: queue, status: 0, length: BYTES as u64 };
        if let Some(program) = arrived.and_then(|node| self.shared.program(node, &request)) {
            self.shared.give(program, &request);
            while let Ok(answer) = self.answers.recv_timeout(Duration::from_secs(5)) {
                if answer.transaction() & (u64::MAX >> 32) == number {
                    return levels::level(&answer).ok_or(NoPath { from, to }.into());
                }
            }
        }
        Err(NoPath { from, to }.into())
    }
}
