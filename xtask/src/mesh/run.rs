//! One run: boards, cables, what goes wrong, and the records of all.

use super::Arguments;
use super::board::{Board, News};
use super::cable::Cable;
use super::ledger::Ledger;
use super::picture::{Carried, Seen};
use super::script::{Change, Script, When};
use super::shape::{Mesh, opposite};
use super::verdict::Verdict;
use crate::step::Failure;
use desvio_tile::{Counts, Order, Plant, Record};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Without a packet for so long, and with nothing under way as far as records tell, all is over.
const QUIET: Duration = Duration::from_secs(5);
/// How long the last record of a board that is stopped may take.
const LAST: Duration = Duration::from_secs(10);
/// From one look at the boards to the next.
const TURN: Duration = Duration::from_millis(100);

/// What a run leaves behind.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) mesh: Mesh,
    pub(super) verdict: Verdict,
    pub(super) boards: Vec<Seen>,
    pub(super) cables: Vec<Carried>,
    /// Of all links together.
    pub(super) counts: Counts,
    pub(super) frames: u32,
    pub(super) damaged: u32,
    /// Bytes sent into a cut.
    pub(super) dropped: u32,
    /// What went wrong, in words.
    pub(super) notes: Vec<String>,
}

/// A run under way. Boards go before the cables that they are plugged into.
struct Run {
    mesh: Mesh,
    packets: u32,
    boards: Vec<Board>,
    cables: Vec<Cable>,
    ledger: Ledger,
    script: Script,
    to: Sender<News>,
    news: Receiver<News>,
    done: BTreeSet<u8>,
    sent: Vec<u32>,
    counts: BTreeMap<(u8, u8, u8), Counts>,
    cut: BTreeSet<usize>,
    notes: Vec<String>,
    begin: Instant,
    /// When a record of a packet came last.
    last_news: Instant,
}

/// Runs the boards until every packet is accounted for.
pub(super) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(format!("no folder: {error}")))?;
    let mut run = Run::new(arguments, folder.path())?;
    run.start()?;
    run.follow(Duration::from_secs(arguments.patience))?;
    Ok(run.end())
}

/// Which boards restart and which cables are cut: evenly over the run.
fn script(arguments: &Arguments, mesh: Mesh) -> Script {
    let mut script = Script::default();
    let joints = mesh.joints();
    let faults = u32::from(arguments.cuts) + u32::from(arguments.restarts);
    let seed = arguments.seed as usize;
    for fault in 0..faults {
        let when = When::Percent((100 * (fault + 1) / (faults + 1)) as u8);
        if fault < arguments.cuts.into() {
            let number = (seed + 5 * fault as usize) % joints.len();
            let (board, port) = joints[number].ends[0];
            script.add(when, Change::Cut(number));
            script.add(When::IsDown(board, port), Change::Mend(number));
            continue;
        }
        let restart = fault - u32::from(arguments.cuts);
        // The one in the middle first.
        let middle = u32::from(mesh.boards() / 2);
        let board = ((middle + (restart << (arguments.seed % 3))) % u32::from(mesh.boards())) as u8;
        script.add(when, Change::Stop(board));
        // One is back before its neighbours notice, the next one is not.
        let neighbour = (1..=4).find_map(|port| Some((mesh.neighbour(board, port)?, port)));
        let back = match neighbour {
            Some((neighbour, port)) if restart % 2 == 1 => When::IsDown(neighbour, opposite(port)),
            _ => When::Then,
        };
        script.add(back, Change::Start(board));
    }
    script
}

impl Run {
    fn new(arguments: &Arguments, folder: &std::path::Path) -> Result<Self, Failure> {
        let mesh = Mesh { columns: arguments.columns, rows: arguments.rows };
        let lay = |joint| Cable::lay(joint, folder, arguments.damage, arguments.seed);
        let cables = mesh.joints().into_iter().map(lay).collect::<Result<_, _>>()?;
        let boards = (0..mesh.boards()).map(|board| {
            let packets = mesh.share(arguments.packets, board);
            let plant = arguments.plant.filter(|_| board == 0).map_or(Plant::None, Plant::from);
            let order =
                Order { packets, longest: arguments.flits, plant, seed: arguments.seed, ..mesh.order(board) };
            Board::new(order, folder)
        });
        let (to, news) = channel();
        Ok(Self {
            mesh,
            packets: arguments.packets,
            boards: boards.collect::<Result<_, _>>()?,
            cables,
            ledger: Ledger::new(mesh),
            script: script(arguments, mesh),
            to,
            news,
            done: BTreeSet::new(),
            sent: vec![0; mesh.boards().into()],
            counts: BTreeMap::new(),
            cut: BTreeSet::new(),
            notes: Vec::new(),
            begin: Instant::now(),
            last_news: Instant::now(),
        })
    }

    fn start(&mut self) -> Result<(), Failure> {
        for board in &mut self.boards {
            board.start(&self.to)?;
        }
        (self.begin, self.last_news) = (Instant::now(), Instant::now());
        Ok(())
    }

