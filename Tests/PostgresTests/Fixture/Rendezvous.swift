import Dispatch

/// Where two threads wait for each other.
final class Rendezvous: Sendable {
    private let group = DispatchGroup()

    init() {
        group.enter()
        group.enter()
    }

    func meet() {
        group.leave()
        group.wait()
    }
}
