//! Files times values: the curves of a comparison.

use super::source;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// `--vary key=value,value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Vary {
    key: String,
    values: Vec<String>,
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((key, values)) = text.split_once('=') else {
            return Err("expected key=value,value, such as routing.algorithm=minimal,olm".to_owned());
        };
        let values: Vec<_> = split(values).into_iter().map(|value| value.trim().to_owned()).collect();
        if values.iter().any(String::is_empty) {
            return Err("a value is missing".to_owned());
        }
        if matches!(key.trim(), "load" | "loads" | "traffic.loads") {
            return Err(
                "every curve has all loads: set traffic.loads; in a campaign `load` is an axis".to_owned()
            );
        }
        Ok(Self { key: key.trim().to_owned(), values })
    }
}

/// Splits at the commas outside brackets, braces and quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut quote) = (0_i32, None);
    text.split(|c: char| {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, _) => {}
        }
        c == ',' && depth == 0 && quote.is_none()
    })
    .collect()
}

/// One curve of a comparison.
#[derive(Debug, Clone)]
pub(crate) struct Variant<'a> {
    pub(crate) file: &'a Path,
    pub(crate) choices: Vec<Choice<'a>>,
}

/// One value of a key that varies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice<'a> {
    key: &'a str,
    value: &'a str,
}

impl Choice<'_> {
    /// As for `--set`.
    pub(crate) fn set(&self) -> String {
        format!("{}={}", self.key, self.value)
    }

    /// A word speaks for itself, and so does a word with its number; a number does not, nor does the last part of a key
    /// that is one of several, such as `router.vcs.local`.
    fn name(&self) -> String {
        if let Some(name) = word_with_number(self.value) {
            return name;
        }
        let word = self.value.trim_matches(['"', '\'']);
        let key = match self.key.split('.').count() {
            ..=2 => self.key.rsplit('.').next().unwrap_or_default().trim(),
            _ => self.key,
        };
        let speaks = word.starts_with(|c: char| c.is_alphabetic()) && !["true", "false"].contains(&word);
        if speaks { word.to_owned() } else { format!("{key} = {word}") }
    }
}

/// `{ adversarial = 1 }` as `adversarial 1`.
fn word_with_number(value: &str) -> Option<String> {
    let (word, number) = value.strip_prefix('{')?.strip_suffix('}')?.split_once('=')?;
    let number = number.trim();
    number.parse::<f64>().ok().map(|_| format!("{} {number}", word.trim()))
}

/// Refuses a key that varies twice: one of the two would be lost.
pub(crate) fn each_key_once(vary: &[Vary]) -> Result<(), String> {
    let mut seen = HashSet::new();
    match vary.iter().find(|vary| !seen.insert(&vary.key)) {
        Some(Vary { key, .. }) => Err(format!("{key} varies twice: give all its values at once")),
        None => Ok(()),
    }
}

/// Every combination of a file with a value of each key that varies; the last key varies fastest.
pub(crate) fn product<'a>(files: &'a [PathBuf], vary: &'a [Vary]) -> Vec<Variant<'a>> {
    let files = files.iter().map(|file| Variant { file, choices: Vec::new() }).collect();
    vary.iter().fold(files, |variants: Vec<Variant<'a>>, Vary { key, values }| {
        let with = |variant: &Variant<'a>, value| {
            let choices = variant.choices.iter().copied().chain([Choice { key, value }]).collect();
            Variant { choices, ..*variant }
        };
        variants.iter().flat_map(|variant| values.iter().map(move |value| with(variant, value))).collect()
    })
}

/// The name of a variant's first choice, and that of the rest of it: a panel, and a curve in it.
pub(crate) fn split_name(variant: &Variant<'_>, all: &[Variant<'_>]) -> (String, String) {
    let several_files = all.iter().any(|other| other.file != variant.file);
    let rest = Variant { choices: variant.choices.iter().skip(1).copied().collect(), ..*variant };
    let file = (several_files || rest.choices.is_empty()).then(|| source::stem(variant.file));
    let name = file.into_iter().chain(rest.choices.iter().map(Choice::name)).collect::<Vec<_>>().join(", ");
    (variant.choices.first().map(Choice::name).unwrap_or_default(), name)
}

