package import Inbox
import JSON

/// How many pushes of one kind a device has got within the last hour: its system allows only so many, and drops the rest
/// without a word.
package struct ActivityBudget: Sendable, Hashable {
    package static let window = Duration.seconds(3_600)

    /// The oldest first; at most as many as the limit.
    package private(set) var times: [Timestamp] = []

    package init(times: [Timestamp] = []) { self.times = times }

    /// Counts one more push, unless there were `limit` within the hour.
    package mutating func take(_ limit: Int, at now: Timestamp) -> Bool {
        // A time ahead is of a clock that was set back since.
        times.removeAll { !(.zero..<Self.window ~= now - $0) }
        guard times.count < limit else { return false }
        times.append(now)
        return true
    }
}
