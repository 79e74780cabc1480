import GRDB
import Synchronization

/// Knows where each waiting job stands, by its device and its notification: the queue's table is sorted by places
/// alone, as an index on numbers would change a page of its own for nearly every push.
///
/// One a store: it outlives the writer's statements. Those that write the queue's rows tell it of each, in the same
/// transaction, and whoever ends that ends it here. Readers may ask it, too: what they find may be of a transaction
/// that is still open, so it is only where to look.
final class PushJobIndex: Sendable {
    private struct State {
        var places: PlacesByNumber
        /// What was changed since the last commit, and where it stood before.
        var journal: [(number: PushJobNumber, before: QueuePlace?)] = []

        /// - Returns: whether it stood where it was thought to be; nothing has changed if not.
        mutating func put(_ number: PushJobNumber, from thought: QueuePlace?, to position: QueuePlace?) -> Bool {
            let before = places.put(number, at: position)
            guard before == thought else {
                places.put(number, at: before)
                return false
            }
            journal.append((number, before))
            return true
        }
    }

    /// So many changes' room is kept from one commit to the next.
    private static let mostSpared = 8_192

    private let state: Mutex<State>

    /// - Parameter places: of the jobs in the database.
    init(_ places: consuming PlacesByNumber = PlacesByNumber()) { state = Mutex(State(places: places)) }

    // MARK: Looking

    /// Nil if the job does not wait.
    func place(device: Int64, notification: Int64) -> PushTurns.Place? {
        let number = PushJobNumber(device: device, notification: notification)
        return state.withLock { $0.places.position(of: number) }.map { .init(position: $0, number: number) }
    }

    /// The device's jobs about notifications between two numbers, both included, in the order of those.
    func places(device: Int64, from first: Int64, to last: Int64) -> [PushTurns.Place] {
        if first > last { return [] }
        let numbers = (
            first: PushJobNumber(device: device, notification: first),
            last: PushJobNumber(device: device, notification: last)
        )
        return state.withLock { $0.places.places(from: numbers.first, to: numbers.last) }
    }

    /// All of the device's jobs, as above.
    func places(device: Int64) -> [PushTurns.Place] {
        places(device: device, from: -PushJobNumber.badges, to: PushJobNumber.notifications.upperBound)
    }

    // MARK: Changing

    /// A job stands there that did not wait.
    /// - Throws: as a unique index would, if one with its number waits.
    func insert(_ place: PushTurns.Place) throws {
        let isNew = state.withLock { $0.put(place.number, from: nil, to: place.position) }
        if !isNew { throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE) }
    }

    /// The row at a place has another place from now on.
    func move(_ place: PushTurns.Place, to position: QueuePlace) {
        // In a damaged file another row may have the same number, and be the one that is meant by it.
        _ = state.withLock { $0.put(place.number, from: place.position, to: position) }
    }

    /// The row at a place is gone.
    func remove(_ place: PushTurns.Place) {
        _ = state.withLock { $0.put(place.number, from: place.position, to: nil) }
    }

    // MARK: Transactions

    /// What was changed stays.
    func commit() {
        state.withLock { state in
            if state.journal.isEmpty { return }
            if state.journal.capacity > Self.mostSpared {
                state.journal = []
            } else {
                state.journal.removeAll(keepingCapacity: true)
            }
        }
    }

    /// All that was changed since the last commit is as it was before.
    func rollBack() {
        state.withLock { state in
            while let change = state.journal.popLast() { state.places.put(change.number, at: change.before) }
        }
    }
}
