/// The times when a person does not want to be disturbed.
///
/// A value: it may go to any actor.
public struct QuietHours: Sendable, Hashable, Codable {
    /// From `from` until clocks next show `to`. The days are those on which the window begins.
    public struct Window: Sendable, Hashable, Codable {
        /// `mon` to `sun`.
        public var days: [String]
        /// `22:00`.
        public var from: String
        /// `07:00`, up to `24:00`.
        public var to: String

        /// - Parameters:
        ///   - days: the days on which it begins, `mon` to `sun`.
        ///   - from: such as `22:00`, by the zone's clocks.
        ///   - to: such as `07:00`; equal times mean a whole day.
        public init(days: [String], from: String, to: String) {
            self.days = days
            self.from = from
            self.to = to
        }
    }

    /// A name of the time zone database, such as `Europe/Berlin`; nil for the zone of the person's profile, else of
    /// their device.
    public var zone: String?
    /// At most 50.
    public var windows: [Window]

    /// - Parameters:
    ///   - zone: a name of the time zone database; nil for the zone of the person's profile, else of their device.
    ///   - windows: at most 50; they may touch and overlap.
    public init(zone: String? = nil, windows: [Window]) {
        self.zone = zone
        self.windows = windows
    }

    var value: JSONValue {
        var members: [String: JSONValue] = [
            "windows": .array(
                windows.map { window in
                    [
                        "days": .array(window.days.map(JSONValue.string)), "from": .string(window.from),
                        "to": .string(window.to),
                    ]
                })
        ]
        members["zone"] = zone.map(JSONValue.string)
        return .object(members)
    }
}
