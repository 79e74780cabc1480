package import Deliveries
import Inbox
package import Store

/// The obvious engine: it looks through all of its rows for each answer. What it answers, any engine has to answer.
package final class MemoryRows: StoreRows {
    package var state = MemoryState()
    /// Of the process, from one transaction to the next.
    lazy var turns = PushTurnsInMemory(PushMemory(), MemoryPushes(self))
    /// How many missed changes a client can resume from.
    let changeLogLength: Int64
    /// How many devices there may be.
    let maximumDevices: Int64
    /// Begins the epochs of all feeds.
    let epoch: String
    /// Whether a person has sessions at other nodes, as of the transaction.
    var isLiveElsewhere: (UserID) -> Bool = { _ in false }

    package init(epoch: String, changeLogLength: Int64 = 1_000, maximumDevices: Int64 = .max) {
        (self.epoch, self.changeLogLength, self.maximumDevices) = (epoch, changeLogLength, maximumDevices)
    }

    package var inboxes: any InboxRows { MemoryInboxes(self) }
    package var notifications: any NotificationRows { MemoryInboxes(self) }
    package var contents: any ContentRows { MemoryInboxes(self) }
    package var changes: any ChangeRows { MemoryInboxes(self) }
    package var pushOnly: any PushOnlyRows { MemoryPushOnly(self) }
    package var erasures: any ErasureRows { MemoryErasures(self) }
    package var keys: any KeyRows { MemoryTrail(self) }
    package var trail: any TrailRows { MemoryTrail(self) }
    package var broadcasts: any BroadcastRows { MemoryTrail(self) }
    package var devices: any DeviceRows { MemoryPeople(self) }
    package var topics: any TopicRows { MemoryPeople(self) }
    package var pushJobs: any PushJobRows { MemoryPushes(self) }
    package var pushTurns: any PushTurnRows { turns }
    package var pushFolds: any PushFoldRows { MemoryPushes(self) }
    package var pushHolds: any PushHoldRows { MemoryPushes(self) }
    package var pushRenewals: any PushRenewalRows { MemoryPushes(self) }
    package var pushMarks: any PushMarkRows { MemoryPushes(self) }
    package var pushPaces: any PushPaceRows { MemoryPushes(self) }
    package var feeds: any FeedRows { MemoryFeeds(self) }
    package var feedChanges: any FeedChangeRows { MemoryFeeds(self) }
    package var feedMarks: any FeedMarkRows { MemoryFeeds(self) }
    package var webhooks: any WebhookRows { MemoryWebhooks(self) }
    package var questions: any QuestionRows { MemoryQuestions(self) }
    package var activities: any ActivityRows { MemoryActivities(self) }
    package var revocations: any RevocationRows { MemoryPeople(self) }

    package var fetchesTogether: Bool { false }
    package func expect(_ facts: ExpectedFacts) {}
    package func flush() { state.contents = state.contents.filter { $0.value.uses > 0 } }
    package func tryWriting() {}
    package func write(_ reading: ClockReading) { state.clock = reading }
}

/// Some of the protocols, on the state of the rows.
class MemoryPart {
    let memory: MemoryRows

    var state: MemoryState {
        get { memory.state }
        _modify { yield &memory.state }
    }

    init(_ memory: MemoryRows) { self.memory = memory }
}