    fn follow(&mut self, patience: Duration) -> Result<(), Failure> {
        let mut shown = Instant::now();
        loop {
            let news = self.news.recv_timeout(TURN).ok();
            let was_idle = news.is_none();
            if let Some(news) = news {
                self.take_in(&news);
            }
            let percent = self.ledger.delivered() * 100 / self.packets as usize;
            if let Some(change) = self.script.poll(percent) {
                self.change(change)?;
            }
            if shown.elapsed() > Duration::from_secs(5) {
                shown = Instant::now();
                eprintln!(
                    "{:>4} s: {} of {} packets have come",
                    self.begin.elapsed().as_secs(),
                    self.ledger.delivered(),
                    self.packets
                );
            }
            if !was_idle && self.last_news.elapsed() < QUIET {
                continue;
            }
            for board in &mut self.boards {
                if board.has_crashed() {
                    return Err(Failure::new(format!("the emulator of board {} ended", board.order.board)));
                }
            }
            let is_over = self.script.is_over() && self.done.len() == self.boards.len();
            let is_complete = is_over && self.ledger.delivered() == self.packets as usize;
            let is_settled = is_over && self.last_news.elapsed() > QUIET && self.ledger.is_settled();
            if is_complete || is_settled {
                return Ok(());
            }
            if self.last_news.elapsed() > patience {
                self.notes.push(format!("nothing has come for {} s: given up", patience.as_secs()));
                return Ok(());
            }
        }
    }

    fn take_in(&mut self, news: &News) {
        let &News { board, life, record } = news;
        let Some(record) = record else { return };
        self.ledger.record(board, life, &record);
        self.script.take_in(board, &record);
        match record {
            Record::Counted { port, counts } => {
                self.counts.insert((board, life, port), counts);
                return;
            }
            Record::Offered { .. } => self.sent[usize::from(board)] += 1,
            Record::Done => {
                self.done.insert(board);
            }
            _ => {}
        }
        self.last_news = Instant::now();
    }

    fn change(&mut self, change: Change) -> Result<(), Failure> {
        match change {
            Change::Cut(number) => {
                self.cables[number].cut(true);
                self.cut.insert(number);
                self.note(&format!("the cable between {} is cut", self.ends(number)));
            }
            Change::Mend(number) => {
                self.cables[number].cut(false);
                self.note(&format!("the cable between {} is mended", self.ends(number)));
            }
            Change::Stop(board) => {
                self.stop(board);
                self.note(&format!("board {board} loses its power"));
            }
            Change::Start(board) => {
                let place = &mut self.boards[usize::from(board)];
                place.start(&self.to)?;
                self.note(&format!("board {board} has its power back"));
            }
        }
        self.last_news = Instant::now();
        Ok(())
    }

    /// All that the board has said is taken in before it starts anew; what it has not sent is left to its next life.
    fn stop(&mut self, board: u8) {
        let place = &mut self.boards[usize::from(board)];
        let life = place.order.life;
        place.stop();
        while let Ok(news) = self.news.recv_timeout(LAST) {
            self.take_in(&news);
            if news.record.is_none() && (news.board, news.life) == (board, life) {
                break;
            }
        }
        self.ledger.end(board, life);
        self.script.forget(board);
        self.done.remove(&board);
        let place = &mut self.boards[usize::from(board)];
        place.order.packets -= self.ledger.offered_by(board, life);
        place.order.life += 1;
    }

    fn ends(&self, number: usize) -> String {
        let [(one, _), (other, _)] = self.cables[number].joint.ends;
        format!("boards {one} and {other}")
    }

    fn note(&mut self, what: &str) {
        let line = format!("{:>4} s: {what}", self.begin.elapsed().as_secs());
        eprintln!("{line}");
        self.notes.push(line);
    }

    fn end(mut self) -> Outcome {
        self.boards.iter_mut().for_each(Board::stop);
        let seen = |board: &Board| Seen {
            sent: self.sent[usize::from(board.order.board)],
            came: self.ledger.delivered_to(board.order.board),
            restarts: board.order.life,
        };
        let frames = self.cables.iter().map(Cable::frames);
        let carried = |(number, cable): (usize, &Cable)| Carried {
            joint: cable.joint,
            frames: cable.frames().0,
            was_cut: self.cut.contains(&number),
        };
        Outcome {
            mesh: self.mesh,
            verdict: self.ledger.verdict(self.packets as usize),
            boards: self.boards.iter().map(seen).collect(),
            cables: self.cables.iter().enumerate().map(carried).collect(),
            counts: self.counts.values().fold(Counts::default(), |sum, counts| sum.plus(counts)),
            frames: frames.clone().map(|(frames, _)| frames).sum(),
            damaged: frames.map(|(_, damaged)| damaged).sum(),
            dropped: self.cables.iter().map(Cable::dropped).sum(),
            notes: std::mem::take(&mut self.notes),
        }
    }
}
