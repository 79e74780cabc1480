import GRDB
import Inbox

/// Finds waiting jobs by their places, several by one statement.
///
/// Belongs to the connection's queue.
struct PushJobLookup {
    /// So many jobs at once.
    static let mostJobs = 16

    /// What is looked for, and what is known of it.
    struct Wanted {
        let place: PushTurns.Place
        /// Whose job it is.
        let device: KnownDevice
        /// As this transaction has left it.
        let inbox: InboxRecord
    }

    private let find: StatementsByCount

    init(_ db: Database) {
        find = StatementsByCount(db, most: Self.mostJobs) { count in
            // The CROSS JOIN makes SQLite take them one after the other.
            """
            WITH wanted (job, inbox, notification) AS (
                VALUES \(Array(repeating: "(?, ?, ?)", count: count).joined(separator: ", ")))
            SELECT \(PushJobRecord.select), wanted.job
            FROM wanted CROSS JOIN push_job ON push_job.number = wanted.job AND available_at IS NOT NULL
                LEFT JOIN notification
                    ON notification.inbox = wanted.inbox AND notification.id = wanted.notification
            """
        }
    }

    /// - Parameter wanted: at least one and at most ``mostJobs``.
    /// - Returns: in their order; none of a job that does not wait any more.
    func records(_ wanted: [Wanted]) throws -> [PushJobRecord] {
        var found: [PushJobRecord] = []
        found.reserveCapacity(wanted.count)
        var next = 0
        try find(wanted.count).forEach { arguments in
            // By its place: one that is taken out is copied.
            for index in wanted.indices {
                arguments.append(wanted[index].place.number.rawValue)
                arguments.append(wanted[index].inbox.id)
                arguments.append(wanted[index].place.notification)
            }
        } _: { row in
            let number = try row.int(PushJobRecord.columns)
            while next < wanted.count, wanted[next].place.number.rawValue != number { next += 1 }
            guard next < wanted.count else { throw DamagedRow(table: "push_job") }
            let one = wanted[next]
            found.append(try PushJobRecord(row, at: one.place, one.device, one.inbox))
        }
        return found
    }
}
