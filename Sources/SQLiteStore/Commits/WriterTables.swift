import Deliveries
import GRDB
import Store

/// The writer's statements, a group for each table, prepared once and used by all its transactions in turn.
///
/// Belongs to the writer's connection and its queue.
final class WriterTables {
    let damage: DamageWatch
    let transactions: TransactionStatements
    let inboxes: InboxTable
    let contents: ContentTable
    let contentSources: ContentSources
    let pushOnly: PushOnlyTable
    let notifications: NotificationTable
    let changes: ChangeTable
    let keys: KeyTable
    let devices: DeviceTable
    let waitingPushes = WaitingPushes()
    let pushJobs: PushJobTable
    let pushFolds: PushFoldTable
    let pushMarks: PushMarkTable
    let pushPaces: PushPaceTable
    let pushHolds: PushHoldTable
    let pushRenewals: PushRenewalTable
    let feeds: FeedTable
    let feedChanges: FeedChangeTable
    let feedMarks: FeedMarkTable
    let topics: TopicTable
    let broadcasts: BroadcastTable
    let erasures: ErasureTable
    let trail: TrailTables
    let webhooks: WebhookTable
    let questions: QuestionTable
    let activities: ActivityTable
    let revocations: RevocationTable
    /// Kept here, so that all transactions use its room in turn.
    let newRows: NewRows
    /// Empty, with the room of the last transaction's trail; an open transaction has taken it.
    var spareTrail = TrailRecorder()

    /// - Parameters:
    ///   - jobs: the connection's queue of pushes.
    ///   - damage: hears of rows that cannot be read.
    init(
        _ db: Database, options: SQLiteStoreOptions, contents cache: ContentCache, _ deviceRows: DeviceRowSearch,
        _ jobs: PushJobIndex, _ damage: DamageWatch
    ) throws {
        self.damage = damage
        transactions = try TransactionStatements(db, jobs)
        inboxes = try InboxTable(db, damage)
        contents = try ContentTable(db)
        pushOnly = try PushOnlyTable(db)
        notifications = try NotificationTable(db, pushOnly)
        contentSources = try ContentSources(db, damage)
        changes = try ChangeTable(db, length: options.changeLogLength)
        keys = try KeyTable(db, damage)
        devices = try DeviceTable(db, maximum: options.maximumDevices, deviceRows, options.providers, damage)
        let places = try QueuePlaces(db)
        pushJobs = try PushJobTable(db, waitingPushes, places, jobs, options.providers, damage)
        pushFolds = try PushFoldTable(db)
        pushMarks = try PushMarkTable(db, options.providers, damage)
        pushPaces = try PushPaceTable(db, damage)
        pushHolds = try PushHoldTable(db, places, jobs)
        pushRenewals = try PushRenewalTable(db, waitingPushes, places, jobs)
        feeds = try FeedTable(db, damage)
        feedChanges = try FeedChangeTable(db)
        feedMarks = try FeedMarkTable(db)
        topics = try TopicTable(db, damage)
        broadcasts = try BroadcastTable(db, damage)
        erasures = try ErasureTable(db, notifications)
        trail = try TrailTables(db, damage)
        webhooks = try WebhookTable(db, damage)
        questions = try QuestionTable(db, damage)
        activities = try ActivityTable(db, damage)
        revocations = try RevocationTable(db)
        newRows = NewRows(notifications, contents, contentSources, cache, damage)
    }
}
