import Deliveries
import GRDB
import Inbox
import Push

/// Gives jobs their places in the queue: each gets the next one of its moment.
final class QueuePlaces {
    private let findLast: Statement
    /// The last given place, by ``Push/Device/Provider/place``: many jobs in a row are due at the same moment. A place
    /// whose transaction was undone stays empty. But a rollback may also bring back jobs behind it, so after such a
    /// rollback ``GroupCommitter`` begins with new tables.
    private var given = [QueuePlace?](repeating: nil, count: Device.Provider.most)

    init(_ db: Database) throws {
        findLast = try Statement(db, sql: "SELECT max(place) FROM push_job WHERE place BETWEEN ? AND ?")
    }

    /// The caller writes the job before it asks for the next place.
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
            // A full moment continues in the next one.
            first = last.next
        }
        return first
    }

    /// The moment's last place that is taken.
    /// - Parameter first: the moment's first place.
    private func last(from first: QueuePlace) throws -> QueuePlace? {
        try findLast.first(
            { arguments in
                arguments.append(first.rawValue)
                arguments.append(first.lastOfMoment.rawValue)
            }, { try $0.optionalInt(0).map(QueuePlace.init(rawValue:)) }) ?? nil
    }
}
