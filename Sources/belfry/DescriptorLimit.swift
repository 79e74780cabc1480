import Glibc

/// How many sockets the process may have open.
enum DescriptorLimit {
    /// Asks for as many as the system lets it: the usual soft limit of 1,024 is a fraction of what a node serves.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
