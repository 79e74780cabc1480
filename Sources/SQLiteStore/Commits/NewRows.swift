import Deliveries
import Inbox
import Store

/// Notifications and contents that one transaction made and has not written yet. Rows of a table that are written
/// together share statements, and a content's row is written once, with all its uses.
///
/// Each transaction uses it after the other; a committed one leaves it empty. Belongs to the writer's queue.
final class NewRows: ContentRows {
    /// One value, as Swift checks each access to an object's variable.
    private struct Waiting {
        var notifications: [NewNotification] = []
        var contents: [NewContent] = []
        /// By how much the uses of contents that are already written have changed.
        var contentUses: [Int64: Int64] = [:]

        var isEmpty: Bool { notifications.isEmpty && contents.isEmpty && contentUses.isEmpty }

        mutating func add(_ row: NewNotification) {
            notifications.append(row)
            addUses(1, ofContent: row.record.contentID)
        }

        mutating func addUses(_ number: Int64, ofContent id: Int64) {
            // Mostly it is the newest one.
            if let place = contents.lastIndex(where: { $0.id == id }) {
                contents[place].uses += number
            } else {
                contentUses[id, default: 0] += number
            }
        }
    }

    private let notificationTable: NotificationTable
    private let contentTable: ContentTable
    private let cache: ContentCache
    private let reader: ContentReader
    private let sources: ContentSources
    private let damage: DamageWatch
    private var waiting = Waiting()
    /// Asked for last: pushes of one event leave one after the other. Never stale, as a number in the cache never means
    /// two contents.
    private var lastRead: (id: Int64, content: Content)?
    /// Few enough for a linear search.
    private static let maximumContents = 64

    init(
        _ notifications: NotificationTable, _ contents: ContentTable, _ sources: ContentSources, _ cache: ContentCache,
        _ damage: DamageWatch
    ) {
        (notificationTable, contentTable, self.cache) = (notifications, contents, cache)
        (self.sources, self.damage) = (sources, damage)
        reader = ContentReader(contents, cache)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Writes everything; to be called before the commit.
    func write() throws {
        try writeNotifications()
        // A content that its batch has outgrown gets no row: nothing can ask for it.
        if waiting.contents.contains(where: { $0.uses <= 0 }) { waiting.contents.removeAll { $0.uses <= 0 } }
        try contentTable.insert(waiting.contents)
        cache.add(waiting.contents)
        waiting.contents.removeAll(keepingCapacity: true)
        guard !waiting.contentUses.isEmpty else { return }
        for (id, uses) in waiting.contentUses { try contentTable.addUses(uses, to: id) }
        waiting.contentUses.removeAll()
    }

    // MARK: Notifications

    /// Adds a notification, which counts as a use of its content. Its row is written with others, before anything reads
    /// the table.
    func add(_ row: NewNotification) throws {
        waiting.add(row)
        if waiting.notifications.count == RowInsertion.mostRows { try writeNotifications() }
    }

    /// To be called before anything reads the table itself.
    func writeNotifications() throws {
        guard !waiting.notifications.isEmpty else { return }
        try notificationTable.insert(waiting.notifications)
        waiting.notifications.removeAll(keepingCapacity: true)
    }

    /// Writes what waits, but only if something of that inbox does: rows are written together, not one by one.
    /// - Returns: whether it wrote them.
    func writeNotification(ofInbox inbox: Int64) throws -> Bool {
        guard waiting.notifications.contains(where: { $0.inbox == inbox }) else { return false }
        try writeNotifications()
        return true
    }

    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        _ = try writeNotification(ofInbox: inbox)
        return try notificationTable.openBatch(inbox: inbox, key: key)
    }

    func highest(
        _ limit: Int, of type: String, by actor: String, inbox: Int64, window: Int
    ) throws -> [NotificationRecord] {
        try writeNotifications()
        try writeContents()
        return try notificationTable.highest(limit, of: type, by: actor, inbox: inbox, window: window)
    }

    // MARK: Contents

    /// Takes in a content that nothing shows yet, and returns its row number.
    ///
    /// - Parameter actor: whose deed it tells of.
    func insert(_ content: Content, event: String, actor: String?) throws -> Int64 {
        if waiting.contents.count >= Self.maximumContents { try writeContents() }
        let id = cache.makeID()
        waiting.contents.append(NewContent(id: id, content: content, event: event, actor: actor))
        return id
    }

    /// A content, written or new in this transaction; ``Content/unreadable`` for a damaged one.
    func content(_ id: Int64) throws -> Content {
        if let lastRead, lastRead.id == id { return lastRead.content }
        let content = try waiting.contents.last { $0.id == id }?.content ?? stored(id)
        lastRead = (id, content)
        return content
    }

    func source(ofContent id: Int64) throws -> ContentSource? {
        if let new = waiting.contents.last(where: { $0.id == id }) {
            return ContentSource(event: new.event, actor: new.actor)
        }
        return try sources.source(ofContent: id)
    }

    private func stored(_ id: Int64) throws -> Content {
        try damage.sound(DamagedRow(table: "content", key: "\(id)")) { try reader.content(id) } ?? .unreadable
    }

    /// Changes by `number` how many notifications show a content, beside those that are added.
    func addUses(_ number: Int64, ofContent id: Int64) { waiting.addUses(number, ofContent: id) }

    /// Writes the new contents early; to be called before anything reads the table itself.
    func writeContents() throws {
        try contentTable.insert(waiting.contents)
        cache.add(waiting.contents)
        // Listed so that a content that nothing shows in the end is deleted.
        for place in waiting.contents.indices where waiting.contents[place].uses <= 0 {
            waiting.contentUses[waiting.contents[place].id, default: 0] += 0
        }
        waiting.contents.removeAll(keepingCapacity: true)
    }
}
