import Deliveries
import Inbox

extension NotificationRecord {
    static let columns = "\(columnsBeforePlace), place"
    /// All but the ``place``, which follows them in whatever way it is found.
    static let columnsBeforePlace =
        "id, content, created_at, rev, seq, is_read, is_seen, unread_after, unseen_after, fresh, fresh_from"
    static let isReadColumn = 5
    static let placeColumn = 11

    /// - Parameter row: the ``columns``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        let (id, contentID, createdAt) = (row.count(0), row.count(1), row.time(2))
        let (rev, seq) = (row.count(3), row.count(4))
        let (isRead, isSeen) = (row.flag(Self.isReadColumn), row.flag(6))
        let (unreadAfter, unseenAfter) = (row.count(7), row.count(8))
        let fresh = FreshContent(count: row.count(9), from: row.optionalText(10))
        let place = row.count(Self.placeColumn)
        self.init(
            id: id, contentID: contentID, createdAt: createdAt, rev: rev, seq: seq, isRead: isRead, isSeen: isSeen,
            unreadAfter: unreadAfter, unseenAfter: unseenAfter, fresh: fresh, place: place, isDamaged: row.isDamaged)
    }

}
