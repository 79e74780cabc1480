import GRDB
import Inbox
import JSON
import Store

/// The statements that write and read `content`.
final class ContentTable {
    private let insertion: RowInsertion
    private let count: Statement
    private let deleteUnused: Statement
    fileprivate let find: Statement

    init(_ db: Database) throws {
        insertion = RowInsertion(
            db, into: "content", "id, event, type, text, body, batch, push, uses, actor, group_name, group_text",
            values: "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?")
        count = try db.statement(sql: "UPDATE content SET uses = uses + ? WHERE id = ?")
        deleteUnused = try db.statement(sql: "DELETE FROM content WHERE id = ? AND uses <= 0")
        find = try ContentReader.find(db)
    }

    func insert(_ contents: [NewContent]) throws {
        try insertion.insert(contents) { new, arguments in
            let content = new.pointee.content
            arguments.append(new.pointee.id)
            arguments.append(new.pointee.event)
            arguments.append(content.type)
            arguments.append(content.displayText)
            arguments.append(content.body)
            arguments.append(content.batch?.json.encoded)
            arguments.append(content.sharedPush?.content.encoded)
            arguments.append(new.pointee.uses)
            arguments.append(new.pointee.actor)
            arguments.append(content.group)
            arguments.append(content.groupText?.encoded)
        }
    }

    /// Changes by `number` how many notifications show a content, and deletes a content that none shows.
    func addUses(_ number: Int64, to id: Int64) throws {
        if number != 0 { try count.execute(arguments: [number, id]) }
        if number <= 0 { try deleteUnused.execute(arguments: [id]) }
    }
}

/// Reads contents through the cache.
struct ContentReader {
    private let find: Statement
    private let cache: ContentCache

    /// For a reader's connection.
    init(_ db: Database, _ cache: ContentCache) throws {
        find = try Self.find(db)
        self.cache = cache
    }

    /// For the writer.
    init(_ table: ContentTable, _ cache: ContentCache) { (find, self.cache) = (table.find, cache) }

    fileprivate static func find(_ db: Database) throws -> Statement {
        try db.statement(
            sql: "SELECT type, text, body, batch, push, group_name, group_text FROM content WHERE id = ?")
    }

    /// - Throws: ``DamagedRow`` for a content that is damaged or gone.
    func content(_ id: Int64) throws -> Content {
        if let content = cache.content(id) { return content }
        guard let content = try read(id) else { throw DamagedRow(table: "content", key: "\(id)") }
        cache.keep(content, as: id)
        return content
    }

    /// Nil for a damaged or missing content.
    private func read(_ id: Int64) throws -> Content? {
        do { return try find.first([id], Content.init(row:)) } catch let error where !(error is DatabaseError) {
            return nil
        }
    }
}

extension Content {
    fileprivate convenience init(row: StoredRow) throws {
        var row = CheckedRow(row)
        let body = row.optionalBytes(2) ?? []
        let (type, text, group) = (row.text(0), row.text(1), row.optionalText(5))
        let (batch, push, groupText) = (row.optionalBytes(3), row.optionalBytes(4), row.optionalBytes(6))
        guard !row.isDamaged, !body.isEmpty, Self.isJSON(body) else { throw DamagedRow(table: "content") }
        self.init(
            type: type, displayText: text, body: body, batch: try Self.read(batch, Batch.init(json:)),
            push: try Self.read(push, PushContent.init(json:)), group: group,
            groupText: try Self.read(groupText, CountedText.init(json:)))
    }

    /// Stands for an unreadable content where a writer needs one: no list shows it, and no batch or push continues it.
    static let unreadable = Content(type: "", displayText: "", body: Array("\"type\":null".utf8), batch: nil, push: nil)

    /// Whether these are an object's members: frames and answers send them unchanged.
    private static func isJSON(_ body: [UInt8]) -> Bool {
        let object = [UInt8(ascii: "{")] + body + [UInt8(ascii: "}")]
        return object.withUnsafeBytes { (try? JSONNode(parsing: $0).isObject) ?? false }  // any mistake is damage
    }

    private static func read<Value>(_ json: [UInt8]?, _ make: (JSONValue) -> Value?) throws -> Value? {
        guard let json else { return nil }
        guard let value = make(try JSONValue(parsing: json)) else { throw DamagedRow(table: "content") }
        return value
    }
}
