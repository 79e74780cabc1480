import Deliveries
import GRDB
import Inbox
import Store

/// Up to when people's tokens are refused: `revocation`.
final class RevocationTable: RevocationRows {
    private let upsert: Statement
    private let delete: Statement

    init(_ db: Database) throws {
        upsert = try db.statement(
            sql: """
                INSERT INTO revocation (user, issued_before) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET issued_before = max(issued_before, excluded.issued_before)
                """)
        delete = try db.statement(sql: "DELETE FROM revocation WHERE user = ? RETURNING 1")
    }

    func insert(_ revocation: Revocation) throws {
        try upsert.execute(arguments: [revocation.user.key, revocation.issuedBefore.milliseconds])
    }

    func remove(_ user: UserID) throws -> Bool { try !delete.all([user.key]) { _ in true }.isEmpty }
}
