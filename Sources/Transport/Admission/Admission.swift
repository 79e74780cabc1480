import Synchronization
import WireProtocol

/// Admits connections to a node. All shards share it. It is called when a connection begins and when it ends, never in
/// between.
package final class Admission: Sendable {
    /// The most refused connections that may wait for their request, to be told why. Further ones are told at once,
    /// which their client may not understand. Over TLS they are told nothing, because a handshake costs more than the
    /// answer.
    private static let maximumRefused = 64

    /// Whether connections are counted by address.
    let countsAddresses: Bool
    private let control: Mutex<AdmissionControl>
    private let refusals = Mutex([Int](repeating: 0, count: AdmissionRefusal.allCases.count))
    private let waitingRefused = Atomic(0)

    package init(_ limits: AdmissionLimits = AdmissionLimits()) {
        countsAddresses = limits.connectionsPerAddress > 0
        control = Mutex(AdmissionControl(limits))
    }

    /// The number of admitted connections that are open.
    package var openConnections: Int { control.withLock { $0.connections } }

    /// The number of connections refused so far.
    package func refusedConnections(_ reason: AdmissionRefusal) -> Int { refusals.withLock { $0[reason.rawValue] } }

    /// The most new connections that this node accepted within a second; 0 before the first one.
    package func acceptRate(at now: ContinuousClock.Instant = .now) -> Int {
        control.withLock { $0.acceptRate(at: now) }
    }

    /// - Parameter address: nil if a proxy has yet to tell it.
    /// - Returns: the lease that the connection holds until it closes.
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

    /// Counts a client that was turned away before it could be admitted.
    func count(_ reason: AdmissionRefusal) { refusals.withLock { $0[reason.rawValue] += 1 } }

    /// - Returns: whether one more refused connection may wait.
    func takeRefusedPlace() -> Bool {
        guard waitingRefused.wrappingAdd(1, ordering: .relaxed).oldValue >= Self.maximumRefused else { return true }
        freeRefusedPlace()
        return false
    }

    func freeRefusedPlace() { waitingRefused.wrappingSubtract(1, ordering: .relaxed) }
}
