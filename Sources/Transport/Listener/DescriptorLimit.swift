import Glibc

/// The number of descriptors that this process may have.
package enum DescriptorLimit {
    /// The soft `RLIMIT_NOFILE`, which `accept` obeys.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit to the allowed maximum: the usual soft limit of 1,024 is a fraction of what a node serves.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of descriptors that no listener's connection gets, out of `limit`.
    ///
    /// Code that opens a file for a moment needs them. Dispatch, for example, reads its threads' state in `/proc` once
    /// a second while work waits for threads, and ends a process without a free descriptor.
    static func spared(of limit: Int) -> Int { min(limit / 8, 32) }

    /// The use of a listener's connections. A later use still finds places when earlier ones have used up theirs.
    package enum Use: Sendable, CaseIterable {
        case clients, publishers, operators
    }

    /// The highest of `limit` descriptors that a connection of this use gets. The kernel assigns the lowest free
    /// number, so higher ones stay free for the other uses.
    static func highest(of limit: Int, for use: Use) -> Int {
        let operators = limit - spared(of: limit) - 1
        let publishers = operators - min(limit / 16, 16)
        switch use {
        case .operators: return operators
        case .publishers: return publishers
        // Clients get some descriptors even if the limit is hardly enough for the process itself.
        case .clients: return max(connections(of: limit) - 1, publishers - limit / 4)
        }
    }

    /// The number of `limit` descriptors that clients may take.
    ///
    /// The rest is for the store's readers and files, publishers, connections to push providers, logs, and clients that
    /// are being refused. It is an eighth, at least 64 and at most 1,024, besides those that no connection gets.
    package static func connections(of limit: Int) -> Int {
        max(1, limit - min(max(limit / 8, 64), 1_024) - spared(of: limit))
    }
}
