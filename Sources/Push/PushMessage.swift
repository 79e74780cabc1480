package import Inbox

/// One push to one device, before a provider's format.
package struct PushMessage: Sendable, Hashable {
    /// The inbox's position when the job was handed out: an app that has this position already is in sync.
    package struct Position: Sendable, Hashable {
        package let epoch: String
        package let seq: Int64

        package init(epoch: String, seq: Int64) {
            self.epoch = epoch
            self.seq = seq
        }
    }

    /// The pushes of one group on a device's screen, including this one.
    package struct Group: Sendable, Hashable {
        /// The number of notifications they stand for.
        package let count: Int
        /// Their text as one line: "3 new round requests".
        package let text: String

        package init(count: Int, text: String) {
            self.count = count
            self.text = text
        }
    }

    /// The content to show; for a fold, that of the newest notification. Nil for a push that only sets the badge and
    /// withdraws notifications.
    package var content: PushContent? {
        get { shared?.content }
        set { shared = newValue.map(SharedPushContent.init) }
    }
    /// The ``content`` without a copy.
    package private(set) var shared: SharedPushContent?
    /// The number of notifications the push stands for; for more than one, the content's summary is shown, if any.
    package var count: Int
    /// The number of people who caused them; nil if the summary does not show it.
    package var people: Int?
    /// Whether these were held back while the person was not to be disturbed, and have several types or groups. The
    /// content's digest is shown in place of its summary.
    package var isDigest: Bool
    /// Whether these were held back in that way, and have one type and group without a summary. The group's line is
    /// shown under the digest's title.
    package var isGroupLine = false
    /// Whether the push only replaces an earlier one, because its batch has grown: the screen shows no new
    /// notification.
    package var isGrowth = false
    /// Nil for a content without a group text.
    package var group: Group?
    /// The number for the app's icon by the content's rule: absolute, and of the inbox when the job was handed out.
    package var badge: Int64
    /// The newest notification; nil for a push that only sets the badge.
    package var notification: NotificationID?
    package var rev: Int64
    /// A later push to this device with the same id replaces this one, on the screen and on the way. The id has 1 to 32
    /// characters of `A-Z a-z 0-9 - _`, the narrowest form of all providers (Web Push's Topic, RFC 8030 §5.4).
    package var collapseID: String {
        // Made at sending, because one thread hands out the jobs for all devices.
        get { otherCollapseID ?? notification?.text ?? "" }
        set { otherCollapseID = newValue }
    }
    private var otherCollapseID: String?
    /// Whether the id is surely the notification's own name. If false, it may still be.
    package var hasOwnCollapseID: Bool { otherCollapseID == nil }
    package var position: Position
    /// The collapse ids of pushes that were dealt with elsewhere and may leave the screen.
    package var withdrawn: [String]
    /// The time after which a late push would only confuse.
    package var expiry: Timestamp

    package init(
        content: PushContent?, count: Int = 1, badge: Int64, notification: NotificationID?, rev: Int64 = 1,
        collapseID: String, position: Position, withdrawn: [String] = [], expiry: Timestamp,
        isDigest: Bool = false, group: Group? = nil
    ) {
        self.init(
            shared: content.map(SharedPushContent.init), count: count, badge: badge, notification: notification,
            rev: rev,
            collapseID: collapseID, position: position, withdrawn: withdrawn, expiry: expiry, isDigest: isDigest,
            group: group)
    }

    /// - Parameter collapseID: nil for the notification's own name.
    package init(
        shared: SharedPushContent?, count: Int = 1, badge: Int64, notification: NotificationID?, rev: Int64 = 1,
        collapseID: String?, position: Position, withdrawn: [String] = [], expiry: Timestamp,
        isDigest: Bool = false, group: Group? = nil
    ) {
        self.shared = shared
        self.count = count
        self.badge = badge
        self.notification = notification
        self.rev = rev
        otherCollapseID = collapseID
        self.position = position
        self.withdrawn = withdrawn
        self.expiry = expiry
        self.isDigest = isDigest
        self.group = group
    }

    /// Whether the push shows a digest in place of a notification's text.
    package var showsDigest: Bool { isDigest && count > 1 && shared?.content.digest != nil }

    /// The name of a sound, `default` for the system's; nil for none.
    package var sound: String? {
        guard let shared else { return nil }
        return isGrowth ? shared.content.growthSound : shared.content.sound
    }

    /// Title and body to show. One notification has the content's own; several have its summary, its group's line or
    /// its digest.
    package var texts: (title: String, body: String) {
        guard let shared else { return ("", "") }
        if isGroupLine, count > 1, let digest = shared.content.digest, let line = shared.content.groupText {
            return (digest.title.text(count: count), line.text(count: count))
        }
        guard count > 1, let summary = isDigest ? shared.content.digest : shared.content.summary else {
            return (shared.content.title, shared.content.body)
        }
        let body = summary.body.text(count: count, people: people)
        return (
            summary.title.text(count: count, people: people),
            shared.content.bodyMaximum.map { TextCut(maximum: $0).cut(body) } ?? body
        )
    }
}
