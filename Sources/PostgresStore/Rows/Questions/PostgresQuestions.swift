import Deliveries
import Inbox
import Postgres
import Store

/// Questions whose time ends: the table `question`.
final class PostgresQuestions: PostgresPart, QuestionRows {
    func insert(_ questions: [OpenQuestion]) throws {
        try connection.queue(
            """
            INSERT INTO question (inbox, notification, answer_by, event, fallback)
            SELECT inbox, notification, answer_by, event, fallback
            FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::text[], $5::text[])
                AS new (inbox, notification, answer_by, event, fallback)
            """,
            [
                .int64s(questions.map(\.id.inbox)), .int64s(questions.map(\.id.sequence)),
                .int64s(questions.map(\.answerBy.milliseconds)), .texts(questions.map(\.event)),
                .texts(questions.map(\.fallback)),
            ])
    }

    func take(_ ids: [NotificationID]) throws -> [OpenQuestion] {
        if ids.isEmpty { return [] }
        return try connection.run(
            """
            DELETE FROM question USING unnest($1::int8[], $2::int8[]) AS taken (inbox, notification)
            WHERE question.inbox = taken.inbox AND question.notification = taken.notification
            RETURNING question.inbox, question.notification, answer_by, event, fallback
            """, [.int64s(ids.map(\.inbox)), .int64s(ids.map(\.sequence))]
        ).map { row in
            OpenQuestion(
                id: NotificationID(inbox: try row.int64(0), sequence: try row.int64(1)), event: try row.text(3),
                answerBy: Timestamp(milliseconds: try row.int64(2)), fallback: try row.textOrNil(4))
        }
    }

    func due(_ limit: Int, at now: Timestamp) throws -> [NotificationID] {
        // Locks nothing: inboxes are locked first, everywhere, and a question that is gone by then is taken by nobody.
        try connection.run(
            """
            SELECT inbox, notification FROM question WHERE answer_by <= $1
            ORDER BY answer_by, inbox, notification LIMIT $2
            """, [.time(now), .int64(Int64(limit))]
        ).map { NotificationID(inbox: try $0.int64(0), sequence: try $0.int64(1)) }
    }

    func nextDue(after now: Timestamp) throws -> Timestamp? {
        try connection.run(
            "SELECT answer_by FROM question WHERE answer_by > $1 ORDER BY answer_by LIMIT 1", [.time(now)]
        ).first.map { Timestamp(milliseconds: try $0.int64(0)) }
    }

    func remove(inbox: Int64) throws {
        try connection.queue("DELETE FROM question WHERE inbox = $1", [.int64(inbox)])
    }
}
