package import Inbox
package import Store
import Synchronization

/// The node's ``Revocations``. All members are for any thread.
package final class RevokedTokens: Sendable {
    private let revocations = Mutex(Revocations())
    /// Spares each request the lock where nobody has a revocation.
    private let hasSome = Atomic(false)

    /// Takes in revocations: their tokens are refused from now on.
    package func add(_ all: [Revocation]) {
        if all.isEmpty { return }
        revocations.withLock { for revocation in all { $0.add(revocation) } }
        hasSome.store(true, ordering: .releasing)
    }

    /// Forgets the revocations of erased people.
    package func forget(_ users: [UserID]) {
        if users.isEmpty { return }
        revocations.withLock { for user in users { $0.forget(user) } }
    }

    /// As ``Revocations/moment(of:)``.
    package func moment(of user: UserID) -> Timestamp? { revocations.withLock { $0.moment(of: user) } }

    /// Whether a token that was verified, now or earlier, was revoked.
    package func contain(_ credentials: Credentials) -> Bool {
        guard hasSome.load(ordering: .acquiring) else { return false }
        return revocations.withLock { $0.refuse(credentials.issued, of: credentials.user) }
    }
}
