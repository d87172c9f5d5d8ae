//! Chromium without a window, driven by its DevTools protocol over two pipes.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::TempDir;

/// Names under which systems have it; the smallest first.
const PROGRAMS: [&str; 4] = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
/// An answer takes milliseconds; a machine that is busy with other tests, seconds.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page that is open.
pub(super) struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Json>,
    commands: u64,
    session: Option<String>,
    /// What was told beside answers.
    events: Vec<Json>,
    _profile: TempDir,
}

/// The program, or nothing and a message; with `DESVIO_REQUIRE_TOOLS=1` its absence is a failure.
pub(super) fn program() -> Option<&'static str> {
    let runs = |program: &&&str| {
        let mut command = Command::new(program);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = PROGRAMS.iter().find(runs).copied();
    let required = std::env::var_os("DESVIO_REQUIRE_TOOLS").is_some_and(|value| value == "1");
    assert!(found.is_some() || !required, "DESVIO_REQUIRE_TOOLS=1, but there is none of {PROGRAMS:?}");
    if found.is_none() {
        eprintln!("skipped: none of {PROGRAMS:?} is installed");
    }
    found
}

impl Browser {
    /// Opens a file in a window of this size, and waits until it is loaded.
    pub(super) fn open(program: &str, file: &Path, (width, height): (u32, u32)) -> Self {
        let profile = tempfile::tempdir().unwrap();
        // The protocol comes by descriptor 3 and goes by 4.
        let mut shell = Command::new("sh");
        shell.args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", program]);
        shell.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
        ]);
        shell.args(["--remote-debugging-pipe", "--disable-background-networking"]);
        shell.arg(format!("--user-data-dir={}", profile.path().display())).env("HOME", profile.path());
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, from) = channel();
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while out.read_until(0, &mut bytes).is_ok_and(|read| read > 0) {
                bytes.pop();
                let _ = sender.send(serde_json::from_slice(&bytes).unwrap_or(Json::Null));
                bytes.clear();
            }
        });
        let events = Vec::new();
        let mut browser = Self { child, to, from, commands: 0, session: None, events, _profile: profile };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.ask("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        browser.resize(width, height);
        browser.ask("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !browser.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = browser.from.recv_timeout(PATIENCE).expect("the page is never loaded");
            browser.events.push(event);
        }
        browser
    }

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    /// A command of the protocol, and its answer.
    pub(super) fn ask(&mut self, method: &str, parameters: Json) -> Json {
        self.commands += 1;
        let mut message = json!({ "id": self.commands, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut answer =
                self.from.recv_timeout(PATIENCE).unwrap_or_else(|error| panic!("{method}: {error}"));
            if answer["id"] == self.commands {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    /// The value of an expression in the page.
    pub(super) fn value(&mut self, expression: &str) -> Json {
        let parameters = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.ask("Runtime.evaluate", parameters);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    /// The text of an element.
    pub(super) fn text(&mut self, selector: &str) -> String {
        self.value(&format!("document.querySelector({selector:?}).textContent")).as_str().unwrap().to_owned()
    }

    pub(super) fn count(&mut self, selector: &str) -> u64 {
        self.value(&format!("document.querySelectorAll({selector:?}).length")).as_u64().unwrap()
    }

    /// Moves the pointer onto the middle of an element.
    pub(super) fn point(&mut self, selector: &str) -> (f64, f64) {
        let middle = self.value(&format!(
            "(() => {{ const node = document.querySelector({selector:?});\
             node.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});\
             const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        let at = (middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap());
        self.mouse("mouseMoved", at);
        at
    }

    pub(super) fn click(&mut self, selector: &str) {
        let at = self.point(selector);
        self.mouse("mousePressed", at);
        self.mouse("mouseReleased", at);
    }

    pub(super) fn mouse(&mut self, kind: &str, (x, y): (f64, f64)) {
        let is_down = kind != "mouseMoved";
        let button = if is_down { "left" } else { "none" };
        let clicks = u8::from(is_down);
        let event = json!({ "type": kind, "x": x, "y": y, "button": button, "clickCount": clicks });
        self.ask("Input.dispatchMouseEvent", event);
    }

    /// Gives an element the focus, and presses a key there.
    pub(super) fn press(&mut self, selector: &str, key: &str, code: u32) {
        self.value(&format!("document.querySelector({selector:?}).focus()"));
        for kind in ["keyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Errors of the page's program, and addresses that it asked for.
    pub(super) fn told(&mut self) -> (Vec<String>, Vec<String>) {
        // What is under way comes before this answer.
        self.value("1");
        let of = |method: &'static str| self.events.iter().filter(move |event| event["method"] == method);
        let errors = of("Runtime.exceptionThrown").chain(of("Log.entryAdded")).map(Json::to_string).collect();
        let asked =
            of("Network.requestWillBeSent").map(|event| event["params"]["request"]["url"].to_string());
        (errors, asked.collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        // It ends by itself; if not, with its pipes.
        for _ in 0..100 {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
