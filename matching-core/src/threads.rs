//! Work for the threads of a rayon pool.
//!
//! What rayon makes of a closure is compiled for each closure, and is large. So closures come here as trait objects, and what they
//! give is put into slots of their own.

use std::sync::Mutex;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Does `part` for each number below `parts`, in any order, in the pool that this is called from.
pub(crate) fn for_each(parts: usize, part: &(dyn Fn(usize) + Sync)) {
    (0..parts).into_par_iter().for_each(part);
}

/// What `part` gives for each number below `parts`.
pub(crate) fn collect<T: Send>(parts: usize, part: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let slots: Vec<Mutex<Option<T>>> = (0..parts).map(|_| Mutex::new(None)).collect();
    for_each(parts, &|at| {
        let given = part(at);
        *slots[at].lock().expect("nobody panics with it") = Some(given);
    });
    let given = slots.into_iter().filter_map(|slot| slot.into_inner().ok().flatten());
    given.collect()
}

/// Does two things at once if there is a thread for the second one.
pub(crate) fn join(one: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
    rayon::join(one, other);
}

/// Does something on a thread of the pool.
pub(crate) fn install(pool: &rayon::ThreadPool, work: &mut (dyn FnMut() + Send)) {
    pool.install(work);
}

/// What `work` gives if `run` does it.
pub(crate) fn under<A: Send>(work: impl FnOnce() -> A + Send, run: impl FnOnce(&mut (dyn FnMut() + Send))) -> A {
    let (mut work, mut answer) = (Some(work), None);
    run(&mut || answer = work.take().map(|work| work()));
    answer.expect("the work has been run")
}
