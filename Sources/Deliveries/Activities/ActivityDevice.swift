import Inbox
import JSON

/// What a device's app has told of its Live Activities, and how many pushes they had within the hour.
package struct ActivityDevice: Sendable, Hashable {
    /// How many attributes types an app may register.
    package static let maximumTypes = 50

    /// By attributes type, the token that begins an activity of it, in hex. Nil for a device whose app shows activities by
    /// itself, from data messages.
    package var types: [String: String?]
    package var starts = ActivityBudget()
    package var pressing = ActivityBudget()

    package init(types: [String: String?] = [:]) { self.types = types }

    /// The stored form.
    package var json: [UInt8] {
        let types = types.sorted { $0.key < $1.key }.map { type, token in
            JSONObject.Member(key: type, value: token.map(JSONValue.string) ?? .null)
        }
        let json: JSONObject = [
            "types": .object(JSONObject(types)), "starts": Self.json(starts), "pressing": Self.json(pressing),
        ]
        return JSONValue.object(json).encoded
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json bytes: [UInt8]) {
        // Damaged bytes are no JSON.
        guard let json = (try? JSONValue(parsing: bytes))?.object, let types = json["types"]?.object,
            let starts = Self.budget(json["starts"]), let pressing = Self.budget(json["pressing"])
        else { return nil }
        self.init(types: Dictionary(types.members.map { ($0.key, $0.value.string) }) { first, _ in first })
        (self.starts, self.pressing) = (starts, pressing)
    }

    private static func json(_ budget: ActivityBudget) -> JSONValue {
        .array(budget.times.map { .int($0.milliseconds) })
    }

    private static func budget(_ json: JSONValue?) -> ActivityBudget? {
        guard let times = json?.array else { return nil }
        return ActivityBudget(times: times.compactMap { $0.int.map(Timestamp.init(milliseconds:)) })
    }
}
