import Inbox
package import Store

/// The facts and changes of one transaction: an engine provides them, and the rules decide.
///
/// A fact includes the transaction's own changes so far. An ``EngineFailure`` makes the transaction worthless. All
/// members belong to one transaction at a time, and to the queue that it runs on.
package protocol StoreRows: AnyObject {
    var inboxes: any InboxRows { get }
    var notifications: any NotificationRows { get throws }
    var contents: any ContentRows { get }
    var pushOnly: any PushOnlyRows { get }
    var changes: any ChangeRows { get }
    var keys: any KeyRows { get }
    var devices: any DeviceRows { get }
    var pushJobs: any PushJobRows { get }
    var pushTurns: any PushTurnRows { get }
    var pushFolds: any PushFoldRows { get }
    var pushHolds: any PushHoldRows { get }
    var pushRenewals: any PushRenewalRows { get }
    var pushMarks: any PushMarkRows { get }
    var pushPaces: any PushPaceRows { get }
    var feeds: any FeedRows { get }
    var feedChanges: any FeedChangeRows { get }
    var feedMarks: any FeedMarkRows { get }
    var topics: any TopicRows { get }
    var broadcasts: any BroadcastRows { get }
    var erasures: any ErasureRows { get throws }
    var trail: any TrailRows { get }
    var revocations: any RevocationRows { get }
    var webhooks: any WebhookRows { get }
    var questions: any QuestionRows { get }
    var activities: any ActivityRows { get }

    /// Whether announced facts are fetched together. False for an engine that has its rows at hand.
    var fetchesTogether: Bool { get }
    /// Announces facts that the rules are about to ask for. The engine finds an unannounced fact, too, by itself.
    func expect(_ facts: ExpectedFacts) throws

    /// Writes what was gathered so far; to be called before the commit.
    func flush() throws
    /// Writes something that changes nothing: it throws if nothing can be written.
    func tryWriting() throws
    /// Keeps how the clock of the process stands.
    func write(_ reading: ClockReading) throws
}
