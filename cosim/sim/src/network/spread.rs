//! Work of the shards, spread over threads.

use rayon::prelude::*;

/// Does each task once; with `spare` threads, beside each other.
pub(super) fn spread<T: FnMut() + Send>(tasks: impl Iterator<Item = T>, spare: bool) {
    if !spare {
        return tasks.for_each(|mut task| task());
    }
    let mut tasks: Vec<T> = tasks.collect();
    beside(&mut tasks.iter_mut().map(|task| task as _).collect::<Vec<_>>());
}

/// Does a task on a thread with a stack for large values; on this one where there can be no other.
pub(super) fn with_stack(task: impl FnOnce() + Send) {
    let mut task = Some(task);
    std::thread::scope(|scope| {
        let all = || task.take().into_iter().for_each(|task| task());
        // What is not started has not been taken.
        drop(std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, all));
    });
    task.into_iter().for_each(|task| task());
}

/// Bytes of that stack.
const STACK: usize = 64 << 20;

/// Knows no type of a task: a pool of threads takes several hundred functions, here compiled once for all sizes of routers.
fn beside(tasks: &mut [&mut (dyn FnMut() + Send)]) {
    tasks.par_iter_mut().with_max_len(1).for_each(|task| task());
}
