import Deliveries
import GRDB
import Inbox
import Store

/// Finds for which events contents were rendered.
struct ContentSources {
    private let findSource: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        findSource = try db.statement(sql: "SELECT event, actor FROM content WHERE id = ?")
    }

    /// Nil where the content cannot be read, or is gone.
    func source(ofContent id: Int64) throws -> ContentSource? {
        let row = DamagedRow(table: "content", key: "\(id)")
        return try damage.sound(row) {
            let source = try findSource.first([id]) {
                ContentSource(event: try $0.text(0), actor: try $0.optionalText(1))
            }
            guard let source else { throw row }
            return source
        }
    }
}
