//! Any number of processes comes to what one does; one that goes is missed. The processes are threads here, joined by channels.

use super::{JoinError, join};
use crate::blueprint::Blueprint;
use crate::processes::{Lost, Transport};
use crate::run::{RunError, follow, run};
use crate::scenario::Scenario;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A thread that stands for a process.
struct Thread {
    own: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Transport for Thread {
    fn count(&self) -> usize {
        self.to.len()
    }

    fn own(&self) -> usize {
        self.own
    }

    fn exchange(&self, outgoing: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Lost> {
        let lost = |process| Lost { process, why: "its channel is closed".to_owned() };
        for (process, (to, bytes)) in self.to.iter().zip(outgoing).enumerate() {
            to.send(bytes).map_err(|_| lost(process))?;
        }
        let from = self.from.iter().enumerate();
        from.map(|(process, from)| from.lock().unwrap().recv().map_err(|_| lost(process))).collect()
    }
}

/// So many threads, each joined with each, itself included.
fn threads(count: usize) -> Vec<Thread> {
    let mut all: Vec<Thread> =
        (0..count).map(|own| Thread { own, to: Vec::new(), from: Vec::new() }).collect();
    for from in 0..count {
        for to in 0..count {
            let (send, receive) = channel();
            all[from].to.push(send);
            all[to].from.push(Mutex::new(receive));
        }
    }
    all
}

fn blueprint(text: &str, sets: &[&str]) -> Blueprint {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario = Scenario::parse(text, "net.toml", Path::new(""), &sets).unwrap();
    Blueprint::new(scenario).unwrap()
}

/// What each of some loads comes to, in so many processes.
fn outcomes(text: &str, sets: &[&str], loads: &[f64], count: usize) -> Vec<String> {
    let mut threads = threads(count).into_iter();
    let first = threads.next().unwrap();
    std::thread::scope(|scope| {
        for thread in threads {
            scope.spawn(move || {
                let mut blueprint = blueprint(text, sets);
                join(&mut blueprint, thread, "a scenario").unwrap();
                follow(&blueprint).unwrap();
            });
        }
        let mut blueprint = blueprint(text, sets);
        join(&mut blueprint, first, "a scenario").unwrap();
        let all =
            loads.iter().map(|&load| format!("{:?}", run(&blueprint, load, &|_| ()).unwrap())).collect();
        blueprint.processes().unwrap().end();
        all
    })
}

fn alone(text: &str, sets: &[&str], loads: &[f64]) -> Vec<String> {
    let blueprint = blueprint(text, sets);
    loads.iter().map(|&load| format!("{:?}", run(&blueprint, load, &|_| ()).unwrap())).collect()
}

const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[traffic]\nloads = [1]\n\
    [run]\nwarmup_cycles = 500\nmeasure_cycles = 1500\n";
const TREE: &str = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[traffic]\nloads = [1]\n\
    [run]\nwarmup_cycles = 500\nmeasure_cycles = 1500\n";
const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [5, 4]\n[traffic]\nloads = [1]\n\
    [run]\nwarmup_cycles = 500\nmeasure_cycles = 1500\n";

const PACKETS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [1]\n";

#[test]
fn any_number_of_processes_comes_to_the_outcome_of_one() {
    let adversarial = "traffic.pattern={ adversarial = 1 }";
    let cases: [(&str, &[&str]); 8] = [
        (DRAGONFLY, &[adversarial]),
        (DRAGONFLY, &["run.details=true", "traffic.reply_flits=3", "routing.algorithm=minimal"]),
        (DRAGONFLY, &["selection.trigger=ectn", "selection.combined_threshold=5", adversarial]),
        (DRAGONFLY, &["traffic.pattern={ switch-at = 500, from = \"uniform\", to = { adversarial = 1 } }"]),
        (PACKETS, &["run.measure_packets=3000", "run.warmup_packets=500"]),
        (
            TREE,
            &[
                "injection.control=congestion-control",
                "congestion.threshold=12",
                "routing.ascent=adaptive",
                "traffic.pattern={ hot-spot = { nodes = [3], share = 0.3 } }",
            ],
        ),
        (TREE, &["links.latency=3"]),
        (TORUS, &["links.latency=3", "traffic.process=burst", "traffic.packet_flits=1"]),
    ];
    for (text, sets) in cases {
        let one = alone(text, sets, &[0.6, 0.05]);
        for count in [2, 3] {
            assert_eq!(outcomes(text, sets, &[0.6, 0.05], count), one, "{count} processes, {sets:?}");
        }
    }
}

/// Until intervals are narrow, or the queues grow: each process has to decide as the others do.
#[test]
fn processes_end_a_run_together() {
    let text = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n[traffic]\nloads = [1]\n";
    let one = alone(text, &[], &[0.2, 1.0]);
    assert!(one[0].contains("Converged") && one[1].contains("Saturated"), "{one:?}");
    assert_eq!(outcomes(text, &[], &[0.2, 1.0], 2), one);
}

/// A ring of four routers without a dateline: the process that leads names the packets that wait for each other.
#[test]
fn a_deadlock_is_named_as_in_one_process() {
    let text = "topology = { kind = \"torus\", dims = [6], nodes_per_router = 2 }\nrouter = { vcs = 1 }\n\
        routing = { algorithm = \"multipath\" }\ntraffic = { loads = [1] }\n";
    let one = alone(text, &[], &[1.0]);
    assert!(one[0].contains("Deadlock"), "{one:?}");
    assert_eq!(outcomes(text, &[], &[1.0], 2), one);
}

#[test]
fn a_process_that_goes_ends_the_run() {
    let mut threads = threads(2).into_iter();
    let (first, second) = (threads.next().unwrap(), threads.next().unwrap());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut blueprint = blueprint(DRAGONFLY, &[]);
            join(&mut blueprint, second, "a scenario").unwrap();
        });
        let mut blueprint = blueprint(DRAGONFLY, &[]);
        join(&mut blueprint, first, "a scenario").unwrap();
        let error = run(&blueprint, 0.5, &|_| ()).unwrap_err();
        assert!(matches!(&error, RunError::Lost(Lost { process: 1, .. })), "{error}");
        let text = "process 1 is lost: its channel is closed; the loads that are finished are kept";
        assert_eq!(error.to_string(), text);
    });
}

