import GRDB

extension Schema {
    /// A place in the queue has four bits for the provider instead of two, and 17 for turns instead of 19.
    ///
    /// Each job keeps its time and its order. Places are negative on their way, so that none meets another.
    static func makeRoomForProviders(_ db: Database) throws {
        // No provider has these places, so their jobs could never leave.
        try db.execute(sql: "DELETE FROM push_job WHERE place < 0")
        let find = try db.statement(sql: "SELECT place FROM push_job ORDER BY place")
        let move = try db.statement(sql: "UPDATE push_job SET place = -1 - ?2 WHERE place = ?1")
        var last: Int64 = -1
        for before in try find.all([], { try $0.int(0) }) {
            let (moment, turn) = (before >> 19, before & (1 << 19 - 1))
            // Excess turns continue in the next moment, whose own jobs follow behind them.
            let place = max(last + 1, moment << 17 + turn)
            try move.execute(arguments: [before, place])
            last = place
        }
        try db.execute(sql: "UPDATE push_job SET place = -1 - place")
    }
}
