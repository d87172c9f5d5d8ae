//! The page in which the simulator runs in a browser, and `desvio watch`.

use super::{DESVIO, Place};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// Stands for the page, which only `cargo xtask web` builds.
const PAGE: &str = "<p>page</p><template id=\"scenario\"></template>";

/// `desvio watch`, and the port that it listens on.
struct Watch {
    child: Child,
    port: u16,
}

impl Watch {
    fn start(place: &Place) -> Self {
        place.write("page.html", PAGE);
        let mut command = Command::new(DESVIO);
        command.args(["watch", "small.toml", "--page", "page.html"]).current_dir(place.dir.path());
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().trim_start_matches("http://127.0.0.1:").trim_end_matches('/').parse();
        Self { child, port: port.unwrap_or_else(|_| panic!("{line}")) }
    }

    /// The whole answer to a request for a path of a host.
    fn ask(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Proves: the page has the scenario as the file is at that moment, for this machine alone and under its own name.
#[test]
fn watch_serves_the_scenario_as_it_is_now() {
    let place = Place::new();
    let watch = Watch::start(&place);
    let own = format!("127.0.0.1:{}", watch.port);
    let first = watch.ask("/", &own);
    assert!(first.starts_with("HTTP/1.1 200 OK\r\n") && first.contains("kind = \"mesh\""), "{first}");
    place.write("small.toml", place.read("small.toml").replace("[2, 2]", "[3, 2] # <&"));
    let second = watch.ask("/", &own);
    assert!(second.contains("dims = [3, 2] # &lt;&amp;"), "{second}");
    assert!(watch.ask("/other", &own).starts_with("HTTP/1.1 404 "));
    assert!(watch.ask("/", "elsewhere.example").starts_with("HTTP/1.1 403 "));
}

#[test]
fn watch_refuses_what_is_no_page_and_no_scenario() {
    let place = Place::new();
    place.write("page.html", PAGE);
    let wrong = place.desvio(&["watch", "small.toml", "--page", "small.toml"]);
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("no page of `cargo xtask web`"), "{}", wrong.err);
    place.write("bad.toml", "[topology]\nkind = \"mash\"\n");
    let bad = place.desvio(&["watch", "bad.toml", "--page", "page.html"]);
    assert!(bad.status == Some(2) && bad.err.contains("did you mean \"mesh\""), "{bad:?}");
}

mod slow {
    use super::super::browser::{self, Browser};
    use super::{Place, fs};
    use serde_json::Value as Json;
    use std::collections::HashSet;
    use std::path::{Path, PathBuf};

    /// What `cargo xtask web` has built.
    fn built() -> Option<PathBuf> {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/web/index.html");
        if page.is_file() {
            return Some(page.canonicalize().unwrap());
        }
        assert!(
            std::env::var_os("DESVIO_REQUIRE_TOOLS").is_none_or(|value| value != "1"),
            "no {}",
            page.display()
        );
        eprintln!("skipped: `cargo xtask web` has not been run");
        None
    }

    /// Waits until the page has compiled its module and begun its first run.
    const READY: &str = "new Promise((done) => { \
        const look = () => state.run ? done(true) : setTimeout(look, 10); look(); })";
    const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n";
    const TORUS: &str = "[topology]\nkind = \"torus\"\ndims = [4, 4]\n";
    const RUN: &str = "[run]\nwarmup_cycles = 1000\nmeasure_cycles = 3000\n";
    const LOADS: [f64; 5] = [0.05, 0.15, 0.3, 0.5, 0.8];

    /// Proves: twenty points that the page measures are those of the command, in every digit of every metric that the page has.
    #[test]
    fn numbers_are_those_of_the_command() {
        let (Some(program), Some(file)) = (browser::program(), built()) else { return };
        let place = Place::new();
        let mut page = Browser::open(program, &file, (1280, 900));
        page.value(READY);
        let cases = [
            (DRAGONFLY, "uniform", "olm"),
            (DRAGONFLY, "{ adversarial = 1 }", "valiant"),
            (TORUS, "tornado", "dimension-order"),
            (TORUS, "uniform", "dateline-adaptive"),
        ];
        for (topology, pattern, routing) in cases {
            let text = format!(
                "{topology}[routing]\nalgorithm = \"{routing}\"\n[traffic]\npattern = {}\nloads = {LOADS:?}\n{RUN}",
                if pattern.starts_with('{') { pattern.to_owned() } else { format!("\"{pattern}\"") }
            );
            place.write("case.toml", &text);
            place.succeed(&["run", "case.toml", "--quiet"]);
            let summary: Json = serde_json::from_str(&place.read("results/case/summary.json")).unwrap();
            let found = page.value(&format!(
                "Object.assign(state, {{ own: {}, network: -1, routing: null, pattern: null, playing: false }});\
                 measure({LOADS:?})",
                Json::from(text)
            ));
            let expected = summary["curves"][0]["points"].as_array().unwrap();
            assert_eq!((expected.len(), found.as_array().unwrap().len()), (LOADS.len(), LOADS.len()));
            for (expected, found) in expected.iter().zip(found.as_array().unwrap()) {
                for key in [
                    "load",
                    "offered",
                    "accepted",
                    "latency_mean",
                    "latency_p99",
                    "misrouted_share",
                    "hops_mean",
                ] {
                    let [there, here] = [expected, found].map(|point| point[key].as_f64());
                    assert_eq!(there, here, "{routing}, {pattern}: {key}\n{expected:#}\n{found:#}");
                }
            }
        }
        let (errors, asked) = page.told();
        assert_eq!(errors, [""; 0]);
        assert!(
            asked.iter().all(|address| address.contains("index.html") || address.contains("blob:")),
            "{asked:?}"
        );
        assert!(fs::metadata(file).unwrap().len() < 3_000_000);
    }

    /// Proves: every network of the list begins to run, on a phone's width without a bar to scroll sideways.
    #[test]
    fn every_network_runs() {
        let (Some(program), Some(file)) = (browser::program(), built()) else { return };
        let mut page = Browser::open(program, &file, (390, 844));
        page.value(READY);
        let networks = page.value("NETWORKS.length").as_u64().unwrap();
        assert!(networks > 8);
        let mut seen = HashSet::new();
        for network in 0..networks {
            page.value(&format!("chooseNetwork({network}); advance(500)"));
            let wrong = page.value("element('status').classList.contains('wrong')");
            assert_eq!(wrong, false, "{network}: {}", page.text("#status"));
            assert!(page.value("state.run.seen.at(-1).packets").as_f64().unwrap() > 0.0, "{network}");
            for pattern in 0..page.count("#pattern option") {
                page.value(&format!(
                    "element('pattern').selectedIndex = {pattern}; element('pattern').dispatchEvent(new Event('change'))"
                ));
                let wrong = page.value("element('status').classList.contains('wrong')");
                assert_eq!(wrong, false, "{network}, {pattern}: {}", page.text("#status"));
                seen.insert(page.value("state.pattern").as_str().unwrap().to_owned());
            }
        }
        // Those that do not fit a network are left out of its list: one that fits none is wrong.
        let all = page.value("[...new Set(NETWORKS.flatMap((network) => network[2]))]");
        let left_out: Vec<_> = all
            .as_array()
            .unwrap()
            .iter()
            .filter(|pattern| !seen.contains(pattern.as_str().unwrap()))
            .collect();
        assert!(left_out.is_empty(), "{left_out:?}");
        let wide = page.value("document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= 390, "{wide} pixels wide");
    }
}
