import Inbox
import JSON

extension UserProfile {
    /// Reads a value as if a backend had sent it.
    init(json: JSONValue) throws {
        self = try json.encoded.withUnsafeBytes { try UserProfile(json: JSONNode(parsing: $0)) }
    }
}
