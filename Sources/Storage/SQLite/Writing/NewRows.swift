import Inbox

/// Notifications and contents that one transaction has brought up and not written yet: rows of a table that are written
/// together share statements, and a content's row is written once, with all its uses.
///
/// Belongs to the writer's queue.
final class NewRows {
    private let tables: WriterTables
    private let cache: ContentCache
    private let reader: ContentReader
    private var notifications: [NotificationTable.NewRow] = []
    private var contents: [NewContent] = []
    /// Few enough to be looked through.
    private static let maximumContents = 64
    /// By how much the number of notifications that show a content has changed, of those that are written.
    private var contentUses: [Int64: Int64] = [:]

    init(_ tables: WriterTables, _ cache: ContentCache) {
        (self.tables, self.cache) = (tables, cache)
        reader = ContentReader(tables.contents, cache)
    }

    /// Writes all of them; to be called before the commit.
    func write() throws {
        try writeNotifications()
        let areAllUsed = contents.allSatisfy { $0.uses > 0 }
        try tables.contents.insert(areAllUsed ? contents : contents.filter { $0.uses > 0 })
        contents.removeAll()
        for (id, uses) in contentUses { try tables.contents.addUses(uses, to: id) }
        contentUses.removeAll()
    }

    // MARK: Notifications

    /// A notification has come. Its row is written with others, and before anybody looks at rows of the table.
    func add(_ row: NotificationTable.NewRow) throws {
        notifications.append(row)
        if notifications.count == RowInsertion.mostRows { try writeNotifications() }
    }

    /// For whoever is about to look at the table itself.
    func writeNotifications() throws {
        guard !notifications.isEmpty else { return }
        try tables.notifications.insert(notifications)
        notifications.removeAll(keepingCapacity: true)
    }

    /// Writes what waits if something of that inbox does, and returns whether it did: looking at one inbox is no reason to
    /// write others' rows one by one.
    func writeNotification(ofInbox inbox: Int64) throws -> Bool {
        guard notifications.contains(where: { $0.inbox == inbox }) else { return false }
        try writeNotifications()
        return true
    }

    // MARK: Contents

    /// Takes a content in, which nothing shows yet, and returns its row number.
    ///
    /// - Parameter actor: whose doing it tells of.
    func insert(_ content: Content, event: String, actor: String? = nil) throws -> Int64 {
        if contents.count >= Self.maximumContents { try writeContents() }
        let id = cache.reserveID()
        cache.keep(content, as: id)
        contents.append(NewContent(id: id, content: content, event: event, actor: actor))
        return id
    }

    /// A content that is written, or new in this transaction.
    func content(_ id: Int64) throws -> Content {
        try contents.last { $0.id == id }?.content ?? reader.content(id)
    }

    func addUses(_ number: Int64, ofContent id: Int64) {
        // Mostly it is the one that has just come.
        if let place = contents.lastIndex(where: { $0.id == id }) {
            contents[place].uses += number
        } else {
            contentUses[id, default: 0] += number
        }
    }

    /// Writes the new contents before their time: for whoever is about to look at the table itself.
    func writeContents() throws {
        try tables.contents.insert(contents)
        // It goes if nothing shows it in the end.
        for content in contents { contentUses[content.id, default: 0] += 0 }
        contents.removeAll(keepingCapacity: true)
    }
}
