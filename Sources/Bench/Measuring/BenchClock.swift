import Glibc

/// The clock that stamps publications and measures their arrival: the same for all processes of one machine.
package enum BenchClock {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    package static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
