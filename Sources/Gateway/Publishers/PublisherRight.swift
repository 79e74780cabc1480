/// A kind of calls that a publisher may make.
package enum PublisherRight: String, Sendable, CaseIterable {
    /// Events and dry runs.
    case publish
    /// Taking back own events.
    case retract
    /// Changing live fields of notifications of own events.
    case patch
    case topics
    /// Profiles, settings, sessions, devices and marks of people.
    case users
    /// Feeds' items and people's marks in them.
    case feeds
    /// Decisions about own events.
    case trail
    /// Erasing people.
    case erase
    /// Reading files again, and the list of publishers.
    case reload
    /// The rights to retract, patch and read the trail, for events of all publishers of the app.
    case others
}

extension PublisherRight: SettingValue {
    static var expectation: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }
    static var form: SettingForm { .choice(allCases.map(\.rawValue)) }
    init?(setting text: String) { self.init(rawValue: text) }
    var settingText: String { rawValue }
}
