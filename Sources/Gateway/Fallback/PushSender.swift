package import Inbox
package import Push

/// A push service, as the fallback sees it.
package protocol PushSender: AnyObject, Sendable {
    /// Makes one attempt. The completion runs once, on any queue; what went wrong is a verdict, not an error.
    func send(
        _ message: PushMessage, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void)

    /// Reads its key again; what cannot be used does not replace what holds.
    ///
    /// - Throws: ``ServerError``: which file, and what was expected in it.
    func readKey() async throws

    /// Ends what is under way without an answer, then closes all connections.
    func close(completion: @escaping @Sendable () -> Void)
}