#[test]
fn who_cannot_run_together_is_named() {
    let alone = |text: &str, sets: &[&str], count: usize| {
        let mut all = threads(count).into_iter();
        let mut blueprint = blueprint(text, sets);
        join(&mut blueprint, all.next().unwrap(), "").unwrap_err().to_string()
    };
    assert_eq!(
        alone(DRAGONFLY, &["routing.algorithm=valiant"], 2),
        "routing `valiant`, as it is set, runs in one process: its sources draw numbers of one sequence"
    );
    assert_eq!(
        alone(DRAGONFLY, &[], 10),
        "10 processes for a network of 9 parts that stay whole (groups, or routers)"
    );
    let atomic = alone(TORUS, &["router.flow_control=pipelined-circuit"], 2);
    assert_eq!(
        atomic,
        "`router.flow_control` with circuits or addresses that go ahead runs in one process: its parts share more than links"
    );
}

#[test]
fn another_scenario_is_refused() {
    let mut threads = threads(2).into_iter();
    let (first, second) = (threads.next().unwrap(), threads.next().unwrap());
    let other = std::thread::spawn(move || join(&mut blueprint(TORUS, &[]), second, "another"));
    let error = join(&mut blueprint(TORUS, &[]), first, "one").unwrap_err();
    assert_eq!(error, JoinError::Differs { process: 1 });
    assert_eq!(other.join().unwrap().unwrap_err(), JoinError::Differs { process: 0 });
}

/// Proves: heads for the highest ports of wide routers come to them from another process.
#[test]
fn wide_routers_do_the_same_in_two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("edges.txt");
    std::fs::write(&file, "0 1\n".repeat(60)).unwrap();
    let text = format!(
        "[topology]\nkind = \"graph\"\nfile = {file:?}\nnodes_per_router = 80\n[routing]\nalgorithm = \"multipath\"\n\
         [traffic]\nloads = [1]\n[run]\nwarmup_cycles = 100\nmeasure_cycles = 300\n"
    );
    let one = alone(&text, &[], &[0.3]);
    assert!(one[0].contains("violation: None"), "{one:?}");
    assert_eq!(outcomes(&text, &[], &[0.3], 2), one);
}
