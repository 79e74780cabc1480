import Synchronization

/// The numbers of a server's completed and failed handshakes since its start. From any thread.
final class TLSHandshakeCounts: Sendable {
    private let completedCount = Atomic(0)
    private let failedCount = Atomic(0)

    var completed: Int { completedCount.load(ordering: .relaxed) }
    var failed: Int { failedCount.load(ordering: .relaxed) }

    func count(isComplete: Bool) {
        if isComplete {
            completedCount.wrappingAdd(1, ordering: .relaxed)
        } else {
            failedCount.wrappingAdd(1, ordering: .relaxed)
        }
    }
}
