/// What became of a notification, or of its push to one device, after the event was taken in.
package enum TrailStep: Sendable, Hashable {
    /// Why nobody needs a push any more.
    package enum Cause: String, Sendable, Hashable {
        /// An attentive session had it on screen.
        case acknowledged
        case read
        /// The person, or a limit of the inbox, removed the notification.
        case removed
        /// The publisher took the event back.
        case retracted
    }

    /// Why a push is tried again later.
    package enum Delay: String, Sendable, Hashable {
        /// The provider gave no answer, or none to any device.
        case provider
        /// The provider takes nothing for this device, or this message, at the moment.
        case device
        /// The provider has lost a token that the device has registered since.
        case tokenLost
        case quietHours
        case snooze
    }

    /// Why a push that had waited is not wanted any more.
    package enum Drop: Sendable, Hashable {
        /// The subject that the person has muted since, such as `room:789`.
        case muted(String)
        /// The person has switched its type or category off, or gone back to the app's default, which is off; in old
        /// trails it does not say which.
        case preferenceOff(Chooser?)
        /// The device shows no notifications.
        case permission
    }

    case cancelled(Cause)
    /// Nobody wanted it when it was to leave.
    case dropped(Drop)
    /// The push may be on the screen and is taken from it, where the provider can do that.
    case withdrawn(Cause)
    /// The provider accepted it.
    case sent
    /// It left as a part of the push of a later notification of the same inbox, whose number that is.
    case folded(into: Int64)
    case putOff(until: Timestamp, Delay)
    /// In the provider's own word.
    case refused(reason: String)
    /// The provider says that the device is no more.
    case deviceGone
    /// Nobody would have had any use for it by then.
    case expired
    /// A live field of the notification was changed.
    case patched
    /// The publisher took back the event that had made the notification, and it went.
    case retracted
    /// The publisher took back one of the events that the notification stands for.
    case shrunk
}
