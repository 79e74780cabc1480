/// The decision about a notification's push when the notification came.
package enum PushDecision: Sendable, Hashable {
    /// Why a push waits.
    package enum Hold: String, Sendable, Hashable {
        /// The push leaves at once.
        case none
        /// A session is live and may acknowledge the notification.
        case grace
        /// The publisher set an earliest time.
        case notBefore
        /// The hour's maximum has been sent.
        case pace
        /// The batch is gathered first.
        case batch
        case quietHours
        case snooze
    }

    /// The policy of the type, or of the event, is to never push.
    case never(byEvent: Bool)
    /// The person or the app does not want pushes of this type; old trails do not say which.
    case preferenceOff(Chooser?)
    /// No device may get the push.
    case noDevice
    /// The push would be due only after its expiry.
    case expired
    /// The batch was already pushed when it began.
    case batched
    case queued(devices: Int, due: Timestamp, hold: Hold)

    package var isQueued: Bool { if case .queued = self { true } else { false } }
}
