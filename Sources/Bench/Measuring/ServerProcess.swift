import Glibc
package import Transport

/// The kernel's figures of a process on this machine, by its id.
package struct ServerProcess: Sendable {
    /// The figures at one moment.
    package struct Reading: Sendable, Codable, Hashable {
        /// CPU nanoseconds of all its threads, including the kernel's work for them.
        package var cpu: Int64
        /// Bytes of its own memory (`RssAnon`): without code and files, which the kernel drops and reads again as it
        /// likes.
        package var memory: Int64
        /// Nanoseconds that the whole machine spent on software interrupts, in steps of 10 ms: the part of the
        /// network's work that counts for no process.
        package var softirq: Int64
    }

    package let pid: Int32
    private let clock: clockid_t

    package init(pid: Int32) throws(SystemCallError) {
        self.pid = pid
        var clock = clockid_t()
        let code = clock_getcpuclockid(pid, &clock)
        guard code == 0 else { throw SystemCallError("clock_getcpuclockid", errno: code, subject: "process \(pid)") }
        self.clock = clock
    }

    /// - Throws: `ESRCH` if the process is gone.
    package func read() throws(SystemCallError) -> Reading {
        var time = timespec()
        guard clock_gettime(clock, &time) == 0, let status = Self.text(of: "/proc/\(pid)/status"),
            let memory = Self.memory(in: status)
        else { throw SystemCallError("read", errno: ESRCH, subject: "/proc/\(pid)/status") }
        return Reading(
            cpu: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec), memory: memory,
            softirq: Self.softirq(in: Self.text(of: "/proc/stat") ?? ""))
    }

    /// Reads `RssAnon: 1234 kB` of proc(5)'s status, in bytes.
    static func memory(in status: String) -> Int64? {
        for line in status.split(separator: "\n") where line.hasPrefix("RssAnon:") {
            let digits = line.drop { !$0.isNumber }.prefix { $0.isNumber }
            return Int64(digits).map { $0 << 10 }
        }
        return nil
    }

    /// Reads the seventh number of the first line of proc(5)'s stat, which counts in hundredths of a second.
    static func softirq(in stat: String) -> Int64 {
        let fields = stat.prefix { $0 != "\n" }.split(separator: " ")
        guard fields.count > 7, let ticks = Int64(fields[7]) else { return 0 }
        return ticks * 10_000_000
    }

    private static func text(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(contentsOf: buffer[..<count])
        }
    }
}
