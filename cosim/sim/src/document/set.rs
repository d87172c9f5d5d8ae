//! `--set key=value`: one more value for the tree.

use super::place::Place;
use super::problem::Problem;
use super::value::{Data, Entry, Value};

/// Puts the value of the `source`-th `--set` into the tree, over whatever the file says.
pub(super) fn apply(root: &mut Value, text: &str, source: usize) -> Result<(), Problem> {
    let whole = Place { source, start: 0, end: text.len() };
    let Some((path, value)) = text.split_once('=') else {
        return Err(Problem::new(whole, "expected key=value, such as routing.algorithm=minimal"));
    };
    let value = read_value(value, source, path.len() + 1)?;
    let keys = read_path(path, source)?;
    let Some((last, tables)) = keys.split_last() else {
        return Err(Problem::new(whole, "expected key=value"));
    };
    let mut table = root;
    for key in tables {
        let empty = Value { at: key.at, data: Data::Table(Vec::new()) };
        table = &mut entry(table, key, empty)?.value;
    }
    let found = entry(table, last, value.clone())?;
    found.key_at = last.at;
    found.value = value;
    Ok(())
}

/// One part of a dotted key.
struct Key<'a> {
    /// Everything up to and including this part.
    path: &'a str,
    name: &'a str,
    at: Place,
}

fn read_path(path: &str, source: usize) -> Result<Vec<Key<'_>>, Problem> {
    let mut keys = Vec::new();
    let mut end = 0;
    for part in path.split('.') {
        let start = end;
        end += part.len();
        let name = part.trim();
        let at = Place { source, start, end };
        let is_key = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(is_key) || keys.len() == DEEPEST {
            return Err(Problem::new(at, "expected a key of the scenario file, such as routing.algorithm"));
        }
        keys.push(Key { path: path.get(..end).unwrap_or(path), name, at });
        end += 1;
    }
    Ok(keys)
}

/// A TOML value, or a bare word.
fn read_value(text: &str, source: usize, offset: usize) -> Result<Value, Problem> {
    let word = text.trim();
    let lead = text.len() - text.trim_start().len();
    let (start, end) = (offset + lead, offset + lead + word.len());
    let at = Place { source, start, end };
    if word.is_empty() {
        return Err(Problem::new(at, "a value is missing after ="));
    }
    match Value::argument(word, source, start) {
        Err(problem) if word.starts_with(['[', '{', '"', '\'']) => Err(problem),
        Err(_) => Ok(Value { at, data: Data::Text(word.to_owned()) }),
        read => read,
    }
}

/// The entry of that key in `table`, new if there was none.
fn entry<'a>(table: &'a mut Value, key: &Key<'_>, new: Value) -> Result<&'a mut Entry, Problem> {
    let found = table.describe();
    let Data::Table(entries) = &mut table.data else {
        let parent = key.path.rsplit_once('.').map_or("", |(parent, _)| parent);
        return Err(Problem::new(key.at, format!("`{parent}` is {found} here and has no keys of its own"))
            .note(format!("set the whole of it: --set {parent}=…")));
    };
    let index = entries.iter().position(|entry| entry.key == key.name).unwrap_or(entries.len());
    if index == entries.len() {
        entries.push(Entry { key: key.name.to_owned(), key_at: key.at, value: new });
    }
    entries.get_mut(index).ok_or_else(|| Problem::new(key.at, "expected a key of the scenario file"))
}

/// Parts of a key at most.
const DEEPEST: usize = 16;
