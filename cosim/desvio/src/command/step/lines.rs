//! Requests and answers, a line each.

use super::super::failure::Failure;
use desvio_sim::printable;
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, ErrorKind, Read as _, Write as _};

/// Bytes of the longest request.
const LONGEST: u64 = 16 << 20;

/// The next request; `None` at the end of the input. What is no JSON is answered here.
pub(super) fn next() -> Result<Option<Json>, Failure> {
    loop {
        let mut line = Vec::new();
        let read = std::io::stdin().lock().take(LONGEST).read_until(b'\n', &mut line);
        let read =
            read.map_err(|error| Failure::Input(format!("error: cannot read standard input: {error}")))?;
        if read == 0 {
            return Ok(None);
        }
        match serde_json::from_slice(&line) {
            Ok(request) => return Ok(Some(request)),
            Err(error) => {
                if !answer(&refused(&format!("not a line of JSON: {error}")))? {
                    return Ok(None);
                }
            }
        }
    }
}

/// Writes an answer; `false` where nobody reads it any more.
pub(super) fn answer(answer: &Json) -> Result<bool, Failure> {
    let text = answer.to_string();
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{}", printable::json(&text)).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::Input(format!("error: cannot write to standard output: {error}"))),
    }
}

/// The answer to a request that cannot be met.
pub(super) fn refused(why: &str) -> Json {
    json!({ "error": why })
}

/// A whole number of a request below `limit`; `None` where it is left out or null.
pub(super) fn number(request: &Json, key: &str, limit: u64) -> Result<Option<u64>, String> {
    match request.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => match value.as_u64().filter(|number| *number < limit) {
            Some(number) => Ok(Some(number)),
            None => Err(format!("`{key}` is {value}, expected a whole number below {limit}")),
        },
    }
}

/// A whole number of a request that must be there.
pub(super) fn need(request: &Json, key: &str, limit: u64) -> Result<u64, String> {
    number(request, key, limit)?
        .ok_or_else(|| format!("`{key}` is missing, expected a whole number below {limit}"))
}
