package import Inbox

/// Keeps the pushes of one kind to one person at so many an hour: what is beyond waits for the hour's end, where all
/// that waits leaves as one.
///
/// An hour begins with the first push after the one before has ended.
package struct PushPace: Sendable, Hashable {
    package static let window = Duration.seconds(3_600)

    package private(set) var start: Timestamp
    package private(set) var count: Int
    /// Something waits for the window's end: it will be the first push of the next one.
    package private(set) var hasWaiting: Bool

    package init(start: Timestamp, count: Int = 0, hasWaiting: Bool = false) {
        self.start = start
        self.count = count
        self.hasWaiting = hasWaiting
    }

    /// After this nothing of it matters any more.
    package var end: Timestamp { start + Self.window * (hasWaiting ? 2 : 1) }

    /// Takes in one more push that would leave at `due`; tells when it may.
    package mutating func admit(_ due: Timestamp, limit: Int) -> Timestamp {
        // The window was opened for a push that is to leave much later, or the clock was set back.
        if start - due >= Self.window { self = PushPace(start: due) }
        if due >= start + Self.window {
            // What waited has left at the window's end and opened the next one.
            self = hasWaiting && due < end ? PushPace(start: start + Self.window, count: 1) : PushPace(start: due)
        }
        guard count >= limit else {
            count += 1
            return due
        }
        hasWaiting = true
        return start + Self.window
    }
}
