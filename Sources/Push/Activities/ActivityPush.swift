import Crypto
package import Inbox
import JSON

/// One push to a Live Activity on one device, before a provider's format.
package struct ActivityPush: Sendable, Hashable {
    /// What is told. Its event is the one that is sent, which need not be the publisher's: a start whose activity runs
    /// already is an update.
    package let content: ActivityContent
    /// The ActivityKit token, in hex: the type's for a start, the running activity's own otherwise. Nil for a device
    /// whose app shows the activity by itself, from a data message. A secret: never logged.
    package let token: String?
    /// `timestamp`, in seconds since 1970: the system ignores a push with an earlier one than it shows.
    package let timestamp: Int64
    /// Whether it leaves at high priority.
    package let isPressing: Bool
    /// The time after which a late push would only confuse.
    package let expiry: Timestamp

    package init(content: ActivityContent, token: String?, timestamp: Int64, isPressing: Bool, expiry: Timestamp) {
        (self.content, self.token, self.timestamp) = (content, token, timestamp)
        (self.isPressing, self.expiry) = (isPressing, expiry)
    }

    /// A later push with the same id replaces one that waits at the service, so that a repeated start begins one
    /// activity. 32 characters of base64url: 192 bits of SHA-256 over the key.
    package var collapseID: String { Base64URL.encode(SHA256.hash(data: Array(content.key.utf8)).prefix(24)) }

    /// When the state no longer counts as current, in seconds since 1970; nil without an end.
    var staleAt: Int64? { content.staleAfter.map { timestamp + $0.components.seconds } }

    /// When an ended activity leaves the Lock Screen, in seconds since 1970; nil for the system's own rule. A date in the
    /// past removes it at once, whatever the device's clock says.
    var dismissAt: Int64? {
        guard content.event == .end, let span = content.dismissAfter else { return nil }
        return span == .zero ? 1 : timestamp + span.components.seconds
    }
}

extension ActivityPush: CustomStringConvertible {
    /// Leaves out token and texts.
    package var description: String { "\(content.event.rawValue) of an activity" }
}
