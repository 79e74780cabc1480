package import Inbox
package import JSON

/// A push to a Live Activity in the view of a phone.
package struct ShownActivity: Sendable, Hashable {
    package let event: ActivityContent.Event
    /// `timestamp`, in seconds since 1970.
    package let timestamp: Int64
    /// What the push tells, as it came.
    package let content: JSONObject

    package init(event: ActivityContent.Event, timestamp: Int64, content: JSONObject) {
        (self.event, self.timestamp, self.content) = (event, timestamp, content)
    }

    /// What is wrong with a payload. A real phone drops such a push without a word.
    struct Mistake: Error {
        let text: String

        init(_ text: String) { self.text = text }
    }

    /// Reads `aps` as a phone does (ActivityKit, "Starting and updating Live Activities with ActivityKit push
    /// notifications").
    init(aps: JSONObject) throws(Mistake) {
        guard let event = aps["event"]?.string.flatMap(ActivityContent.Event.init(rawValue:)) else {
            throw Mistake("event: expected start, update or end")
        }
        // Milliseconds would be a date some ten thousand years ahead.
        guard let timestamp = aps["timestamp"]?.int, 0..<100_000_000_000 ~= timestamp else {
            throw Mistake("timestamp: expected seconds since 1970")
        }
        guard aps["content-state"]?.object != nil else { throw Mistake("content-state: expected an object") }
        if event == .start {
            guard let type = aps["attributes-type"]?.string, !type.isEmpty else {
                throw Mistake("attributes-type: expected the name of a type")
            }
            guard aps["attributes"]?.object != nil else { throw Mistake("attributes: expected an object") }
            guard aps["alert"]?.object != nil else { throw Mistake("alert: a start needs one") }
        }
        for name in ["stale-date", "dismissal-date"] {
            if let date = aps[name], date.int.map({ 0..<100_000_000_000 ~= $0 }) != true {
                throw Mistake("\(name): expected seconds since 1970")
            }
        }
        if let score = aps["relevance-score"], score.anyDouble == nil {
            throw Mistake("relevance-score: expected a number")
        }
        self.init(event: event, timestamp: timestamp, content: aps)
    }

    /// Reads the data of a message for Android; see ``ActivityMessage``.
    init?(message: JSONObject) {
        guard let event = message["event"]?.string.flatMap(ActivityContent.Event.init(rawValue:)),
            let timestamp = message["timestamp"]?.int
        else { return nil }
        self.init(event: event, timestamp: timestamp, content: message)
    }
}
