import Glibc
import Inbox

/// The time that is stored and sent.
enum WallClock {
    static var now: Timestamp { Timestamp(milliseconds: nanoseconds / 1_000_000) }

    /// Since 1970.
    static var nanoseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
