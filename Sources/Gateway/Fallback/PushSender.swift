package import Inbox
package import Push
package import Transport

/// A push service, as the fallback sees it.
package protocol PushSender: AnyObject, Sendable {
    /// With a job's place among those that were sent, and the moment from which its request was on its way.
    typealias JobCompletion = @Sendable (Int, Verdict, _ began: ContinuousClock.Instant) -> Void

    /// Where the lane that sends by it works best: where most completions run, so that they need not wake it; elsewhere
    /// if to make a push takes long.
    var laneQueue: SerialQueue { get }

    /// Makes one attempt. The completion runs once, on any queue; what went wrong is a verdict, not an error.
    func send(
        _ message: PushMessage, to device: Device, at now: Timestamp, completion: @escaping @Sendable (Verdict) -> Void)

    /// Makes one attempt at each of the jobs. The completion runs once for each, in any order, on any queue.
    func send(_ jobs: [PushJob], at now: Timestamp, completion: @escaping JobCompletion)

    /// Reads its key again; what cannot be used does not replace what holds.
    ///
    /// - Throws: ``ServerError``: which file, and what was expected in it.
    func readKey() async throws

    /// Ends what is under way without an answer, then closes all connections.
    func close(completion: @escaping @Sendable () -> Void)
}

extension PushSender {
    /// One by one.
    package func send(_ jobs: [PushJob], at now: Timestamp, completion: @escaping JobCompletion) {
        for (index, job) in jobs.enumerated() {
            let began = ContinuousClock.now
            send(job.message, to: job.device, at: now) { verdict in completion(index, verdict, began) }
        }
    }
}
