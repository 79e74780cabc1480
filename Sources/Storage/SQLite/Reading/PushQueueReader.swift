import GRDB
import Push

/// Reads what of the queue of pushes is kept in memory from then on.
struct PushQueueReader {
    private let walk: DirectStatement

    init(_ db: Database) throws { walk = try DirectStatement(db, sql: "SELECT place, number FROM push_job") }

    /// Where all jobs stand, and how many wait of each provider. Of two with one number, which only damage can bring, the
    /// later one is found.
    func read() throws -> (places: PlacesByNumber, counts: PushCounts) {
        var (places, counts) = (PlacesByNumber(), PushCounts())
        try walk.forEach(
            { _ in },
            { row in
                let place = try PushTurns.Place(row)
                places.put(place.number, at: place.position)
                if let provider = place.position.provider { counts[provider] += 1 }
            })
        return (places, counts)
    }
}
