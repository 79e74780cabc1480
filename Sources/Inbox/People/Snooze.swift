/// A time without pushes, but for urgent ones, that a person sets from now on.
package struct Snooze: Sendable, Hashable {
    /// People who want more than this can switch pushes off.
    package static let longest = Duration.seconds(30 * 86_400)
    private static let longestHours = longest.components.seconds / 3_600

    package let end: Timestamp

    /// - Parameter place: that of the end, for problems.
    init(until end: Timestamp, at now: Timestamp, place: JSONPointer) throws(PreferenceProblem) {
        guard end > now, end <= now + Self.longest else {
            throw .invalidValue(place, expected: "a moment to come, within \(Self.longestHours) hours from now")
        }
        self.end = end
    }

    /// - Parameter place: that of the hours, for problems.
    init(hours: Double, at now: Timestamp, place: JSONPointer) throws(PreferenceProblem) {
        guard hours > 0, hours <= Double(Self.longestHours) else {
            throw .invalidValue(place, expected: "more than 0 and at most \(Self.longestHours) hours")
        }
        end = now + .milliseconds(Int64(hours * 3_600_000))
    }
}
