package import Deliveries
package import Inbox
package import JSON
package import Push
package import Store

/// Everything that the reference engine keeps, as one value: a copy from before a transaction is its rollback.
package struct MemoryState {
    package struct Inbox {
        package let user: UserID
        package var state: InboxState
        package var devices: Int64 = 0
        package var person: Person?
        /// Whether a backend has said anything about the person.
        package var hasProfile = false
    }

    /// A notification, push-only ones included.
    package struct Row {
        package var record: NotificationRecord
        package var storedAt: Timestamp
        package var batchKey: String?
        package var group: Int64?
    }

    package struct StoredContent {
        package let content: Content
        package let source: ContentSource
        package var uses: Int64 = 0
    }

    package struct Change {
        package let inbox: Int64
        package let stamp: ChangeStamp
        package let change: LoggedChange
    }

    package struct Job {
        package var place: QueuePlace
        package let new: NewPushJob
        package var failures = 0
        package var expiry: Timestamp
        package var foldKey: String?
        package var fold: Int64?
        package var collapse: String?
        package var isShown = false
        package var shownAs: String?
        package var seq: Int64?
        package var heldFrom: Timestamp?
        package var content: Int64?
        package var withdrawn: [String]
    }

    package struct Pace: Hashable {
        package let inbox: Int64
        package let foldKey: String
    }

    package struct Topic {
        package var replacement: String?
        package var members: Set<Int64> = []
    }

    package struct Item {
        package let place: FeedTip.Place
        package let id: String?
        package let author: String?
        package var other: FeedTip.Place?
        package var json: [UInt8]
        package var tags: Set<ExactText> = []
    }

    package struct Feed {
        package let id: Int64
        package let epoch: String
        package var trimmed: Int64 = 0
        package var items: [Int64: Item] = [:]
        package var changes: [Int64: (time: Timestamp, change: FeedChange, id: String, tags: [String])] = [:]
        /// By inbox.
        package var marks: [Int64: Int64] = [:]
    }

    package struct KeptBroadcast {
        package var record: BroadcastRecord
        package var pages: [(id: Int64, recipients: JSONObject)] = []
        package var known: Set<Int64> = []
    }

    package struct TrailedEvent {
        package let place: TrailPlace
        package let head: TrailRecorder.Head
        package var use: KeyUse?
        package var verdicts: TrailVerdicts
        package var retracted = 0
        package var retractedAt: Timestamp?
        package var repeats: [Timestamp] = []
    }

    package struct StoredWebhook {
        package let endpoint: String
        package let inbox: Int64
        package let body: [UInt8]
        /// Nil for a dead letter.
        package var due: Timestamp?
        package var buriedAt: Timestamp?
        package var failures = 0
        package var reason = ""
    }

    package struct StoredActivity {
        package let activity: DeviceActivity
        package let inbox: Int64
        package let provider: Device.Provider
    }

    /// By number.
    package var inboxes: [Int64: Inbox] = [:]
    package var lastInbox: Int64 = 0
    package var notifications: [NotificationID: Row] = [:]
    package var pushOnly: [NotificationID: Row] = [:]
    package var contents: [Int64: StoredContent] = [:]
    package var lastContent: Int64 = 0
    package var changes: [Change] = []
    package var erased: Set<Int64> = []
    package var devices: [Int64: DeviceRecord] = [:]
    package var jobs: [PushJobNumber: Job] = [:]
    /// By device.
    package var marks: [Int64: [PushMark]] = [:]
    package var paces: [Pace: PushPace] = [:]
    /// By row; a name stands once.
    package var topics: [Int64: (name: String, topic: Topic)] = [:]
    package var feeds: [ExactText: Feed] = [:]
    package var broadcasts: [String: KeptBroadcast] = [:]
    package var lastPage: Int64 = 0
    package var events: [TrailedEvent] = []
    package var steps: [TrailRecorder.Step] = []
    package var clock: ClockReading?
    /// By id.
    package var webhooks: [String: StoredWebhook] = [:]
    package var questions: [NotificationID: OpenQuestion] = [:]
    /// By device.
    package var activityDevices: [Int64: ActivityDevice] = [:]
    package var activities: [ActivityPlace: StoredActivity] = [:]
    package var revocations: [UserID: Timestamp] = [:]
}
