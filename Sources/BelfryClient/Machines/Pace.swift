/// When the next frame may go, so that the server does not close for too many.
///
/// A pure machine.
struct Pace {
    /// So many frames may go at once.
    private static let burst: Int64 = 20

    /// Between two frames beyond a burst; until `ready` tells, what a server does by itself.
    private var interval: Int64 = 150
    /// When the next frame might go without bursts.
    private var due: Int64 = 0

    /// Takes the limits of `ready`: two thirds of what the server allows.
    mutating func begin(_ ready: ServerFrame) {
        guard let frames = ready["limits"]?["frames"]?.count, frames > 0,
            let window = ready["limits"]?["framesWindow"]?.milliseconds
        else { return }
        interval = window * 3 / (Int64(frames) * 2)
    }

    /// Takes the next frame's turn.
    ///
    /// - Returns: nil if it may go now, else after how many milliseconds.
    mutating func take(_ now: Int64) -> Int64? {
        // A clock that was set back must not put a frame off for longer than an interval.
        due = min(max(due, now - Self.burst * interval), now + interval)
        guard due <= now else { return due - now }
        due += interval
        return nil
    }
}
