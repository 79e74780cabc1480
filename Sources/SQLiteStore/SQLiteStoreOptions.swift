package import Inbox
import Push
package import Store

/// The settings of a ``SQLiteStore`` beside its folder. The settings of the rules are members of it, too.
@dynamicMemberLookup
package struct SQLiteStoreOptions: Sendable {

    /// How long an acknowledgement waits to be written along with another write. Far shorter than ``grace`` by default,
    /// so that a crash meanwhile hardly ever costs a push.
    package var acknowledgementDelay = Duration.milliseconds(20)
    /// How long acknowledgements that could not be written wait for another try. No push is handed out before that.
    package var acknowledgementRetry = Duration.seconds(1)

    /// The least time between the beginnings of two commits, unless much waits; zero for none.
    package var commitInterval = Duration.zero
    /// How many devices the store takes in. The queue of pushes has no numbers for more than 2^29 - 1, which limits it
    /// anyway.
    package var maximumDevices = Int64.max
    /// With more rows than this waiting, writes are refused: a few seconds of work.
    package var waitingRows = 200_000
    /// With more reads than this under way, reads are refused: more than all sessions of a process that come back at
    /// once.
    package var waitingReads = 50_000
    package var readers = 4
    /// How long a write waits for another tool that holds the database, before it and its group are refused.
    package var lockTimeout = Duration.seconds(5)
    /// How long a full disk is left alone before emptying the log is tried again: as long as refused publishers are
    /// told to wait.
    package var reliefPause = Duration.seconds(5)
    /// How many pages the writer's log may have before it is copied to the database; fewer on a small or slow disk.
    package var longestLog = LogLength.mostPages
    /// How long a closing store may take to copy its log to the database; the next opening copies the rest.
    package var closingTime = Duration.seconds(5)
    /// How many rows one step of the statistics counts: a few milliseconds of a reader's time.
    package var countedRowsPerStep = 5_000

    /// How many inboxes' counts the writer keeps in memory, about 150 bytes each.
    package var cachedInboxes = 50_000
    /// How many inboxes' positions are remembered for clients that come back or poll, about 60 bytes each.
    package var rememberedInboxes = 100_000
    /// How many bytes their last changes may take; words that a commit sends to many are kept once.
    package var rememberedChangeBytes = 64 << 20
    /// How many contents stay in memory, about 1 KB each.
    package var cachedContents = 4_096

    /// After how long without a write the writer lets go of its cached pages.
    package var restDelay = Duration.seconds(10)
    /// How many bytes of pages the writer may keep at rest.
    package var pageBytesAtRest: Int32 = 256 << 10
    /// Called after the writer has let go of its pages: freed memory may go back to the system. On the writer's queue.
    package var onRelease: @Sendable () -> Void = {}

    /// Called for each failure of the database: ``StoreError/diskFull``, ``StoreError/failed(code:message:)`` and
    /// ``StoreError/damaged``, once for all writes that failed together. Not called for requests refused because of
    /// damage found earlier. On the store's queues: must not block.
    package var onFailure: @Sendable (StoreError) -> Void = { _ in }

    /// Called while the store is opened, before an older store is migrated. Migration takes as long as the tables are
    /// large.
    package var onMigration: @Sendable () -> Void = {}

    /// Called while the store is opened, if the log of an earlier process is damaged and its last commits are lost.
    ///
    /// - Parameter since: when the newest event that is left was taken in; nil without one.
    package var onLostCommits: @Sendable (_ survey: LogSurvey, _ since: Timestamp?) -> Void = { _, _ in }

    /// Called once when the database's file is found damaged, with SQLite's code and words: all writes are refused from
    /// now on. Runs on one of the store's queues, or while the store is opened.
    package var onDamage: @Sendable (_ code: Int, _ message: String) -> Void = { _, _ in }

    /// Called once for each of the first thousand rows that do not hold what was written; they are left out. Runs on
    /// one of the store's queues.
    package var onDamagedRow: @Sendable (DamagedRow) -> Void = { _ in }

    /// The settings of the rules.
    package var store: StoreOptions

    package subscript<Value>(dynamicMember member: WritableKeyPath<StoreOptions, Value>) -> Value {
        get { store[keyPath: member] }
        set { store[keyPath: member] = newValue }
    }

    /// - Parameter rules: the settings of the rules.
    package init(_ rules: StoreOptions) { store = rules }

    /// As ``StoreOptions``.
    package init(
        makeEpoch: @escaping @Sendable () -> String, isLive: @escaping @Sendable (UserID) -> Bool,
        isConnected: (@Sendable (UserID) -> Bool)? = nil
    ) {
        store = StoreOptions(makeEpoch: makeEpoch, isLive: isLive, isConnected: isConnected)
    }
}
