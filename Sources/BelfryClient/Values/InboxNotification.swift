public import Foundation

/// One notification of the inbox, with the members of the server's list.
///
/// A value: it may go to any actor.
public struct InboxNotification: Sendable, Hashable, Identifiable {
    /// Opaque, and never used twice.
    public let id: String
    /// The name of its type in the catalog, such as `ROOM_LIKE`.
    public let type: String
    /// The line to show.
    public let displayText: String
    /// True as soon as ``Inbox/read(_:)`` is under way.
    public internal(set) var isRead: Bool
    /// True as soon as ``Inbox/seen()`` is under way.
    public internal(set) var isSeen: Bool
    /// Grows with each change of the content.
    public let rev: Int64
    /// The `seq` of the last change of the content.
    public let seq: Int64
    /// The `seq` at which the notification last came up in the list again, if it did.
    public let place: Int64?
    /// All members as the server sent them, including those of the catalog.
    public let members: [String: JSONValue]

    /// Nil for a value without an `id`.
    init?(_ value: JSONValue) {
        guard let members = value.object, let id = members["id"]?.string else { return nil }
        self.id = id
        self.members = members
        type = members["type"]?.string ?? ""
        displayText = members["displayText"]?.string ?? ""
        isRead = members["isRead"]?.bool ?? false
        isSeen = members["isSeen"]?.bool ?? false
        rev = members["rev"]?.integer ?? 0
        seq = members["seq"]?.integer ?? 0
        place = members["place"]?.integer
    }

    /// The member with this name, such as `roomName`.
    public subscript(_ member: String) -> JSONValue? { members[member] }

    /// The time of the event; nil if the server did not tell it. Parsed at each call.
    public var createdAt: Date? { members["createdAt"]?.string.flatMap(Moment.date) }

    /// The target that a tap opens.
    public var target: NavigationTarget? {
        members["deepLink"].flatMap { NavigationTarget($0, notification: id) }
    }

    /// What it asks, and the answer; nil if it asks nothing. Read from the members at each call.
    public var question: InboxQuestion? { members["question"].flatMap(InboxQuestion.init) }

    /// Whether both look the same: equal `rev` means equal content.
    func looksLike(_ other: InboxNotification) -> Bool {
        id == other.id && rev == other.rev && isRead == other.isRead && isSeen == other.isSeen && seq == other.seq
            && place == other.place
    }
}

extension InboxNotification: Codable {
    /// - Throws: a `DecodingError` for a value that is no notification.
    public init(from decoder: any Decoder) throws {
        guard let row = InboxNotification(try JSONValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected a notification with an id"))
        }
        self = row
    }

    /// - Throws: an `EncodingError` for a number that JSON cannot express.
    public func encode(to encoder: any Encoder) throws {
        var members = members
        members["isRead"] = .bool(isRead)
        members["isSeen"] = .bool(isSeen)
        try JSONValue.object(members).encode(to: encoder)
    }
}
