public import Foundation

/// One notification of the inbox, as the server's list has it.
///
/// A value: it may go to any actor.
public struct InboxNotification: Sendable, Hashable, Identifiable {
    /// Opaque, and never given twice.
    public let id: String
    /// The catalog's name for it, such as `ROOM_LIKE`.
    public let type: String
    /// The line to show.
    public let displayText: String
    /// Also true while ``Inbox/read(_:)`` is under way.
    public internal(set) var isRead: Bool
    /// Also true while ``Inbox/seen()`` is under way.
    public internal(set) var isSeen: Bool
    /// Grows with each change of the content.
    public let rev: Int64
    /// The inbox's number of the last change of the content.
    public let seq: Int64
    /// Where a notification that came up again did so last: the `seq` of that change.
    public let place: Int64?
    /// All members as the server sent them, with those that the catalog adds.
    public let members: [String: JSONValue]

    /// Nil for what has no `id`.
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

    /// The member of this name, such as `roomName`.
    public subscript(_ member: String) -> JSONValue? { members[member] }

    /// When it happened, as the event said; nil if the server did not tell. Parsed at each call.
    public var createdAt: Date? { members["createdAt"]?.string.flatMap(Moment.date) }

    /// What a tap opens.
    public var target: NavigationTarget? {
        members["deepLink"].flatMap { NavigationTarget($0, notification: id) }
    }

    /// Whether both show the same: a content has one `rev` only.
    func looksLike(_ other: InboxNotification) -> Bool {
        id == other.id && rev == other.rev && isRead == other.isRead && isSeen == other.isSeen && seq == other.seq
            && place == other.place
    }
}

extension InboxNotification: Codable {
    /// - Throws: a `DecodingError` for what is no notification.
    public init(from decoder: any Decoder) throws {
        guard let row = InboxNotification(try JSONValue(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected a notification with an id"))
        }
        self = row
    }

    /// - Throws: an `EncodingError`, for a number that no JSON can have.
    public func encode(to encoder: any Encoder) throws {
        var members = members
        members["isRead"] = .bool(isRead)
        members["isSeen"] = .bool(isSeen)
        try JSONValue.object(members).encode(to: encoder)
    }
}
