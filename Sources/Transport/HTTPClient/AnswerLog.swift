/// Remembers when each connection last brought a response, to tell a slow answer from a dead connection.
struct AnswerLog {
    /// A request that had less time tells nothing about its connection.
    static let patience = Duration.milliseconds(250)

    /// By socket. A reused socket number keeps the old entry, which is older than any request on the new connection.
    private var lastAnswers: [Int32: ContinuousClock.Instant] = [:]

    mutating func answered(_ socket: Int32, at now: ContinuousClock.Instant) { lastAnswers[socket] = now }

    /// Whether the connection brought no response since `start`. At `start` a request left that has now timed out.
    func isSilent(_ socket: Int32, since start: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> Bool {
        now - start >= Self.patience && (lastAnswers[socket].map { $0 < start } ?? true)
    }
}
