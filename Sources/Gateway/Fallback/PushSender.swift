package import Inbox
package import Push

/// A push service, as the fallback sees it.
package protocol PushSender: AnyObject, Sendable {
    /// Makes one attempt. The completion runs once, on any queue; what went wrong is a verdict, not an error.
    func send(_ job: PushJob, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void)
}
