import Crypto
import Inbox
import JSON

/// One action of an operator.
struct AuditEntry: Sendable {
    let at: Timestamp
    let who: ConsoleOperator
    /// The caller's address; nil on a Unix socket.
    let address: String?
    /// The call, such as `POST /v1/users/{user}/test-push`.
    let action: String
    /// The path's parameters, and the query as it came.
    let subjects: [String]
    let query: String?

    /// One line. An erased person is not named: the line has a hash of the name, by which somebody who knows it can
    /// find the line.
    var line: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("at", at.iso8601)
            if let name = who.name { json.member("who", name) }
            json.member("by", who.way.rawValue)
            if let address { json.member("address", address) }
            json.member("action", action)
            json.member("about", .array(subjects.map { .string(isErasure ? Self.hash($0) : $0) }))
            if let query, !query.isEmpty { json.member("query", query) }
        }
        // Somebody reads the file at a terminal. JSON's own rules leave it signs that move the cursor, or turn a text around.
        let line = String(decoding: json.bytes, as: UTF8.self).escapingControlCharacters
        return Array(line.utf8) + [UInt8(ascii: "\n")]
    }

    private var isErasure: Bool { action == "DELETE /v1/users/{user}" }

    private static func hash(_ text: String) -> String {
        "sha256:" + SHA256.hash(data: Array(text.utf8)).hexadecimal(bytes: 32)
    }
}
