package import Inbox

/// What a ``SQLiteStore`` needs to know beside its folder.
package struct SQLiteStoreOptions: Sendable {
    /// Draws the random id of a new inbox or feed; never empty.
    package var makeEpoch: @Sendable () -> String
    /// Whether the user has a session at this moment, or may have one that nobody can know of yet; asked on the store's
    /// queue, for each recipient: must not block.
    package var isLive: @Sendable (UserID) -> Bool
    /// Whether the user has a session at this moment, as the trail tells; asked likewise.
    package var isConnected: @Sendable (UserID) -> Bool

    /// The process' clock, by which waiting goes; nil where that is what callers say.
    package var clock: (@Sendable () -> Timestamp)?

    /// How long a push of policy `fallback` waits for an acknowledgement.
    package var grace = Duration.seconds(4)
    /// How long an acknowledgement waits for another write to come along with. Far shorter than ``grace`` by default,
    /// so that a crash meanwhile hardly ever costs a push.
    package var acknowledgementDelay = Duration.milliseconds(20)
    /// How long acknowledgements that could not be written wait to be tried again. No push is handed out before.
    package var acknowledgementRetry = Duration.seconds(1)
    /// How long after its notification a push may still be sent.
    package var pushExpiry = Duration.seconds(24 * 3_600)
    /// How long a push that only corrects the number on an app's icon waits for more to correct: reading ten
    /// notifications one by one costs one push.
    package var badgeDelay = Duration.seconds(3)
    /// How long an idempotency key is remembered.
    package var keyLifetime = Duration.seconds(24 * 3_600)

    /// How long decisions are kept. Who got an event with a key is kept for as long as one of its notifications is
    /// there.
    package var trailLifetime = Duration.seconds(7 * 24 * 3_600)

    /// How many changes back a client can resume.
    package var changeLogLength: Int64 = 1_000
    /// How many notifications a client gets that has to start anew.
    package var firstPageLength = 20

    /// The least time from the beginning of one commit to that of the next, unless much waits; zero: none.
    package var commitInterval = Duration.zero
    /// How many rows one commit may hold: about ten milliseconds of writing, so that nobody waits long for a group.
    package var rowsPerCommit = 1_000
    /// An event for more people than this reaches them so many at a time, each page a write of its own.
    package var recipientsPerPage = 640
    /// A dry run of an event for many is tried on so many of them: about a second of the writer's time, in pages.
    package var rehearsedRecipients = 100_000
    /// How many members of a topic change in one commit, or are looked at.
    package var membersPerStep = 1_000
    /// How many rows of one kind go in one commit when a person is erased, or an inbox holds too much.
    package var erasuresPerStep = 500
    /// How many inboxes are looked at in one read for what is too old.
    package var inboxesPerLook = 1_000
    /// How many notifications an inbox keeps, the newest ones; 0 for all.
    package var maximumRows: Int64 = 10_000
    /// Whether all is seen that an inbox holds when some of it is read by its ids or its group.
    package var readCountsAsLook = false
    /// How many devices the store takes in. The queue of pushes has no names for more than 2^29 - 1, which is the limit
    /// anyway.
    package var maximumDevices = Int64.max
    /// So many notifications of a device are known to be on its screen, the newest ones: about 12 kB of marks.
    package var marksKept = 1_000
    /// How many devices are forgotten in one commit, each with its pushes.
    package var devicesPerStep = 50
    /// From how many recipients an event is taken back in one commit.
    package var retractionsPerStep = 500
    /// How many rows of the trail are looked at in one read for those that name one person.
    package var trailRowsPerLook = 5_000
    /// Above so many rows that wait to be written, writes are refused: a few seconds of work.
    package var waitingRows = 200_000
    /// Above so many reads under way, reads are refused: more than a whole process's sessions that come back at once.
    package var waitingReads = 50_000
    package var readers = 4
    /// How long a write waits for another tool that holds the database, before all that wait with it are refused.
    package var lockTimeout = Duration.seconds(5)
    /// How long a full disk is not asked again whether the log can be copied to the database: as long as whoever was
    /// refused is told to wait.
    package var reliefPause = Duration.seconds(5)
    /// How many pages the writer's log may have at most before it is copied to the database; fewer on a small or a slow
    /// disk.
    package var longestLog = LogLength.mostPages
    /// How long a store that closes may take to copy its log to the database; what is left is done when it is opened
    /// again.
    package var closingTime = Duration.seconds(5)
    /// How many rows are counted for statistics before a reader is free again: a few milliseconds of reading.
    package var countedRowsPerStep = 5_000

    /// How many inboxes' counts the writer keeps in memory, about 150 bytes each.
    package var cachedInboxes = 50_000
    /// How many inboxes' positions are remembered for those who come back or poll, about 60 bytes each.
    package var rememberedInboxes = 100_000
    /// How many bytes their last changes may take; what a commit tells many in a few wordings is kept once for all.
    package var rememberedChangeBytes = 64 << 20
    /// How many contents stay in memory, about 1 KB each.
    package var cachedContents = 4_096

    /// How long the disk may miss what became of pushes, as ``UnsyncedCommits`` tells.
    package var syncDelay = Duration.milliseconds(50)
    /// How long nothing is written until the writer lets go of the pages it remembers.
    package var restDelay = Duration.seconds(10)
    /// So many bytes of pages are not worth it.
    package var pageBytesAtRest: Int32 = 256 << 10
    /// The writer has let go of its pages: freed memory may be given back to the system. On the writer's queue.
    package var onRelease: @Sendable () -> Void = {}

    /// Hears of each failure of the database, of ``StoreError/diskFull``, ``StoreError/failed(code:message:)`` and
    /// ``StoreError/damaged``, once for all writes that failed together; not of what is refused because damage was
    /// found before. On the store's queues: must not block.
    package var onFailure: @Sendable (StoreError) -> Void = { _ in }

    /// The store is an older version's, and is about to be brought up to date: told by whoever opens it. That takes as
    /// long as its tables are large.
    package var onMigration: @Sendable () -> Void = {}

    /// The log that an earlier process has left is damaged, and what was committed last is gone. Told by whoever opens
    /// the store.
    ///
    /// - Parameter since: when the newest event was taken in that is still there, if one is.
    package var onLostCommits: @Sendable (_ survey: LogSurvey, _ since: Timestamp?) -> Void = { _, _ in }

    /// The database's file is damaged, as SQLite's code and words say: all writes are refused from now on. Told once,
    /// on one of the store's queues, or by whoever opens the store.
    package var onDamage: @Sendable (_ code: Int, _ message: String) -> Void = { _, _ in }

    /// A row was found that does not hold what was written to it, and is left out from now on. Told once of each, of
    /// the first thousand, on one of the store's queues.
    package var onDamagedRow: @Sendable (DamagedRow) -> Void = { _ in }

    /// - Parameter isConnected: as ``isLive``, if it is left out.
    package init(
        makeEpoch: @escaping @Sendable () -> String, isLive: @escaping @Sendable (UserID) -> Bool,
        isConnected: (@Sendable (UserID) -> Bool)? = nil
    ) {
        self.makeEpoch = makeEpoch
        self.isLive = isLive
        self.isConnected = isConnected ?? isLive
    }
}
