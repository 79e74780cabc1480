import GRDB

/// Finds the contents of several notifications with one statement.
///
/// Belongs to the connection's queue.
struct ShownContents {
    /// How many notifications one call takes.
    private static let mostAtOnce = 16

    private let find: StatementsByCount

    init(_ db: Database) {
        find = StatementsByCount(db, most: Self.mostAtOnce) { count in
            // With CROSS JOIN, SQLite takes them one after the other.
            """
            WITH wanted (place, inbox, notification) AS (
                VALUES \((0..<count).map { "(\($0), ?, ?)" }.joined(separator: ", ")))
            SELECT wanted.place, content, rev FROM wanted CROSS JOIN notification
                ON notification.inbox = wanted.inbox AND notification.id = wanted.notification
            """
        }
    }

    /// Of each the row of its content and `rev`; nil for one that is gone.
    func contents(
        _ wanted: [(inbox: Int64, notification: Int64)]
    ) throws -> [(content: Int64, rev: Int64)?] {
        var contents = [(content: Int64, rev: Int64)?](repeating: nil, count: wanted.count)
        var start = 0
        while start < wanted.count {
            let some = wanted[start..<min(start + Self.mostAtOnce, wanted.count)]
            try find(some.count).forEach { arguments in
                for one in some {
                    arguments.append(one.inbox)
                    arguments.append(one.notification)
                }
            } _: { row in
                contents[start + Int(try row.int(0))] = (content: try row.int(1), rev: try row.int(2))
            }
            start = some.endIndex
        }
        return contents
    }
}
