import Glibc

/// The machine's clocks.
package struct MachineClock {
    /// Milliseconds since 1970; may be set.
    package let wall: Int64
    /// Milliseconds since the machine's start, including time while it was suspended; nobody sets it.
    package let running: Int64

    package init(wall: Int64, running: Int64) { (self.wall, self.running) = (wall, running) }

    /// Both at the same moment, as nearly as the machine allows.
    static var now: MachineClock {
        var (before, wall, after) = (running, read(CLOCK_REALTIME), running)
        // A process that lost the processor between the two reads would see a clock that was set.
        for _ in 0..<8 where after - before > 10 { (before, wall, after) = (running, read(CLOCK_REALTIME), running) }
        return MachineClock(wall: wall, running: after)
    }

    static var running: Int64 { read(CLOCK_BOOTTIME) }

    /// Identifies this boot of the machine; nil if nothing does.
    static var boot: String? {
        // Without it, the next process takes the wall clock as it is.
        try? TextFile.read("/proc/sys/kernel/random/boot_id")
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
