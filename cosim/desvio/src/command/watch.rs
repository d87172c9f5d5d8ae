//! `desvio watch`: a scenario in the browser's page, on a local address.

use super::failure::Failure;
use super::{output, source};
use clap::Args;
use desvio_sim::bounded;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Shows a scenario at work in a browser: its network, and packets that cross it
///
/// The page simulates in the browser, with the engine of this program, and asks for nothing else. The address is one of
/// this machine alone. The file is read again each time that the page is loaded.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The scenario
    file: PathBuf,
    /// The port of the address; 0: a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The page, where the program was built without it
    #[arg(long, value_name = "HTML")]
    page: Option<PathBuf>,
}

const EXAMPLES: &str = r"Examples:
  desvio watch dragonfly.toml
  desvio watch dragonfly.toml --port 8080
  cargo xtask web && desvio watch dragonfly.toml --page target/web/index.html";

/// The page that the program was built with; empty where it was built without one.
const PAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.html"));
/// Where the page expects a scenario.
const PLACE: &str = "<template id=\"scenario\"></template>";
/// A page has a few megabytes.
const LARGEST: u64 = 1 << 24;
/// Bytes of a request that are read at most, and how long they may take.
const REQUEST: u64 = 1 << 14;
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn watch(arguments: &Arguments) -> Result<(), Failure> {
    let page = page(arguments.page.as_deref())?;
    // What is wrong with the file is said before a browser is opened.
    source::read(&arguments.file, &[])?;
    let failed = |error: io::Error| {
        Failure::Input(format!("error: cannot listen on port {}: {error}", arguments.port))
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, arguments.port)).map_err(failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    output::print(&format!("http://127.0.0.1:{port}/"))?;
    output::note("Ctrl-C ends it");
    for stream in listener.incoming().flatten() {
        // A browser that goes away in the middle of a page is none of our business.
        let _ = answer(stream, port, &arguments.file, &page);
    }
    Ok(())
}

fn page(file: Option<&Path>) -> Result<String, Failure> {
    let page = match file {
        Some(file) => bounded::read_text(file, LARGEST)
            .map_err(|error| Failure::Input(format!("error: {}: {error}", file.display())))?,
        None => String::from_utf8_lossy(PAGE).into_owned(),
    };
    if page.contains(PLACE) {
        return Ok(page);
    }
    let what = if file.is_some() {
        "that is no page of `cargo xtask web`"
    } else {
        "this program was built without its page"
    };
    Err(Failure::Input(format!(
        "error: {what}: build it by `cargo xtask web`, and name it by --page target/web/index.html"
    )))
}

fn answer(mut stream: TcpStream, port: u16, file: &Path, page: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut request, mut host) = (String::new(), String::new());
    let mut lines = BufReader::new(stream.try_clone()?.take(REQUEST));
    lines.read_line(&mut request)?;
    loop {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            value.trim().clone_into(&mut host);
        }
    }
    // Another name for this address is a page of another site that looks in here.
    let is_ours = ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{port}"));
    let (status, body) = match request.split(' ').take(2).collect::<Vec<_>>().as_slice() {
        _ if !is_ours => ("403 Forbidden", String::new()),
        ["GET", "/"] => ("200 OK", shown(file, page)),
        _ => ("404 Not Found", String::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n{body}"
    )?;
    stream.flush()
}

/// The page with the scenario, as the file is now; what is wrong with it is shown there.
fn shown(file: &Path, page: &str) -> String {
    let text = match source::text(file) {
        Ok(Some(text)) => text.to_owned(),
        _ => bounded::read_text(file, desvio_sim::scenario::LARGEST_FILE)
            .unwrap_or_else(|error| format!("# {}: {error}", file.display())),
    };
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    page.replacen(PLACE, &format!("<template id=\"scenario\">{escaped}</template>"), 1)
}
