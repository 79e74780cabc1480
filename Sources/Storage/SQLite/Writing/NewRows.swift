import Inbox

/// Notifications and contents that one transaction has brought up and not written yet: rows of a table that are written
/// together share statements, and a content's row is written once, with all its uses.
///
/// One transaction after the other uses it, and leaves nothing behind if it is committed. Belongs to the writer's
/// queue.
final class NewRows {
    /// In one value: each look at what may change in an object is checked.
    private struct Waiting {
        var notifications: [NotificationTable.NewRow] = []
        var contents: [NewContent] = []
        /// By how much the number of notifications that show a content has changed, of those that are written.
        var contentUses: [Int64: Int64] = [:]

        var isEmpty: Bool { notifications.isEmpty && contents.isEmpty && contentUses.isEmpty }

        mutating func add(_ row: NotificationTable.NewRow) {
            notifications.append(row)
            addUses(1, ofContent: row.record.contentID)
        }

        mutating func addUses(_ number: Int64, ofContent id: Int64) {
            // Mostly it is the one that has just come.
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
    private let damage: DamageWatch
    private var waiting = Waiting()
    /// What was asked for last: pushes of one event leave one after the other. Good for ever, as a number in the cache
    /// never means two contents.
    private var lastRead: (id: Int64, content: Content)?
    /// Few enough to be looked through.
    private static let maximumContents = 64

    init(
        _ notifications: NotificationTable, _ contents: ContentTable, _ cache: ContentCache, _ damage: DamageWatch
    ) {
        (notificationTable, contentTable, self.cache) = (notifications, contents, cache)
        self.damage = damage
        reader = ContentReader(contents, cache)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Writes all of them; to be called before the commit.
    func write() throws {
        try writeNotifications()
        // What a batch has outgrown gets no row, and nobody can ask for it.
        if waiting.contents.contains(where: { $0.uses <= 0 }) { waiting.contents.removeAll { $0.uses <= 0 } }
        try contentTable.insert(waiting.contents)
        cache.add(waiting.contents)
        waiting.contents.removeAll(keepingCapacity: true)
        guard !waiting.contentUses.isEmpty else { return }
        for (id, uses) in waiting.contentUses { try contentTable.addUses(uses, to: id) }
        waiting.contentUses.removeAll()
    }

    // MARK: Notifications

    /// A notification has come. Its row is written with others, and before anybody looks at rows of the table; it
    /// counts as a use of its content.
    func add(_ row: NotificationTable.NewRow) throws {
        waiting.add(row)
        if waiting.notifications.count == RowInsertion.mostRows { try writeNotifications() }
    }

    /// For whoever is about to look at the table itself.
    func writeNotifications() throws {
        guard !waiting.notifications.isEmpty else { return }
        try notificationTable.insert(waiting.notifications)
        waiting.notifications.removeAll(keepingCapacity: true)
    }

    /// Writes what waits if something of that inbox does, and returns whether it did: looking at one inbox is no reason
    /// to write others' rows one by one.
    func writeNotification(ofInbox inbox: Int64) throws -> Bool {
        guard waiting.notifications.contains(where: { $0.inbox == inbox }) else { return false }
        try writeNotifications()
        return true
    }

    // MARK: Contents

    /// Takes a content in, which nothing shows yet, and returns its row number.
    ///
    /// - Parameter actor: whose doing it tells of.
    func insert(_ content: Content, event: String, actor: String? = nil) throws -> Int64 {
        if waiting.contents.count >= Self.maximumContents { try writeContents() }
        let id = cache.makeID()
        waiting.contents.append(NewContent(id: id, content: content, event: event, actor: actor))
        return id
    }

    /// A content that is written, or new in this transaction; ``Content/unreadable`` for one that is damaged.
    func content(_ id: Int64) throws -> Content {
        if let lastRead, lastRead.id == id { return lastRead.content }
        let content = try waiting.contents.last { $0.id == id }?.content ?? stored(id)
        lastRead = (id, content)
        return content
    }

    private func stored(_ id: Int64) throws -> Content {
        try damage.sound(DamagedRow(table: "content", key: "\(id)")) { try reader.content(id) } ?? .unreadable
    }

    /// So many more notifications show a content, or fewer, beside those that are added.
    func addUses(_ number: Int64, ofContent id: Int64) { waiting.addUses(number, ofContent: id) }

    /// Writes the new contents before their time: for whoever is about to look at the table itself.
    func writeContents() throws {
        try contentTable.insert(waiting.contents)
        cache.add(waiting.contents)
        // It goes if nothing shows it in the end.
        for place in waiting.contents.indices where waiting.contents[place].uses <= 0 {
            waiting.contentUses[waiting.contents[place].id, default: 0] += 0
        }
        waiting.contents.removeAll(keepingCapacity: true)
    }
}
