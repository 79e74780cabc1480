package import Inbox
package import Push
package import Transport

/// A push service, as the fallback sees it.
package protocol PushSender: AnyObject, Sendable {
    /// Gets the job's index among those that were sent, and the moment when its request began.
    typealias JobCompletion = @Sendable (Int, Verdict, _ began: ContinuousClock.Instant) -> Void

    /// The best queue for the lane of this sender: the one on which most completions run, so that they need not wake
    /// the lane. Another one, if making a push takes long.
    var laneQueue: SerialQueue { get }

    /// Makes one attempt. The completion runs once, on any queue; a failure is a verdict, not an error.
    func send(
        _ message: PushMessage, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void)

    /// Makes one attempt at each of the jobs. The completion runs once for each, in any order, on any queue.
    func send(_ jobs: [PushJob], at now: Timestamp, completion: @escaping JobCompletion)

    /// Reads its key again; an unusable key does not replace the current one.
    ///
    /// - Throws: ``ServerError`` with the file, and what was expected in it.
    func readKey() async throws

    /// Ends requests under way without an answer, then closes all connections.
    func close(completion: @escaping @Sendable () -> Void)
}

extension PushSender {
    /// Sends the jobs one by one.
    package func send(_ jobs: [PushJob], at now: Timestamp, completion: @escaping JobCompletion) {
        for (index, job) in jobs.enumerated() {
            let began = ContinuousClock.now
            send(job.message, to: job.device, at: now) { verdict in completion(index, verdict, began) }
        }
    }
}
