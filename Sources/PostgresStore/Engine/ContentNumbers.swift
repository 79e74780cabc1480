import Postgres

/// Numbers for new contents, taken from their sequence many at a time: one by one, each would be a round trip.
///
/// A number is given once, whatever becomes of its transaction. Those that are left at the end of the process stay
/// unused.
final class ContentNumbers {
    private static let together: Int64 = 512

    private var free: [Int64] = []

    /// Belongs to the queue of the connection.
    func next(on connection: PostgresConnection) throws -> Int64 {
        if let number = free.popLast() { return number }
        // The sequence's name is looked up once: that takes ten times as long as a number.
        let taken = try connection.run(
            """
            WITH counter AS MATERIALIZED (SELECT pg_get_serial_sequence('content', 'id')::regclass AS name)
            SELECT nextval(counter.name) FROM counter, generate_series(1, $1)
            """,
            [.int64(Self.together)])
        free = try taken.map { try $0.int64(0) }.reversed()
        return free.removeLast()
    }
}
