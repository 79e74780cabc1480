package import Inbox

/// What one push tells one device, before a provider's format.
package struct PushMessage: Sendable, Hashable {
    /// The inbox as it was when the job was handed out: an app that has this position already is in sync.
    package struct Position: Sendable, Hashable {
        package let epoch: String
        package let seq: Int64

        package init(epoch: String, seq: Int64) {
            self.epoch = epoch
            self.seq = seq
        }
    }

    /// The pushes of one group that a device shows, this one among them.
    package struct Group: Sendable, Hashable {
        /// How many notifications those stand for.
        package let count: Int
        /// How they read as one line: "3 new round requests".
        package let text: String

        package init(count: Int, text: String) {
            self.count = count
            self.text = text
        }
    }

    /// What to show: that of the newest notification of a fold. Nil for a push that only sets the badge and withdraws.
    package var content: PushContent? {
        get { shared?.content }
        set { shared = newValue.map(SharedPushContent.init) }
    }
    /// The ``content``, without copying it.
    package private(set) var shared: SharedPushContent?
    /// How many notifications this one push stands for; beyond one the content's summary is shown, if it has one.
    package var count: Int
    /// How many people's doing those tell of; nil where the summary does not ask.
    package var people: Int?
    /// Whether those were kept back while the person was not to be disturbed, and are of several types or groups: the
    /// content's digest stands in for its summary.
    package var isDigest: Bool
    /// Whether those were kept back likewise, and are of one type and group without a summary: they read as the line of
    /// their group, under the digest's title.
    package var isGroupLine = false
    /// Whether it only takes the place of an earlier one, because its batch has grown: nothing of it is new on the
    /// screen.
    package var isGrowth = false
    /// Nil for a content without a text for its group.
    package var group: Group?
    /// The number for the app's icon by the content's rule, absolute, of the inbox as it was when the job was handed
    /// out.
    package var badge: Int64
    /// The newest notification; nil for a push that only sets the badge.
    package var notification: NotificationID?
    package var rev: Int64
    /// A later push to this device with the same id replaces this one, on the screen and on the way: 1 to 32 characters
    /// of `A-Z a-z 0-9 - _`, what the narrowest provider takes (Web Push's Topic, RFC 8030 §5.4).
    package var collapseID: String {
        // Made where it is sent: whoever hands jobs out does so for all devices.
        get { otherCollapseID ?? notification?.text ?? "" }
        set { otherCollapseID = newValue }
    }
    private var otherCollapseID: String?
    /// Whether it is known to be the notification's own name. Where it is not known it may be so all the same.
    package var hasOwnCollapseID: Bool { otherCollapseID == nil }
    package var position: Position
    /// The collapse ids of pushes that were dealt with elsewhere and may go from the screen.
    package var withdrawn: [String]
    /// After this a late push would only confuse.
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

    /// Whether it shows a text of its own in place of any notification's.
    package var showsDigest: Bool { isDigest && count > 1 && shared?.content.digest != nil }

    /// The name of a sound, `default` for the system's; nil for none.
    package var sound: String? {
        guard let shared else { return nil }
        return isGrowth ? shared.content.growthSound : shared.content.sound
    }

    /// Title and body to show: the content's own; for more than one notification its summary, its group's line or its
    /// digest.
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
