/// Holds sessions for a run: in this process, or in another one that it has started.
package protocol SessionWorker: Sendable {
    /// The number of publications that its sessions have received.
    var delivered: FrameCounter { get }
    /// The other process that holds them; nil for this one.
    var process: ServerProcess? { get }
    /// Begins to open the sessions.
    func open() async throws
    /// From now on counts only publications that are due from this moment of ``BenchClock`` on.
    func measure(since moment: Int64) async throws
    /// Lets each session vanish and come back, in turn.
    /// - Parameters:
    ///   - rate: sessions a second; nil for all at once.
    ///   - isEndless: whether to start over after the last session.
    func comeBack(rate: Double?, isEndless: Bool) async throws
    /// Ends openings and comebacks.
    func stay() async throws
    func counts() async throws -> SessionCounts
    func tally() async throws -> SessionTally
    /// Ends all sessions. The last call.
    func end() async throws
}
