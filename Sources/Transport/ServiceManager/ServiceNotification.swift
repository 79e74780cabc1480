import CLinux
import Glibc

/// Tells the service manager the state of this process (sd_notify(3)). A message that cannot be sent is dropped: a
/// service must not fail because nobody listens.
package struct ServiceNotification: Sendable {
    private let address: String
    /// How often ``watchdog()`` must be called: half the time after which the service manager would end this process.
    /// Nil without a watchdog.
    package let watchdogInterval: Duration?

    /// - Parameters:
    ///   - environment: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` with `WATCHDOG_PID`.
    ///   - process: this process; the watchdog may be meant for another one.
    /// - Returns: nil without a service manager that listens.
    package init?(environment: [String: String], process: Int32 = getpid()) {
        // A path, or a name in the abstract namespace (unix(7)), with @ in place of its first byte, 0.
        guard let address = environment["NOTIFY_SOCKET"], address.hasPrefix("/") || address.hasPrefix("@"),
            2...MemoryLayout.size(ofValue: sockaddr_un().sun_path) ~= address.utf8.count
        else { return nil }
        self.address = address
        let isWatched = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isWatched && microseconds > 0 ? .microseconds(microseconds) / 2 : nil
    }

    /// The start has ended: clients are served.
    package func ready() { send("READY=1") }

    /// Settings are being read again; ``ready()`` must follow.
    package func reloading() {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    package func stopping() { send("STOPPING=1") }

    /// - Parameter text: one line for people.
    package func status(_ text: String) { send("STATUS=\(text.replacing("\n", with: " "))") }

    /// This process is alive.
    package func watchdog() { send("WATCHDOG=1") }

    private func send(_ state: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Waits for room as sd_notify does, but not forever for a service manager that hangs.
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { path in
            path.copyBytes(from: address.utf8)
            if address.hasPrefix("@") { path[0] = 0 }
        }
        // An abstract name has no end mark: the address's length tells where it ends.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + address.utf8.count)
        let bytes = Array(state.utf8)
        _ = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), pointer, length)
            }
        }
    }
}
