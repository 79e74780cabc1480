package import Inbox

/// Limits the pushes of one kind to one person to a number an hour. Further ones wait for the hour's end, and leave as
/// one.
///
/// An hour begins with the first push after the end of the one before.
package struct PushPace: Sendable, Hashable {
    package static let window = Duration.seconds(3_600)

    package private(set) var start: Timestamp
    package private(set) var count: Int
    /// Whether a push waits for the window's end: it will be the first of the next window.
    package private(set) var hasWaiting: Bool

    package init(start: Timestamp, count: Int = 0, hasWaiting: Bool = false) {
        self.start = start
        self.count = count
        self.hasWaiting = hasWaiting
    }

    /// The time after which this state no longer matters.
    package var end: Timestamp { start + Self.window * (hasWaiting ? 2 : 1) }

    /// Takes in one more push that would leave at `due`; returns when it may.
    package mutating func admit(_ due: Timestamp, limit: Int) -> Timestamp {
        // The window began with a push that leaves much later, or the clock was set back.
        if start - due >= Self.window { self = PushPace(start: due) }
        if due >= start + Self.window {
            // The waiting push has left at the window's end and begun the next window.
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
