import Push

/// Counts the waiting pushes: counting the queue's rows takes longer the longer the queue is.
///
/// A class, as the statements that begin or end a job's waiting report here, and each commit takes their reports.
final class WaitingPushes {
    private var changes = PushCounts()

    func changed(by number: Int, of provider: Device.Provider) {
        if number != 0 { changes[provider] += Int64(number) }
    }

    /// The changes since the last call.
    func takeChanges() -> PushCounts {
        if changes.isZero { return changes }
        defer { changes = PushCounts() }
        return changes
    }
}
