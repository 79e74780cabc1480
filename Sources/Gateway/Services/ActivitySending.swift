package import Inbox
package import Push

/// A push service that takes pushes to Live Activities.
package protocol ActivitySending: PushSender {
    /// Makes one attempt. The completion runs once, on any queue; a failure is a verdict, not an error.
    func send(
        _ push: ActivityPush, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void)
}
