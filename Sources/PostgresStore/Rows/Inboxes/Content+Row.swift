import Inbox
import JSON
import Postgres
import Store

extension Content {
    /// Finds contents by their rows' numbers. Each row ends with its number.
    static let query: PostgresStatement =
        "SELECT type, text, body, batch, push, group_name, group_text, id FROM content WHERE id = ANY($1)"
    static let numberColumn = 7

    /// - Parameter row: of the ``query``.
    /// - Throws: ``DamagedRow`` for one that makes no sense.
    convenience init(_ row: PostgresRow) throws {
        let body = try row.bytes(2)
        // It is never empty.
        if body.isEmpty { throw DamagedRow(table: "content") }
        self.init(
            type: try row.text(0), displayText: try row.text(1), body: body,
            batch: try Self.read(row.bytesOrNil(3), Batch.init(json:)),
            push: try Self.read(row.bytesOrNil(4), PushContent.init(json:)), group: try row.textOrNil(5),
            groupText: try Self.read(row.bytesOrNil(6), CountedText.init(json:)))
    }

    /// Stands for an unreadable content where a writer needs one: no list shows it, and no batch or push continues it.
    static let unreadable = Content(type: "", displayText: "", body: Array("\"type\":null".utf8), batch: nil, push: nil)

    private static func read<Value>(_ json: [UInt8]?, _ make: (JSONValue) -> Value?) throws -> Value? {
        guard let json else { return nil }
        guard let parsed = try? JSONValue(parsing: json), let value = make(parsed) else {
            throw DamagedRow(table: "content")
        }
        return value
    }
}
