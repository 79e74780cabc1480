import Inbox
import JSON

extension Event {
    /// Reads a value as if a backend had sent it.
    init(json: JSONValue, at now: Timestamp) throws {
        self = try json.encoded.withUnsafeBytes { try Event(json: JSONNode(parsing: $0), at: now) }
    }
}
