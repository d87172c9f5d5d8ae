//! Where a value is put.

/// Where a value is put: `--set key=…`, inside of a text around it.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) key: String,
    pub(super) before: String,
    pub(super) after: String,
    /// The keys of the tables that it is in, its own last.
    pub(super) path: Vec<String>,
    /// What describes the value of a table's key that it is inside of, and where that key's schema is.
    pub(super) outer: Option<(String, String)>,
}

impl Place {
    /// The whole value of a table, or of a key of a table, such as `router.vcs`.
    pub(super) fn of(key: &str) -> Self {
        let (before, after) = (String::new(), String::new());
        let path = key.split('.').skip(1).map(str::to_owned).collect();
        Self { key: key.to_owned(), before, after, path, outer: None }
    }

    pub(super) fn inside(&self, before: &str, after: &str) -> Self {
        Self {
            before: format!("{}{before}", self.before),
            after: format!("{after}{}", self.after),
            ..self.clone()
        }
    }

    /// Beside lists that have their last element twice.
    pub(super) fn beside_longer_lists(&self) -> Self {
        let mut before = String::new();
        for part in self.before.split_inclusive(']') {
            let last = part.strip_suffix(']').and_then(|list| list.rsplit(['[', ',']).next());
            let Some(last) = last else {
                before.push_str(part);
                continue;
            };
            before.push_str(&format!("{},{last}]", part.trim_end_matches(']')));
        }
        Self { before, ..self.clone() }
    }
}
