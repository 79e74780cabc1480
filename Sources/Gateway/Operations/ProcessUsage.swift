import Foundation
import Glibc
import Transport

/// This process' use of the machine, as the kernel counts it (proc(5)).
struct ProcessUsage: Sendable, Hashable {
    /// Of all threads, in user and kernel mode.
    let cpuSeconds: Double
    let residentBytes: Int
    /// Of these, what is in use; nil if the heap does not tell.
    let heapBytesInUse: Int?
    /// Since 1970.
    let startedAtSeconds: Double
    /// Nil before Linux 6.2, where counting means listing all of them.
    let openDescriptors: Int?
    let maximumDescriptors: Int

    /// Read once: clocks are adjusted now and then, and a process' start must not move.
    private static let bootedAtSeconds = seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME)

    /// Nil if there is no `/proc`.
    static func current() -> ProcessUsage? {
        // Without `/proc` there is nothing to report.
        guard let line = try? TextFile.read("/proc/self/stat") else { return nil }
        // An unknown number is left out.
        let folder = try? FileManager.default.attributesOfItem(atPath: "/proc/self/fd")
        let descriptors = (folder?[.size] as? NSNumber)?.intValue ?? 0
        return ProcessUsage(
            parsing: line, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)), pageBytes: sysconf(Int32(_SC_PAGESIZE)),
            bootedAtSeconds: bootedAtSeconds, heapBytesInUse: Heap.bytesInUse,
            openDescriptors: descriptors > 0 ? descriptors : nil, maximumDescriptors: DescriptorLimit.current)
    }

    /// Reads a line of `/proc/<pid>/stat`; nil if its form is not that of proc(5).
    init?(
        parsing line: String, ticksPerSecond: Int, pageBytes: Int, bootedAtSeconds: Double, heapBytesInUse: Int?,
        openDescriptors: Int?,
        maximumDescriptors: Int
    ) {
        // The program's name is in parentheses, and may itself contain spaces and parentheses.
        guard let name = line.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        // The fields from the third on.
        let fields = line.utf8[name...].dropFirst().split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        func number(_ place: Int) -> Int? { place < fields.count ? Int(Substring(fields[place])) : nil }
        guard let user = number(11), let kernel = number(12), let start = number(19), let pages = number(21)
        else { return nil }
        cpuSeconds = Double(user + kernel) / Double(ticksPerSecond)
        residentBytes = pages * pageBytes
        startedAtSeconds = bootedAtSeconds + Double(start) / Double(ticksPerSecond)
        self.heapBytesInUse = heapBytesInUse
        self.openDescriptors = openDescriptors
        self.maximumDescriptors = maximumDescriptors
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
