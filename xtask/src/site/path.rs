//! Paths between pages, with slashes whatever the system.

/// Where a link of a page leads: both paths are from the root, without `.` and `..`.
pub(crate) fn joined(page: &str, target: &str) -> String {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn a_target_is_relative_to_its_page() {
        assert_eq!(joined("docs/start.md", "../scenarios/mesh.toml"), "scenarios/mesh.toml");
        assert_eq!(joined("docs/start.md", "./extend.md"), "docs/extend.md");
        assert_eq!(joined("README.md", "docs/"), "docs");
    }
}
