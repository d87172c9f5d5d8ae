//! Flags on their way, beside the state that they are about.
