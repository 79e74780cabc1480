import GRDB

/// Finds what notifications say, of several by one statement.
///
/// Belongs to the connection's queue.
struct ShownContents {
    /// So many notifications at once.
    static let mostNotifications = 16

    private let find: StatementsByCount

    init(_ db: Database) {
        find = StatementsByCount(db, most: Self.mostNotifications) { count in
            // The CROSS JOIN makes SQLite take them one after the other.
            """
            WITH wanted (place, inbox, notification) AS (
                VALUES \((0..<count).map { "(\($0), ?, ?)" }.joined(separator: ", ")))
            SELECT wanted.place, content, rev FROM wanted CROSS JOIN notification
                ON notification.inbox = wanted.inbox AND notification.id = wanted.notification
            """
        }
    }

    /// - Parameter wanted: ``mostNotifications`` at most.
    /// - Returns: of each the row of its content and `rev`; nil for one that is gone.
    func contents(
        _ wanted: [(inbox: Int64, notification: Int64)]
    ) throws -> [(content: Int64, rev: Int64)?] {
        var contents = [(content: Int64, rev: Int64)?](repeating: nil, count: wanted.count)
        guard !wanted.isEmpty else { return contents }
        try find(wanted.count).forEach { arguments in
            for one in wanted {
                arguments.append(one.inbox)
                arguments.append(one.notification)
            }
        } _: { row in
            contents[Int(try row.int(0))] = (content: try row.int(1), rev: try row.int(2))
        }
        return contents
    }
}
