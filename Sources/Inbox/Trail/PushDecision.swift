/// What was decided about the push of one notification when it came.
package enum PushDecision: Sendable, Hashable {
    /// Why a push waits.
    package enum Hold: String, Sendable, Hashable {
        /// It leaves at once.
        case none
        /// A session is live and may acknowledge it.
        case grace
        /// The publisher said so.
        case notBefore
        /// So many an hour have been sent.
        case pace
        /// The batch is gathered first.
        case batch
        case quietHours
        case snooze
    }

    /// The type's policy is never to push, or the event's own.
    case never(byEvent: Bool)
    /// The person, or the app, does not want pushes of this type; in old trails it does not say who.
    case preferenceOff(Chooser?)
    /// There is no device that may get it.
    case noDevice
    /// It would be due only after it has expired.
    case expired
    /// It was pushed when the batch began.
    case batched
    case queued(devices: Int, due: Timestamp, hold: Hold)
}
