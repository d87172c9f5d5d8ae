//! Paths that Verilator takes as they are.

use std::path::Path;

use crate::error::BuildError;

/// Refuses a path that Verilator would take for something else, or that it cannot give back.
pub(crate) fn check(path: &Path) -> Result<(), BuildError> {
    let Some(reason) = trouble(path) else { return Ok(()) };
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
    #[cfg(unix)]
    fn a_path_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"\xff.v"));
        assert_eq!(trouble(path), Some("is not UTF-8"));
    }
}
