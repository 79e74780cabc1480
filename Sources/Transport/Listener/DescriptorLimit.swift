import Glibc

/// How many descriptors this process may have.
package enum DescriptorLimit {
    /// The soft `RLIMIT_NOFILE`, which is what `accept` obeys.
    package static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Asks for as many as the system allows: the usual soft limit of 1,024 is a fraction of what a node serves.
    package static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Those of `limit` descriptors that no listener's connection gets.
    ///
    /// They are for what opens a file for a moment, such as Dispatch: once a second, while work waits for its threads,
    /// it looks at each of these in `/proc`, and ends a process that has no descriptor for that.
    static func spared(of limit: Int) -> Int { min(limit / 8, 32) }

    /// Whose connections a listener takes: those that come later in this list find places when those before have used
    /// all of theirs.
    package enum Use: Sendable, CaseIterable {
        case clients, publishers, operators
    }

    /// The highest of `limit` descriptors that a connection of this use gets. The kernel gives out the lowest that is
    /// free, so those above are free for the others, whatever lies below.
    static func highest(of limit: Int, for use: Use) -> Int {
        let operators = limit - spared(of: limit) - 1
        let publishers = operators - min(limit / 16, 16)
        switch use {
        case .operators: return operators
        case .publishers: return publishers
        // Of a limit that is hardly enough for the process itself some are left all the same.
        case .clients: return max(connections(of: limit) - 1, publishers - limit / 4)
        }
    }

    /// How many of `limit` descriptors clients may take.
    ///
    /// The others are for the store's readers and files, publishers, connections to push providers, logs, and for
    /// clients that are being refused: an eighth, at least 64 and at most 1,024, besides those that nobody's connection
    /// gets.
    package static func connections(of limit: Int) -> Int {
        max(1, limit - min(max(limit / 8, 64), 1_024) - spared(of: limit))
    }
}
