import Push

/// Keeps count of the pushes that wait, since to count the queue's rows takes longer the longer it is.
///
/// By reference: the statements that begin or end a job's waiting tell it so, and whoever commits takes what they have
/// told.
final class WaitingPushes {
    private var changes = PushCounts()

    func changed(by number: Int, of provider: Device.Provider) {
        if number != 0 { changes[provider] += Int64(number) }
    }

    /// What was told since the last call.
    func takeChanges() -> PushCounts {
        if changes.isZero { return changes }
        defer { changes = PushCounts() }
        return changes
    }
}
