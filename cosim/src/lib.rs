//! Networks of Desvio routers.
pub mod scenario;
pub mod summary;
