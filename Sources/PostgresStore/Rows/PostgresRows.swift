package import Deliveries
import Postgres
package import Store

/// The rows of one transaction, in PostgreSQL. Belongs to its connection, and to the queue that this is on.
package final class PostgresRows: StoreRows {
    let connection: PostgresConnection
    /// How many missed changes a client can resume from.
    let changeLogLength: Int64
    /// How many devices there may be.
    let maximumDevices: Int64
    /// The contents that this transaction reads and makes, and the change of their uses.
    let transactionContents = TransactionContents()
    /// What this transaction does to the lines of devices.
    let transactionLines = TransactionLines()
    /// Where this process begins to look for due pushes.
    let fronts: QueueFronts

    /// - Parameter fronts: those of the process' writer; others hand out nothing.
    init(
        _ connection: PostgresConnection, changeLogLength: Int64, maximumDevices: Int64,
        fronts: QueueFronts = QueueFronts()
    ) {
        self.fronts = fronts
        self.connection = connection
        (self.changeLogLength, self.maximumDevices) = (changeLogLength, maximumDevices)
    }

    package var inboxes: any InboxRows { PostgresInboxes(self) }
    package var notifications: any NotificationRows { PostgresInboxList(self) }
    package var contents: any ContentRows { PostgresContents(self, transactionContents) }
    package var changes: any ChangeRows { PostgresChanges(self) }
    package var pushOnly: any PushOnlyRows { PostgresPushOnly(self) }
    package var erasures: any ErasureRows {
        get throws {
            // They ask how often contents are used.
            try transactionContents.write(on: connection)
            return PostgresErasures(self)
        }
    }
    package var keys: any KeyRows { PostgresKeys(self) }
    package var trail: any TrailRows { PostgresTrail(self) }
    package var broadcasts: any BroadcastRows { PostgresBroadcasts(self) }
    package var devices: any DeviceRows { PostgresDevices(self) }
    package var topics: any TopicRows { PostgresTopics(self) }
    package var pushJobs: any PushJobRows { PostgresPushJobs(self) }
    package var pushTurns: any PushTurnRows { PostgresPushTurns(self) }
    package var pushFolds: any PushFoldRows { PostgresPushFolds(self) }
    package var pushHolds: any PushHoldRows { PostgresPushHolds(self) }
    package var pushRenewals: any PushRenewalRows { PostgresPushRenewals(self) }
    package var pushMarks: any PushMarkRows { PostgresPushMarks(self) }
    package var pushPaces: any PushPaceRows { PostgresPushPaces(self) }
    package var feeds: any FeedRows { PostgresFeeds(self) }
    package var feedChanges: any FeedChangeRows { PostgresFeedChanges(self) }
    package var feedMarks: any FeedMarkRows { PostgresFeedMarks(self) }

    package var fetchesTogether: Bool { true }
    /// Facts that a network makes dear are fetched one by one for now.
    package func expect(_ facts: ExpectedFacts) {}

    /// Sees that all that was queued has been done: a failure is this transaction's.
    package func flush() throws {
        try transactionContents.write(on: connection)
        try connection.settle()
    }
    package func tryWriting() throws { try connection.run("SELECT pg_current_xact_id()") }
    package func write(_ reading: ClockReading) throws {
        try connection.queue(
            """
            INSERT INTO clock (id, boot, "offset") VALUES (1, $1, $2)
            ON CONFLICT (id) DO UPDATE SET boot = excluded.boot, "offset" = excluded."offset"
            """,
            [.text(reading.boot), .int64(reading.offset)])
    }
}

/// Some of the protocols, on the connection of the rows.
class PostgresPart {
    let rows: PostgresRows
    var connection: PostgresConnection { rows.connection }

    init(_ rows: PostgresRows) { self.rows = rows }
}
