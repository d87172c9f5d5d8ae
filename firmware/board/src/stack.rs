//! How much of the stack has been used, from the paint that is left.

/// Paints what is not in use now.
pub fn paint() {
    #[cfg(target_arch = "arm")]
    cortex_m_stack::repaint_stack();
}

/// Bytes that were in use at some time since, from the top of the stack. `None` where the stack is painted from outside.
pub fn used() -> Option<u32> {
    #[cfg(target_arch = "arm")]
    return Some(cortex_m_stack::stack_size().saturating_sub(cortex_m_stack::stack_painted()));
    #[cfg(not(target_arch = "arm"))]
    None
}

/// Bytes that are in use now.
pub fn in_use() -> Option<u32> {
    #[cfg(target_arch = "arm")]
    return Some(cortex_m_stack::current_stack_in_use());
    #[cfg(not(target_arch = "arm"))]
    None
}
