import CLinux
import Glibc

/// malloc's heaps, of which a thread has one until it ends.
package enum HeapArenas {
    /// Lets threads share heaps: one for two processors that they may use. To be called first of all, before there is a
    /// second thread.
    ///
    /// By itself malloc gives each of the first eight threads a processor a heap of its own. Threads of queues come and go
    /// here, and leave 0.3 to 0.6 MB of pieces in each; and any heap but the first grows by single pages, a system call each.
    ///
    /// What the environment says goes first: `MALLOC_ARENA_MAX`, or glibc's tunables (mallopt(3)).
    package static func limit() {
        guard getenv("MALLOC_ARENA_MAX") == nil, getenv("GLIBC_TUNABLES") == nil else { return }
        belfry_limit_arenas(Int32(max(UsableProcessors.count / 2, 1)))
    }
}
