import Synchronization
import WireProtocol

/// Who may connect to a node: one for all its shards, asked when a connection begins and told when it ends, never
/// between.
package final class Admission: Sendable {
    /// So many refused connections may wait for their request, to be told why. Those beyond are told at once, which
    /// their client may not understand, and over TLS not at all: a handshake is worth more than the answer.
    private static let maximumRefused = 64

    /// Whether it matters whose connections are open.
    let countsAddresses: Bool
    private let control: Mutex<AdmissionControl>
    private let refusals = Mutex([Int](repeating: 0, count: AdmissionRefusal.allCases.count))
    private let waitingRefused = Atomic(0)

    package init(_ limits: AdmissionLimits = AdmissionLimits()) {
        countsAddresses = limits.connectionsPerAddress > 0
        control = Mutex(AdmissionControl(limits))
    }

    /// How many connections were admitted and are open.
    package var openConnections: Int { control.withLock { $0.connections } }

    /// How many were refused so far.
    package func refusedConnections(_ reason: AdmissionRefusal) -> Int { refusals.withLock { $0[reason.rawValue] } }

    /// The most new connections that this node has taken in within a second; 0 before the first one.
    package func acceptRate(at now: ContinuousClock.Instant = .now) -> Int {
        control.withLock { $0.acceptRate(at: now) }
    }

    /// - Parameter address: nil while a proxy has not told it.
    /// - Returns: what the connection is to hold until it closes.
    func admit(_ address: IPAddress?, at now: ContinuousClock.Instant) -> Result<AdmissionLease, AdmissionFailure> {
        guard let reason = control.withLock({ $0.admit(address, at: now) }) else {
            return .success(AdmissionLease(self, address))
        }
        count(reason)
        return .failure(AdmissionFailure(reason: reason, place: RefusedPlace(self)))
    }

    func identify(_ old: IPAddress?, as new: IPAddress?) -> AdmissionRefusal? {
        let reason = control.withLock { $0.identify(old, as: new) }
        if let reason { count(reason) }
        return reason
    }

    func release(_ address: IPAddress?) { control.withLock { $0.release(address) } }

    /// A client was turned away before anybody could ask.
    func count(_ reason: AdmissionRefusal) { refusals.withLock { $0[reason.rawValue] += 1 } }

    /// - Returns: whether one more may wait.
    func takeRefusedPlace() -> Bool {
        guard waitingRefused.wrappingAdd(1, ordering: .relaxed).oldValue >= Self.maximumRefused else { return true }
        freeRefusedPlace()
        return false
    }

    func freeRefusedPlace() { waitingRefused.wrappingSubtract(1, ordering: .relaxed) }
}
