import Synchronization

/// Draws epochs, or fails to.
final class Epochs: Sendable {
    private let state = Mutex((number: 0, isBroken: false))

    func next() -> String {
        state.withLock { state in
            state.number += 1
            return state.isBroken ? "" : "epoch-\(state.number)"
        }
    }

    func fail() { state.withLock { $0.isBroken = true } }
    func mend() { state.withLock { $0.isBroken = false } }
}
