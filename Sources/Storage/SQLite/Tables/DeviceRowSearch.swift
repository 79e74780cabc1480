import Synchronization

/// How far rows that devices have left have been looked for. It outlives the writer's statements: a search from the
/// start reads the rows of all devices that are still there.
final class DeviceRowSearch: Sendable {
    private enum State {
        /// The last row that was found.
        case found(Int64)
        /// There was none, and no device has gone since.
        case full
    }

    private let state = Mutex(State.found(0))

    /// Behind which row to look next, before looking from the first one on; nil if there is nothing to find.
    var start: Int64? {
        state.withLock { state in
            switch state {
            case .found(let row): row
            case .full: nil
            }
        }
    }

    func found(_ row: Int64?) { state.withLock { $0 = row.map { .found($0) } ?? .full } }

    /// The row's device has gone.
    func freed(_ row: Int64) {
        state.withLock { state in
            if case .full = state { state = .found(row - 1) }
        }
    }

    /// What was found, or taken for the last one, may have been undone.
    func forget() { state.withLock { $0 = .found(0) } }
}
