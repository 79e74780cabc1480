import Deliveries
import GRDB
import Synchronization

/// Finds each waiting job's place by device and notification. The queue's table is sorted by places alone, as an index
/// on numbers would change a page of its own for nearly every push.
///
/// There is one a store, which outlives the writer's statements. Statements that write the queue's rows report each
/// change in the same transaction, and the end of the transaction is reported, too. Readers may see places of a
/// transaction that is still open, so a place only tells where to look.
final class PushJobIndex: Sendable {
    private struct State {
        var places: PlacesByNumber
        /// The changes since the last commit, each with the place before it.
        var journal: [(number: PushJobNumber, before: QueuePlace?)] = []

        /// - Returns: whether the job stood at `thought`; if not, nothing has changed.
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

    /// How many changes' room is kept from one commit to the next.
    private static let mostSpared = 8_192

    private let state: Mutex<State>

    /// - Parameter places: those of the jobs in the database.
    init(_ places: consuming PlacesByNumber = PlacesByNumber()) { state = Mutex(State(places: places)) }

    // MARK: Looking

    /// Nil if the job does not wait.
    func place(device: Int64, notification: Int64) -> PushTurns.Place? {
        let number = PushJobNumber(device: device, notification: notification)
        return state.withLock { $0.places.position(of: number) }.map { .init(position: $0, number: number) }
    }

    /// The places of the device's jobs about notifications `first` to `last`, both included, in order.
    func places(device: Int64, from first: Int64, to last: Int64) -> [PushTurns.Place] {
        if first > last { return [] }
        let numbers = (
            first: PushJobNumber(device: device, notification: first),
            last: PushJobNumber(device: device, notification: last)
        )
        return state.withLock { $0.places.places(from: numbers.first, to: numbers.last) }
    }

    /// The places of all the device's jobs.
    func places(device: Int64) -> [PushTurns.Place] {
        places(device: device, from: -PushJobNumber.badges, to: PushJobNumber.notifications.upperBound)
    }

    // MARK: Changing

    /// Adds a job that did not wait.
    /// - Throws: as a unique index would, if a job with its number waits.
    func insert(_ place: PushTurns.Place) throws {
        let isNew = state.withLock { $0.put(place.number, from: nil, to: place.position) }
        if !isNew { throw DatabaseError(resultCode: .SQLITE_CONSTRAINT_UNIQUE) }
    }

    /// Notes that the row at a place has moved.
    func move(_ place: PushTurns.Place, to position: QueuePlace) {
        // In a damaged file another row may have the same number, and be the one that is listed.
        _ = state.withLock { $0.put(place.number, from: place.position, to: position) }
    }

    /// Notes that the row at a place is gone.
    func remove(_ place: PushTurns.Place) {
        _ = state.withLock { $0.put(place.number, from: place.position, to: nil) }
    }

    // MARK: Transactions

    /// Makes all changes final.
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

    /// Undoes all changes since the last commit.
    func rollBack() {
        state.withLock { state in
            while let change = state.journal.popLast() { state.places.put(change.number, at: change.before) }
        }
    }
}
