import Deliveries
import Inbox
import JSON
import Migration
import Push

/// Reads a row of any table as its engine does, and tells the first column that does not hold what was written.
struct RowReading {
    let rules: VerificationRules

    /// Beyond any count or time.
    private static let furthest = Int64(1) << 53
    /// Numbers that are drawn, or made of others: each value is possible.
    private static let unbounded: Set<String> = ["fingerprint", "provider", "due", "turn", "notification", "reference"]
    /// Times: they may lie before 1970.
    private static let times: Set<String> = [
        "created_at", "stored_at", "registered_at", "last_seen_at", "expires_at", "expiry", "deadline", "held_from",
        "start", "ends_at", "published_at", "other_at", "accepted_at", "ended_at", "occurred_at", "repeated_at",
        "retracted_at", "at", "buried_at", "answer_by", "delta",
    ]

    /// Nil for a sound row.
    func damagedColumn(of table: MigratedTable, _ row: [Cell]) -> String? {
        for (column, cell) in zip(table.columns, row) where !Self.isSound(cell, column) { return column.name }
        return damagedColumn(of: Columns(table: table, row: row))
    }

    private static func isSound(_ cell: Cell, _ column: MigratedTable.Column) -> Bool {
        switch (column.kind, cell) {
        case (_, .null), (.bytes, .octets): true
        case (.number, .number(let number)):
            unbounded.contains(column.name)
                || ((times.contains(column.name) ? -furthest : 0)...furthest).contains(number)
        case (.truth, .number(let number)): number == 0 || number == 1
        case (.text, .octets(let octets)), (.octets, .octets(let octets)):
            String(validating: octets, as: UTF8.self) != nil
        case (.number, .octets), (.truth, .octets), (.text, .number), (.octets, .number), (.bytes, .number): false
        }
    }

    private func damagedColumn(of row: Columns) -> String? {
        switch row.table.name {
        case "inbox": damagedPerson(row)
        case "content": damagedContent(row)
        case "change": Self.isChange(row) ? nil : "kind"
        case "device": damagedDevice(row)
        case "push_mark": [PushMark](bytes: row.octets("marks") ?? [], of: rules.providers) == nil ? "marks" : nil
        case "feed_item": row.isJSON("json") { _ in true } ? nil : "json"
        case "feed_change": row.isJSON("tags", \.isArray) ? nil : "tags"
        case "broadcast": row.isJSON("json", \.isObject) ? nil : "json"
        case "broadcast_page": row.isJSON("recipients", \.isObject) ? nil : "recipients"
        case "webhook": row.isJSON("body", \.isObject) ? nil : "body"
        case "trail_event":
            if TrailVerdicts(bytes: row.octets("verdicts") ?? []) == nil {
                "verdicts"
            } else {
                row.isJSON("data", \.isObject) ? nil : "data"
            }
        default: nil
        }
    }

    private func damagedPerson(_ row: Columns) -> String? {
        guard let key = row.text("user"), let user = UserID(key: key) else { return "user" }
        guard row.text("app") == (user.app.isUnnamed ? nil : user.app.text) else { return "app" }
        guard row.text("epoch")?.isEmpty == false else { return "epoch" }
        if let settings = row.octets("settings") {
            guard let json = try? JSONValue(parsing: settings), (try? UserSettings(json)) != nil else {
                return "settings"
            }
        }
        guard let profile = row.octets("profile") else { return row.text("email") == nil ? nil : "email" }
        guard let json = (try? JSONValue(parsing: profile))?.object else { return "profile" }
        let email = UserProfile(stored: json).email.map(UserProfile.searchForm(ofEmail:))
        return row.text("email") == email ? nil : "email"
    }

    private func damagedContent(_ row: Columns) -> String? {
        guard let body = row.octets("body"), !body.isEmpty, Self.isObject(ofMembers: body) else { return "body" }
        guard row.isReadable("batch", Batch.init(json:)) else { return "batch" }
        guard row.isReadable("push", PushContent.init(json:)) else { return "push" }
        return row.isReadable("group_text", CountedText.init(json:)) ? nil : "group_text"
    }

    private static func isObject(ofMembers body: [UInt8]) -> Bool {
        let object = [UInt8(ascii: "{")] + body + [UInt8(ascii: "}")]
        return object.withUnsafeBytes { (try? JSONNode(parsing: $0).isObject) ?? false }  // any mistake is damage
    }

    private static func isChange(_ row: Columns) -> Bool {
        let ids = row.text("ids").map { $0.split(separator: ",").allSatisfy { Int64($0) != nil } } ?? false
        return switch row.number("kind") {
        case 1, 3, 4, 6: row.number("reference") != nil
        case 2, 5: ids
        case 7: true
        case 8: row.number("reference") != nil && row.number("place") != nil
        default: false
        }
    }

    private func damagedDevice(_ row: Columns) -> String? {
        guard let provider = row.text("provider"), rules.providers[name: provider] != nil else { return "provider" }
        if let p256dh = row.octets("p256dh"), let auth = row.octets("auth"),
            WebPushKeys(p256dh: p256dh, auth: auth) == nil
        {
            return "p256dh"
        }
        if let name = row.text("environment"), Device.Environment(rawValue: name) == nil { return "environment" }
        if let name = row.text("permission"), Device.Permission(rawValue: name) == nil { return "permission" }
        return nil
    }

    /// A row's values by their columns.
    private struct Columns {
        let table: MigratedTable
        let row: [Cell]

        private func cell(_ name: String) -> Cell {
            table.columns.firstIndex { $0.name == name }.map { row[$0] } ?? .null
        }

        func number(_ name: String) -> Int64? { if case .number(let number) = cell(name) { number } else { nil } }
        func octets(_ name: String) -> [UInt8]? { if case .octets(let octets) = cell(name) { octets } else { nil } }
        func text(_ name: String) -> String? { octets(name).map { String(decoding: $0, as: UTF8.self) } }

        /// Whether the column is NULL, or JSON of that form.
        func isJSON(_ name: String, _ form: (JSONNode) -> Bool) -> Bool {
            guard let octets = octets(name) else { return true }
            return octets.withUnsafeBytes { bytes in
                (try? JSONNode(parsing: bytes)).map(form) ?? false  // any mistake is damage
            }
        }

        /// Whether the column is NULL, or `make` can read it.
        func isReadable<Value>(_ name: String, _ make: (JSONValue) -> Value?) -> Bool {
            guard let octets = octets(name) else { return true }
            return (try? JSONValue(parsing: octets)).flatMap(make) != nil  // any mistake is damage
        }
    }
}
