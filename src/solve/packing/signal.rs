//! What the threads of a search and the one that waits for them tell each other.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::solve::Progress;

/// Called every few milliseconds.
pub(super) type Watch<'a> = &'a dyn Fn(Progress) -> ControlFlow<()>;

/// It is called so often.
pub(super) const WATCH: Duration = Duration::from_millis(20);

/// Seen by all threads of a search.
#[derive(Default)]
pub(super) struct Signal {
    is_stopped: AtomicBool,
    nodes: AtomicU64,
}

impl Signal {
    /// Ends all searches that look at it.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Tells of nodes tried since the last time.
    pub(super) fn add(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// The nodes that were told of.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Does work on a thread of its own and waits for it; gives the signal to stop when `watch` says so.
    pub(super) fn wait<T: Send>(&self, watch: Watch<'_>, work: impl FnOnce() -> T + Send) -> T {
        let (done, wait) = channel();
        thread::scope(|scope| {
            scope.spawn(move || done.send(work()));
            loop {
                match wait.recv_timeout(WATCH) {
                    Ok(result) => return result,
                    Err(RecvTimeoutError::Timeout) => {
                        if watch(Progress { nodes: self.nodes(), ..Progress::default() }).is_break() {
                            self.stop();
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => panic!("the thread that works panicked"),
                }
            }
        })
    }
}
