//! Paths that Verilator takes as they are, of files that end.

use std::path::Path;

use crate::error::BuildError;

/// Bytes of the longest source.
const LONGEST: u64 = 64 << 20;

/// Refuses a path that Verilator would take for something else, or that it cannot give back, and one of a file that is no source by its size.
pub(crate) fn check(path: &Path) -> Result<(), BuildError> {
    let is_too_long = || std::fs::metadata(path).is_ok_and(|found| found.len() > LONGEST);
    let Some(reason) = trouble(path).or_else(|| is_too_long().then_some("leads to more than 64 MiB")) else {
        return Ok(());
    };
    Err(BuildError::Path { path: path.to_owned(), reason })
}

fn trouble(path: &Path) -> Option<&'static str> {
    let Some(text) = path.to_str() else { return Some("is not UTF-8") };
    if text.starts_with(['-', '+']) {
        return Some("begins like an option; put ./ before it");
    }
    text.chars().find_map(|character| match character {
        '"' => Some("has a quotation mark in it"),
        '$' => Some("has a dollar sign in it, which stands for an environment variable"),
        character if character.is_control() => Some("has a control character in it"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::trouble;
    use std::path::Path;

    #[test]
    fn only_what_verilator_misreads_is_refused() {
        for path in ["a b.v", "a'b.v", "a,b;c.v", "é.v", "~a/(b)*.v", "a-b+c.v", "./-x.v", "a\\b.v"] {
            assert_eq!(trouble(Path::new(path)), None, "{path}");
        }
        for path in ["w e\"i/a.v", "$(x)/a.v", "$HOME/a.v", "-x.v", "+x.v", "a\nb.v"] {
            assert!(trouble(Path::new(path)).is_some(), "{path}");
        }
    }

    #[test]
    fn a_source_has_an_end() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(super::LONGEST).unwrap();
        assert!(super::check(file.path()).is_ok());
        file.as_file().set_len(super::LONGEST + 1).unwrap();
        let refused = super::check(file.path()).unwrap_err().to_string();
        assert!(refused.contains("leads to more than 64 MiB"), "{refused}");
    }

    #[test]
    #[cfg(unix)]
    fn a_path_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"\xff.v"));
        assert_eq!(trouble(path), Some("is not UTF-8"));
    }
}
