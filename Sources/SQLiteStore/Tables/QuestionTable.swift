import Deliveries
import GRDB
import Inbox
import Store

/// Questions whose time ends: `question`.
final class QuestionTable: QuestionRows {
    private let insert: Statement
    private let take: Statement
    private let findDue: Statement
    private let findNext: Statement
    private let deleteInbox: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        self.damage = damage
        // They never run at the same time, and rarely at all.
        let room = ArgumentRoom(capacity: 4_096)
        func statement(_ sql: String) throws -> Statement { try Statement(db, sql: sql, room: room) }
        insert = try statement(
            "INSERT INTO question (inbox, notification, answer_by, event, fallback) VALUES (?, ?, ?, ?, ?)")
        take = try statement(
            "DELETE FROM question WHERE inbox = ? AND notification = ? RETURNING answer_by, event, fallback")
        findDue = try statement(
            """
            SELECT inbox, notification FROM question WHERE answer_by <= ?
            ORDER BY answer_by, inbox, notification LIMIT ?
            """)
        findNext = try statement("SELECT answer_by FROM question WHERE answer_by > ? ORDER BY answer_by LIMIT 1")
        deleteInbox = try statement("DELETE FROM question WHERE inbox = ?")
    }

    func insert(_ questions: [OpenQuestion]) throws {
        for question in questions {
            try insert.execute(arguments: [
                question.id.inbox, question.id.sequence, question.answerBy.milliseconds, question.event,
                question.fallback,
            ])
        }
    }

    func take(_ ids: [NotificationID]) throws -> [OpenQuestion] {
        try ids.flatMap { id in
            try take.all([id.inbox, id.sequence]) { row -> OpenQuestion? in
                var row = CheckedRow(row)
                let question = OpenQuestion(
                    id: id, event: row.text(1), answerBy: row.time(0), fallback: row.optionalText(2))
                guard row.isDamaged else { return question }
                damage.leaveOut(DamagedRow(table: "question", key: id.text))
                return nil
            }
        }.compactMap { $0 }
    }

    func due(_ limit: Int, at now: Timestamp) throws -> [NotificationID] {
        try findDue.all([now.milliseconds, limit]) { NotificationID(inbox: try $0.int(0), sequence: try $0.int(1)) }
    }

    func nextDue(after now: Timestamp) throws -> Timestamp? {
        try findNext.first([now.milliseconds]) { Timestamp(milliseconds: try $0.int(0)) }
    }

    func remove(inbox: Int64) throws { try deleteInbox.execute(arguments: [inbox]) }
}