/// The names of the curves: those given, or what the curves differ in.
pub(crate) fn names(variants: &[Variant<'_>], given: &[String]) -> Result<Vec<String>, String> {
    if variants.len() < 2 {
        return Err("nothing to compare with: name another file, or vary a key of this one, such as --vary \
                    routing.algorithm=minimal,olm"
            .to_owned());
    }
    let files: HashSet<&Path> = variants.iter().map(|variant| variant.file).collect();
    let stems: HashSet<_> = files.iter().map(|file| file.file_stem()).collect();
    let file = |file: &Path| {
        let unique = stems.len() == files.len();
        if unique { source::stem(file) } else { source::name(file) }
    };
    let name = |variant: &Variant<'_>| {
        let file = (files.len() > 1 || variant.choices.is_empty()).then(|| file(variant.file));
        file.into_iter().chain(variant.choices.iter().map(Choice::name)).collect::<Vec<_>>().join(", ")
    };
    let names: Vec<String> =
        if given.is_empty() { variants.iter().map(name).collect() } else { given.to_vec() };
    if names.len() != variants.len() {
        let own: Vec<_> = variants.iter().map(name).collect();
        return Err(format!(
            "--names has {}, but there are {} curves: {}",
            names.len(),
            own.len(),
            own.join("; ")
        ));
    }
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(format!("two curves would have the name `{name}`")),
        None => Ok(names),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vary(text: &str) -> Vary {
        text.parse().unwrap()
    }

    fn curves(files: &[&str], vary: &[Vary], given: &[&str]) -> Result<Vec<String>, String> {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        let given: Vec<_> = given.iter().map(|&name| name.to_owned()).collect();
        names(&product(&files, vary), &given)
    }

    #[test]
    fn values_end_at_the_outer_commas() {
        let patterns =
            vary("traffic.pattern = uniform, { hot-spot = { nodes = [0, 5], share = 0.1 } },\"a,b\"");
        assert_eq!(patterns.key, "traffic.pattern");
        let expected = ["uniform", "{ hot-spot = { nodes = [0, 5], share = 0.1 } }", "\"a,b\""];
        assert_eq!(patterns.values, expected);
        for bad in ["routing.algorithm", "routing.algorithm=", "k=a,,b", "k=a,"] {
            assert!(bad.parse::<Vary>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_last_key_varies_fastest() {
        let vary = [vary("routing.algorithm=minimal,olm"), vary("run.seed=1,2")];
        let expected = ["minimal, seed = 1", "minimal, seed = 2", "olm, seed = 1", "olm, seed = 2"];
        assert_eq!(curves(&["a.toml"], &vary, &[]).unwrap(), expected);
        assert_eq!(curves(&["x/a.toml", "b.toml"], &vary[..1], &[]).unwrap()[2], "b, minimal");
        let locals = [self::vary("router.vcs.local=3,4")];
        let expected = ["router.vcs.local = 3", "router.vcs.local = 4"];
        assert_eq!(curves(&["a.toml"], &locals, &[]).unwrap(), expected);
    }

    #[test]
    fn a_word_with_a_number_is_named_without_brackets() {
        let spot = "{ hot-spot = { nodes = [0], share = 0.5 } }";
        let patterns =
            [vary(&format!("traffic.pattern=uniform,{{adversarial=1}},{{ adversarial = 2 }},{spot}"))];
        let expected = ["uniform", "adversarial 1", "adversarial 2", &format!("pattern = {spot}")];
        assert_eq!(curves(&["a.toml"], &patterns, &[]).unwrap(), expected);
    }

    #[test]
    fn curves_are_told_apart() {
        assert_eq!(curves(&["x/a.toml", "y/a.toml"], &[], &[]).unwrap(), ["x/a.toml", "y/a.toml"]);
        assert_eq!(curves(&["a.toml", "b.toml"], &[], &["A", "B"]).unwrap(), ["A", "B"]);
        for (files, given, fragment) in [
            (vec!["a.toml"], vec![], "nothing to compare"),
            (vec!["a.toml", "a.toml"], vec![], "`a`"),
            (vec!["a.toml", "b.toml"], vec!["A"], "--names has 1, but there are 2 curves: a; b"),
            (vec!["a.toml", "b.toml"], vec!["A", "A"], "`A`"),
        ] {
            let error = curves(&files, &[], &given).unwrap_err();
            assert!(error.contains(fragment), "{error}");
        }
    }
}
