package import Inbox
package import Push

/// The settings that every engine has for its rules. The rules take time and chance from here, never from the system.
package struct StoreOptions: Sendable {
    /// Gets the event that has made a notification or added to it; nil for a later step.
    package typealias TraceRule = @Sendable (_ event: String?, NotificationID) -> Bool

    /// Draws the random id of a new inbox or feed; never empty.
    package var makeEpoch: @Sendable () -> String
    /// Whether the user has a session now, or may have one that is not known yet. Called on the store's queue for each
    /// recipient: must not block.
    package var isLive: @Sendable (UserID) -> Bool
    /// Whether the user has a session now, for the trail. Called on the store's queue for each recipient: must not
    /// block.
    package var isConnected: @Sendable (UserID) -> Bool
    /// The process' clock, which rules waiting; nil to trust the callers' times.
    package var clock: (@Sendable () -> Timestamp)?
    /// The sum of the jumps that this clock has followed: what was dated earlier is off by what was added since. Nil for a
    /// clock that is never set.
    package var clockMoved: (@Sendable () -> Duration)?
    /// How long a push of policy `fallback` waits for an acknowledgement.
    package var grace = Duration.seconds(4)
    /// How long after its notification a push may still be sent.
    package var pushExpiry = Duration.seconds(24 * 3_600)
    /// How long a push that only corrects an icon's number waits for further corrections: reading ten notifications one
    /// by one costs one push.
    package var badgeDelay = Duration.seconds(3)
    /// How long an idempotency key is remembered.
    package var keyLifetime = Self.usualKeyLifetime
    package static let usualKeyLifetime = Duration.seconds(24 * 3_600)
    /// How long decisions are kept. The recipients of an event with a key are kept as long as one of its notifications
    /// exists.
    package var trailLifetime = Duration.seconds(7 * 24 * 3_600)
    /// How many missed changes a client can resume from.
    package var changeLogLength: Int64 = 1_000
    /// How many notifications a client gets when it starts anew.
    package var firstPageLength = 20
    /// How many rows one commit may hold: about ten milliseconds of writing, so that no write waits long for a group.
    package var rowsPerCommit = 1_000
    /// How many recipients one page of an event has; an event for more is delivered in several writes.
    package var recipientsPerPage = 640
    /// On how many recipients a dry run of an event for many is tried: about a second of the writer's time, in pages.
    package var rehearsedRecipients = 100_000
    /// How many rows of one kind one commit removes when a person is erased or an inbox is trimmed.
    package var erasuresPerStep = 500
    /// How many members of a topic are changed or looked at in one commit.
    package var membersPerStep = 1_000
    /// How many inboxes one read checks for rows that are too old.
    package var inboxesPerLook = 1_000
    /// How many devices one commit forgets, each with its pushes.
    package var devicesPerStep = 50
    /// From how many recipients one commit takes back an event.
    package var retractionsPerStep = 500
    /// How many rows of the trail one read searches for one person.
    package var trailRowsPerLook = 5_000
    /// How many notifications an inbox keeps, the newest ones; 0 for all.
    package var maximumRows: Int64 = 10_000
    /// Whether reading notifications by their ids or group marks everything in the inbox as seen.
    package var readCountsAsLook = false
    /// How many of the newest notifications on a device's screen are remembered: about 12 kB of marks.
    package var marksKept = 1_000
    /// Whether a notification's steps are traced; nil if none are. Called on the store's queue: must not block.
    package var isTraced: TraceRule?
    /// Who hears of what by webhooks; nil if nobody does.
    package var webhooks: WebhookRule?
    /// How many Live Activities a device begins within an hour: its system drops further starts (Apple Developer Forums,
    /// thread 799505).
    package var activityStartsPerHour = 10
    /// How many updates of Live Activities leave at high priority within an hour for one device; further ones leave at low
    /// priority.
    package var activityPressingPerHour = 15
    /// The providers of pushes. Stored rows of any other provider stay untouched.
    package var providers = ProviderList.standard

    /// - Parameter isConnected: `isLive` if omitted.
    package init(
        makeEpoch: @escaping @Sendable () -> String, isLive: @escaping @Sendable (UserID) -> Bool,
        isConnected: (@Sendable (UserID) -> Bool)? = nil
    ) {
        self.makeEpoch = makeEpoch
        self.isLive = isLive
        self.isConnected = isConnected ?? isLive
    }
}
