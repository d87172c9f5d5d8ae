//! Networks of Desvio routers.
pub mod scenario;
pub mod summary;
pub mod topology;
pub mod traffic;
