import Inbox
import JSON
import Push

extension Device {
    /// Writes its public members: neither its token nor its keys.
    func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }

    /// The same for support people, with the number on its icon.
    func writeWithBadge(to json: inout JSONWriter) {
        json.object { json in
            writeMembers(to: &json)
            json.member("badge", badge.map { .int($0) } ?? .null)
        }
    }

    private func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("app", app)
        json.member("provider", provider.name)
        if awaitsToken { json.member("awaitsToken", true) }
        json.member("platform", Self.optional(platform))
        json.member("environment", Self.optional(environment?.rawValue))
        json.member("locale", Self.optional(locale))
        json.member("zone", Self.optional(zone))
        json.member("permission", Self.optional(permission?.rawValue))
        json.member("registeredAt", registeredAt.iso8601)
        json.member("lastSeenAt", lastSeenAt.iso8601)
        if let expiresAt { json.member("expiresAt", expiresAt.iso8601) }
    }

    private static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
