/// Who holds sessions for a run: this process itself, or another one that it has started.
package protocol SessionWorker: Sendable {
    /// How many publications its sessions have got.
    var delivered: FrameCounter { get }
    /// Where another process holds them; nil for this one.
    var process: ServerProcess? { get }
    /// Begins to open the sessions.
    func open() async throws
    /// Counts only what is due from this moment of ``BenchClock`` on.
    func measure(since moment: Int64) async throws
    /// Has each session vanish and come back, in turn.
    /// - Parameters:
    ///   - rate: sessions a second; nil for all at once.
    ///   - isEndless: begins again with the first after the last.
    func comeBack(rate: Double?, isEndless: Bool) async throws
    /// No session goes any more.
    func stay() async throws
    func counts() async throws -> SessionCounts
    func tally() async throws -> SessionTally
    /// Ends all sessions. The last call.
    func end() async throws
}
