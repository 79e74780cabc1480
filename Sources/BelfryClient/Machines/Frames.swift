import Foundation

/// A frame of the server: its type and its other members.
struct ServerFrame {
    let type: String
    let members: [String: JSONValue]

    /// Nil for a value without a type, which clients ignore.
    init?(_ value: JSONValue) {
        guard let members = value.object, let type = members["type"]?.string else { return nil }
        self.type = type
        self.members = members
    }

    subscript(_ name: String) -> JSONValue? { members[name] }

    var id: String? { members["id"]?.string }
    var epoch: String? { members["epoch"]?.string }
    var seq: Int64? { members["seq"]?.sequence }
    var unread: Int? { members["unread"]?.count }
    var unseen: Int? { members["unseen"]?.count }
    var feed: String? { members["feed"]?.string }
    var offset: Int64? { members["offset"]?.integer }
    var isRecovered: Bool { members["recovered"]?.bool ?? false }
    var notification: InboxNotification? { members["notification"].flatMap(InboxNotification.init) }
    /// The error of an `error` frame.
    var error: BelfryError {
        BelfryError(
            code: members["code"]?.string ?? "unknown", message: members["message"]?.string,
            isTemporary: members["temporary"]?.bool ?? false)
    }
}

/// Limits numbers, because wrong ones from a server must not overflow later sums.
extension JSONValue {
    /// A position in an inbox's changes.
    var sequence: Int64? { integer.map { min(max($0, 0), 1 << 53) } }
    var count: Int? { integer.map { Int(min(max($0, 0), 1 << 30)) } }
    /// A time to wait, at most a day.
    var milliseconds: Int64? { integer.map { min(max($0, 0), 86_400_000) } }
}

/// A frame of the client.
package struct ClientFrame: Hashable {
    let type: String
    var members: [String: JSONValue] = [:]

    var value: JSONValue { .object(members.merging(["type": .string(type)]) { first, _ in first }) }

    /// The JSON text; `type` comes first.
    package var text: String {
        let rest = JSONValue.object(members).text.dropFirst()
        return #"{"type":"\#(type)""# + (rest == "}" ? "" : ",") + rest
    }
}
