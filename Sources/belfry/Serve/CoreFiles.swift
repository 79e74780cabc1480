import Glibc

/// The copies of a process's memory that the kernel writes when the process crashes.
enum CoreFiles {
    /// Forbids them to this process and to whatever it starts: its memory has keys, tokens and notifications.
    ///
    /// The programs that systemd and Ubuntu let the kernel hand such copies to obey the limit, too.
    static func forbid() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    }
}
