import GRDB
import Inbox
import Push

/// Gives jobs their places in the queue: each the next one of its moment.
final class QueuePlaces {
    private let findLast: DirectStatement
    /// The one that was given last, by ``Push/Device/Provider/place``: many jobs in a row are due at the same moment.
    /// One that was undone with its transaction only stays empty. But a rollback that brings jobs back may bring them
    /// behind it: after one that can, places begin anew with new tables, as in ``GroupCommitter``.
    private var given = [QueuePlace?](repeating: nil, count: Device.Provider.allCases.count)

    init(_ db: Database) throws {
        findLast = try DirectStatement(db, sql: "SELECT max(place) FROM push_job WHERE place BETWEEN ? AND ?")
    }

    /// To be written before the next one is asked for.
    func next(of provider: Device.Provider, at time: Timestamp) throws -> QueuePlace {
        let place = try free(from: .first(of: provider, at: time), given[provider.place])
        given[provider.place] = place
        return place
    }

    private func free(from start: QueuePlace, _ given: QueuePlace?) throws -> QueuePlace {
        var first = start
        if let given, given >= first, given < first.lastOfMoment { return given.next }
        while let last = try last(from: first) {
            if last < first.lastOfMoment { return last.next }
            // A moment that is full leaves the rest to the next one.
            first = last.next
        }
        return first
    }

    /// The last place that is taken of a moment.
    /// - Parameter first: the moment's first one.
    private func last(from first: QueuePlace) throws -> QueuePlace? {
        try findLast.first(
            { arguments in
                arguments.append(first.rawValue)
                arguments.append(first.lastOfMoment.rawValue)
            }, { try $0.optionalInt(0).map(QueuePlace.init(rawValue:)) }) ?? nil
    }
}
