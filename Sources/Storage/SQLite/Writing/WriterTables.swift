import GRDB

/// The writer's statements, a group for each table, prepared once and used by one transaction after the other.
///
/// Belongs to the writer's connection and its queue.
final class WriterTables {
    let damage: DamageWatch
    let transactions: TransactionStatements
    let inboxes: InboxTable
    let contents: ContentTable
    let notifications: NotificationTable
    let changes: ChangeTable
    let keys: KeyTable
    let devices: DeviceTable
    let waitingPushes = WaitingPushes()
    let pushJobs: PushJobTable
    let pushJobRuns: PushJobRuns
    let pushFolds: PushFoldTable
    let pushMarks: PushMarkTable
    let pushPaces: PushPaceTable
    let pushHolds: PushHoldTable
    let shownContents: ShownContents
    let pushRenewals: PushRenewalTable
    let settings: SettingsTable
    let feeds: FeedTable
    let feedChanges: FeedChangeTable
    let feedMarks: FeedMarkTable
    let topics: TopicTable
    let broadcasts: BroadcastTable
    let erasures: ErasureTable
    let trail: TrailTables
    /// Here, so that one transaction after the other has its room.
    let newRows: NewRows
    /// Empty, with the room that the last transaction's trail took; an open transaction has it out.
    var spareTrail = TrailRecorder()

    /// - Parameters:
    ///   - syncing: of the connection's log.
    ///   - jobs: of the connection's queue of pushes.
    ///   - damage: hears of rows that cannot be read.
    init(
        _ db: Database, options: SQLiteStoreOptions, contents cache: ContentCache, _ deviceRows: DeviceRowSearch,
        _ syncing: LogSyncing, _ jobs: PushJobIndex, _ damage: DamageWatch
    ) throws {
        self.damage = damage
        transactions = try TransactionStatements(db, syncing, jobs)
        inboxes = try InboxTable(db, damage)
        contents = try ContentTable(db)
        notifications = try NotificationTable(db)
        changes = try ChangeTable(db, length: options.changeLogLength)
        keys = try KeyTable(db)
        devices = try DeviceTable(db, maximum: options.maximumDevices, deviceRows, damage)
        let places = try QueuePlaces(db)
        pushJobs = try PushJobTable(db, waitingPushes, places, jobs, damage)
        pushJobRuns = try PushJobRuns(db, waitingPushes, jobs)
        pushFolds = try PushFoldTable(db)
        pushMarks = try PushMarkTable(db, damage)
        pushPaces = try PushPaceTable(db)
        pushHolds = try PushHoldTable(db, places, jobs)
        pushRenewals = try PushRenewalTable(db, waitingPushes, places, jobs, pushMarks)
        shownContents = ShownContents(db)
        settings = try SettingsTable(db)
        feeds = try FeedTable(db)
        feedChanges = try FeedChangeTable(db)
        feedMarks = try FeedMarkTable(db)
        topics = try TopicTable(db, damage)
        broadcasts = try BroadcastTable(db, damage)
        erasures = try ErasureTable(db)
        trail = try TrailTables(db, damage)
        newRows = NewRows(notifications, contents, cache, damage)
    }
}
