//! From a design to a library that is loaded: the tools, the cache, the compiler.

use crate::{Design, Library, cache::Cache, compile, error::BuildError, probe, toolchain::Toolchain};

impl Design {
    /// Compiles the design, or takes it from the cache.
    ///
    /// # Errors
    ///
    /// Every way in which a tool can be missing, refuse the sources or fail; see [`BuildError`].
    pub fn build(&self) -> Result<Library, BuildError> {
        if cfg!(all(target_feature = "crt-static", not(windows))) {
            return Err(BuildError::Static);
        }
        let toolchain = Toolchain::find()?;
        let cache = Cache::open(self.cache.as_deref())?;
        let entry = cache.obtain(self, &toolchain, |work| compile::run(self, &toolchain, &cache, work))?;
        let library = Library::open(self, &entry)?;
        for name in &self.probes {
            probe::find(library.probes(), name)?;
        }
        Ok(library)
    }
}
