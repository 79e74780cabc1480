/// Decides when the next frame may be sent, so that the server does not close for too many frames.
///
/// A pure machine.
struct Pace {
    /// The number of frames that may be sent at once.
    private static let burst: Int64 = 20

    /// The time between two frames beyond a burst; fits a server's default limits until `ready` tells them.
    private var interval: Int64 = 150
    /// The time of the next frame if there were no bursts.
    private var due: Int64 = 0

    /// Takes the limits of `ready`: two thirds of what the server allows.
    mutating func begin(_ ready: ServerFrame) {
        guard let frames = ready["limits"]?["frames"]?.count, frames > 0,
            let window = ready["limits"]?["framesWindow"]?.milliseconds
        else { return }
        interval = window * 3 / (Int64(frames) * 2)
    }

    /// Takes the turn of the next frame.
    ///
    /// - Returns: nil if it may be sent now, else the wait in milliseconds.
    mutating func take(_ now: Int64) -> Int64? {
        // A clock that was set back must not delay a frame by more than an interval.
        due = min(max(due, now - Self.burst * interval), now + interval)
        guard due <= now else { return due - now }
        due += interval
        return nil
    }
}
