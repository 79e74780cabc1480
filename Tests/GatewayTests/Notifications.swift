import Inbox
import Testing

func user(_ name: String) throws -> UserID { try #require(UserID(name)) }

extension Notification {
    /// A notification of inbox 1 that came at `seq`.
    static func at(_ seq: Int64, rev: Int64 = 1, isRead: Bool = false) -> Notification {
        let content = Content(
            type: "ROOM_LIKE", displayText: "pete liked \"Italy\"", body: Array(#""deepLink":{"type":"room"}"#.utf8),
            batch: nil, push: nil)
        return Notification(
            id: NotificationID(inbox: 1, sequence: seq), content: content, createdAt: .noon, rev: rev, seq: seq,
            isRead: isRead, isSeen: false)
    }
}
