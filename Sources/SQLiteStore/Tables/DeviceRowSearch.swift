import Synchronization

/// How far the search for free device rows has come. It outlives the writer's statements, as a search from the start
/// reads the rows of all devices.
final class DeviceRowSearch: Sendable {
    private enum State {
        /// The last free row that was found.
        case found(Int64)
        /// No row was free, and none has become free since.
        case full
    }

    private let state = Mutex(State.found(0))

    /// The row behind which to search first, before the whole range; nil if no row is free.
    var start: Int64? {
        state.withLock { state in
            switch state {
            case .found(let row): row
            case .full: nil
            }
        }
    }

    func found(_ row: Int64?) { state.withLock { $0 = row.map { .found($0) } ?? .full } }

    /// Notes that a device's row is free again.
    func freed(_ row: Int64) {
        state.withLock { state in
            if case .full = state { state = .found(row - 1) }
        }
    }

    /// Forgets the progress: the transaction that made it may have been undone.
    func forget() { state.withLock { $0 = .found(0) } }
}
