import Glibc

/// What the machine tells of time.
struct MachineClock {
    /// Milliseconds since 1970; may be set.
    let wall: Int64
    /// Milliseconds since the machine's start, also while it is suspended; nobody sets it.
    let running: Int64

    /// Both at one moment, as far as the machine lets them be read so.
    static var now: MachineClock {
        var (before, wall, after) = (running, read(CLOCK_REALTIME), running)
        // Who was kept from the processor between the two would take that for a clock that was set.
        for _ in 0..<8 where after - before > 10 { (before, wall, after) = (running, read(CLOCK_REALTIME), running) }
        return MachineClock(wall: wall, running: after)
    }

    static var running: Int64 { read(CLOCK_BOOTTIME) }

    /// What this start of the machine is known by; nil where nothing tells.
    static var boot: String? {
        // The next process then takes the wall clock as it is.
        try? TextFile.read("/proc/sys/kernel/random/boot_id")
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
