import Synchronization

/// Raised once. From any thread.
final class Flag: Sendable {
    private let isRaised = Atomic(false)

    /// - Returns: whether it was not raised before.
    func raise() -> Bool { !isRaised.exchange(true, ordering: .relaxed) }
}
