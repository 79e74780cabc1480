import Deliveries
import Inbox
import Migration

/// An invariant that no SQL can tell: each row of a query is judged.
struct JudgedCheck: Sendable {
    let name: String
    let meaning: String
    let query: String
    let kinds: [MigratedTable.Column.Kind]
    /// The row's name, and the statements that mend it; nil for a sound row.
    let judge: @Sendable ([Cell]) -> (row: String, mends: [String])?

    static let all = [marks, settledQuestions]

    /// Lists by type and by group compare these numbers only (``Deliveries/ListMark``).
    private static let marks = JudgedCheck(
        name: "marks of lists", meaning: "notifications that lists of their type or group leave out",
        query: """
            SELECT notification.inbox, notification.id, notification.type_mark, notification.group_mark, content.type,
                content.group_name
            FROM notification JOIN content ON content.id = notification.content
            """, kinds: [.number, .number, .number, .number, .text, .octets]
    ) { cells in
        let type = cells[4].text.map(ListMark.of)
        let group = cells[5].text.map(ListMark.of)
        guard let type, cells[2].number != type || cells[3].number != group else { return nil }
        let (inbox, id) = (cells[0].number ?? 0, cells[1].number ?? 0)
        return (
            "notification \(inbox).\(id)",
            [
                """
                UPDATE notification SET type_mark = \(type), group_mark = \(group.map { "\($0)" } ?? "NULL")
                WHERE inbox = \(inbox) AND id = \(id)
                """
            ]
        )
    }

    /// Only a question that may be answered has a time that ends.
    private static let settledQuestions = JudgedCheck(
        name: "settled questions", meaning: "questions that have an answer, and whose time would still end",
        query: """
            SELECT question.inbox, question.notification, content.body FROM question
            JOIN notification ON notification.inbox = question.inbox AND notification.id = question.notification
            JOIN content ON content.id = notification.content
            """, kinds: [.number, .number, .bytes]
    ) { cells in
        guard let body = cells[2].octets else { return nil }
        let content = Content(type: "", displayText: "", body: body, batch: nil, push: nil)
        // A body that cannot be read is told with the contents.
        guard AskedQuestion(of: content)?.answer != nil else { return nil }
        let (inbox, id) = (cells[0].number ?? 0, cells[1].number ?? 0)
        return (
            "question \(inbox).\(id)", ["DELETE FROM question WHERE inbox = \(inbox) AND notification = \(id)"]
        )
    }
}

extension Cell {
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
    var octets: [UInt8]? { if case .octets(let octets) = self { octets } else { nil } }
    var text: String? { octets.map { String(decoding: $0, as: UTF8.self) } }
}
