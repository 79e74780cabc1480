import Deliveries
import Inbox
import Postgres
import Store

/// Up to when people's tokens are refused: the table `revocation`.
final class PostgresRevocations: PostgresPart, RevocationRows {
    func insert(_ revocation: Revocation) throws {
        try connection.queue(
            """
            INSERT INTO revocation ("user", issued_before) VALUES ($1, $2)
            ON CONFLICT ("user") DO UPDATE SET
                issued_before = greatest(revocation.issued_before, excluded.issued_before)
            """, [.text(revocation.user.key), .time(revocation.issuedBefore)])
    }

    func remove(_ user: UserID) throws -> Bool {
        try connection.run(#"DELETE FROM revocation WHERE "user" = $1"#, [.text(user.key)]).changedRows > 0
    }

    /// Everybody's last revocation.
    static func all(on connection: PostgresConnection) throws -> [Revocation] {
        try connection.run(#"SELECT "user", issued_before FROM revocation"#).compactMap { row in
            let time = Timestamp(milliseconds: try row.int64(1))
            return UserID(key: try row.text(0)).map { Revocation(user: $0, issuedBefore: time) }
        }
    }
}
