package import Deliveries
import Inbox
package import Postgres
package import Store

/// The rows of one transaction, in PostgreSQL. Belongs to its connection, and to the queue that this is on.
package final class PostgresRows: StoreRows {
    let connection: PostgresConnection
    /// How many missed changes a client can resume from.
    let changeLogLength: Int64
    /// How many devices there may be.
    let maximumDevices: Int64
    /// The node's number; 0 where nothing is written.
    let node: Int64
    /// The contents that this transaction reads and makes, and the change of their uses.
    let transactionContents = TransactionContents()
    let contentNumbers: ContentNumbers
    let facts = TransactionFacts()
    let gathered: GatheredRows
    /// What this transaction does to the lines of devices.
    let transactionLines = TransactionLines()
    let gatheredJobs = GatheredJobs()
    /// Where this process begins to look for due pushes.
    let fronts: QueueFronts
    private let makeEpoch: () -> String

    /// Those of one snapshot: nothing is written.
    package convenience init(
        _ connection: PostgresConnection, changeLogLength: Int64, maximumDevices: Int64, node: Int64
    ) {
        self.init(
            connection, changeLogLength: changeLogLength, maximumDevices: maximumDevices, node: node,
            contentNumbers: ContentNumbers(), fronts: QueueFronts(), makeEpoch: { "" })
    }

    /// - Parameters:
    ///   - fronts: those of the process' writer.
    ///   - makeEpoch: draws the random id of a new inbox.
    init(
        _ connection: PostgresConnection, changeLogLength: Int64, maximumDevices: Int64, node: Int64,
        contentNumbers: ContentNumbers, fronts: QueueFronts, makeEpoch: @escaping () -> String
    ) {
        self.fronts = fronts
        self.connection = connection
        self.node = node
        (self.changeLogLength, self.maximumDevices) = (changeLogLength, maximumDevices)
        (self.contentNumbers, self.makeEpoch) = (contentNumbers, makeEpoch)
        gathered = GatheredRows(connection)
    }

    package var inboxes: any InboxRows { PostgresInboxes(self) }
    package var notifications: any NotificationRows { PostgresInboxList(self) }
    package var contents: any ContentRows { PostgresContents(self, transactionContents) }
    package var changes: any ChangeRows { PostgresChanges(self) }
    package var pushOnly: any PushOnlyRows { PostgresPushOnly(self) }
    package var erasures: any ErasureRows {
        get throws {
            // They read and delete whole inboxes, and ask how often contents are used.
            try gathered.write()
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
    package var webhooks: any WebhookRows { PostgresWebhooks(self) }
    package var questions: any QuestionRows { PostgresQuestions(self) }
    package var activities: any ActivityRows { PostgresActivities(self) }
    package var revocations: any RevocationRows { PostgresRevocations(self) }

    package var fetchesTogether: Bool { true }

    package func expect(_ expected: ExpectedFacts) throws {
        switch expected {
        case .recipients(let users):
            try fetch(users)
            let newcomers = users.filter { facts.isWithoutInbox($0) }
            if !newcomers.isEmpty { try create(newcomers) }
        case .people(let users): try fetch(users)
        case .openBatches(let batches): try contentRows.fetch(batches)
        case .owners(let inboxes): try fetch(PostgresInboxes(self).owners(of: inboxes))
        case .notifications(let ids):
            try contentRows.fetch(PostgresInboxList(self).fetch(ids.filter { !PushOnlyNumber.isOne($0.sequence) }))
        case .devices(let numbers): try fetch(PostgresDevices(self).fetch(rows: numbers))
        case .waitingPushes(let users):
            let inboxes = try fetch(users)
            try PostgresPushJobs(self).findWaiting(inboxes: inboxes)
            try PostgresPushTurns(self).findRenewing(inboxes: inboxes)
        }
    }

    private var contentRows: PostgresContents { PostgresContents(self, transactionContents) }

    /// Fetches what is not known yet of these people: their inboxes, and their devices.
    /// - Returns: the inboxes with devices.
    @discardableResult
    private func fetch(_ users: [UserID]) throws -> [Int64] {
        let unknown = Set(users.filter { facts.inbox(of: $0) == nil })
        if !unknown.isEmpty { try PostgresInboxes(self).fetch(Array(unknown)) }
        let equipped = Set(users.compactMap { facts.inbox(of: $0) ?? nil }.filter { $0.devices > 0 }.map(\.id))
        let unasked = equipped.filter { facts.devices(inbox: $0) == nil }
        if !unasked.isEmpty { try PostgresDevices(self).fetch(inboxes: Array(unasked)) }
        return Array(equipped)
    }

    private func create(_ users: [UserID]) throws {
        var named: Set<UserID> = []
        let new = users.filter { named.insert($0).inserted }.map { (user: $0, epoch: makeEpoch()) }
        try PostgresInboxes(self).create(new)
    }

    /// Writes the pushes that were gathered, and notes where they wait.
    func writeJobs() throws {
        if gatheredJobs.isEmpty { return }
        let turns = PostgresPushTurns(self)
        for (place, provider) in try gatheredJobs.write(on: connection) { turns.added(place, provider) }
    }

    /// Leaves waiting for the answers to the commit: a failure is this transaction's.
    package func flush() throws {
        try gathered.write()
        try transactionContents.write(on: connection)
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
    /// The connection for statements about `push_job`.
    var written: PostgresConnection {
        get throws {
            try rows.writeJobs()
            return rows.connection
        }
    }

    init(_ rows: PostgresRows) { self.rows = rows }
}
