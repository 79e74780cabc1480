import Deliveries
import GRDB
import Store

/// Reads the progress of broadcasts, as of the snapshot that `db` is in.
struct BroadcastReader: BroadcastReads {
    private let db: Database
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func open() throws -> [String] {
        let find = try db.statement(sql: "SELECT id, event FROM broadcast WHERE ended_at IS NULL ORDER BY id")
        return try find.sound([], of: RowNaming(table: "broadcast"), damage) { try $0.text(1) }
    }

    func broadcast(of event: String) throws -> Broadcast? {
        let statement = try db.statement(sql: "SELECT \(BroadcastRecord.columns) FROM broadcast WHERE event = ?")
        return try statement.first([event]) { BroadcastRecord($0).broadcast }
    }
}
