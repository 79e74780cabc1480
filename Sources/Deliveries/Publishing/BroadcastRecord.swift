package import Inbox
import JSON
package import Store

/// One row of `broadcast`.
package struct BroadcastRecord {
    package let id: Int64
    package var broadcast: Broadcast
    /// Scopes the key.
    package let publisher: String
    package let key: String?
    /// The event without its recipients; nil once the broadcast has ended.
    package let json: [UInt8]?
    /// The name of the recipient list of everybody else.
    package let everybody: String?
    /// Everybody else up to this inbox has been reached.
    package var afterInbox: Int64
    /// The last inbox of everybody else.
    package let lastInbox: Int64
    /// Whether the row is damaged: values that make no sense count as nothing.
    package let isDamaged: Bool

    /// One as its row has it.
    package init(
        id: Int64, broadcast: Broadcast, publisher: String, key: String?, json: [UInt8]?, everybody: String?,
        afterInbox: Int64, lastInbox: Int64, isDamaged: Bool
    ) {
        (self.id, self.broadcast, self.publisher, self.key, self.json) = (id, broadcast, publisher, key, json)
        (self.everybody, self.afterInbox, self.lastInbox) = (everybody, afterInbox, lastInbox)
        self.isDamaged = isDamaged
    }

    /// The event with some of its recipients.
    package func event(to recipients: [Event.RecipientList]) throws -> Event {
        guard let json else { throw DamagedRow(table: "broadcast") }
        // An event that has expired since it came is still a notification.
        var event = try json.withUnsafeBytes { try Event(stored: JSONNode(parsing: $0)) }
        event.to = recipients
        return event
    }
}
