/// A later step of a notification, or of its push to one device, after the event was accepted.
package enum TrailStep: Sendable, Hashable {
    /// Why a push is no longer needed.
    package enum Cause: String, Sendable, Hashable {
        /// An attentive session showed the notification.
        case acknowledged
        case read
        /// The person, or a limit of the inbox, removed the notification.
        case removed
        /// The publisher took the event back.
        case retracted
    }

    /// Why a push is tried later.
    package enum Delay: String, Sendable, Hashable {
        /// The provider gave no answer, or none to any device.
        case provider
        /// The provider refuses this device, or this message, for the moment.
        case device
        /// The provider no longer knows a token that the device has registered again since.
        case tokenLost
        case quietHours
        case snooze
    }

    /// Why a push that has waited is no longer wanted.
    package enum Drop: Sendable, Hashable {
        /// The person has muted this subject since, such as `room:789`.
        case muted(String)
        /// The person has switched the type or its category off, or gone back to the app's default, which is off. Old
        /// trails do not say which.
        case preferenceOff(Chooser?)
        /// The device shows no notifications.
        case permission
    }

    case cancelled(Cause)
    /// The push was no longer wanted when it was to leave.
    case dropped(Drop)
    /// The push may be on the screen. It is removed there if the provider can do that.
    case withdrawn(Cause)
    /// The provider accepted it.
    case sent
    /// The push left as part of the push of a later notification of the same inbox, with this number.
    case folded(into: Int64)
    case putOff(until: Timestamp, Delay)
    /// In the provider's own words.
    case refused(reason: String)
    /// The provider says that the device no longer exists.
    case deviceGone
    /// The push had expired.
    case expired
    /// An operator had a failed push sent again, past the queue.
    case retried(TrailRetry)
    /// The notification's question has its answer.
    case answered(TrailAnswer)
    /// What its event told a Live Activity of the device.
    case activity(TrailActivity)
    /// A live field of the notification was changed.
    case patched
    /// The publisher took back the event of the notification, which was removed.
    case retracted
    /// The publisher took back one of the notification's events.
    case shrunk
}
