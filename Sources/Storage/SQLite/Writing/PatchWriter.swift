import Inbox
import JSON

/// Changes live fields of notifications.
struct PatchWriter {
    /// So many of the person's newest notifications are looked through for those of an actor.
    static let window = 10_000
    /// So many notifications change at most, the newest.
    static let limit = 100

    let open: OpenTransaction

    /// Tells how many notifications have changed: those that say so already do not.
    func write(_ patch: NotificationPatch) throws -> Int {
        guard var inbox = try open.knownInbox(of: patch.user) else { return 0 }
        try open.newRows.writeContents()
        var count = 0
        for record in try records(patch, inbox: inbox.id) {
            let old = try open.content(record.contentID)
            guard old.type == patch.type, let body = try Self.body(old.body, with: patch.fields) else { continue }
            let content = Content(
                type: old.type, displayText: old.displayText, body: body, batch: old.batch, push: old.push,
                group: old.group, groupText: old.groupText)
            let source = try open.trailTables.byActor.source(ofContent: record.contentID)
            let written = WrittenContent(
                id: try open.newRows.insert(content, event: source.event, actor: source.actor), content: content)
            try open.exchange(&inbox, record, content: written, of: patch.user)
            open.trail.note(.patched, of: record.id, inbox: inbox.id, at: patch.now)
            count += 1
        }
        return count
    }

    private func records(_ patch: NotificationPatch, inbox: Int64) throws -> [NotificationRecord] {
        guard let key = patch.key else {
            guard let actor = patch.actor else { return [] }
            return try open.trailTables.byActor.newest(
                Self.limit, of: patch.type, by: actor, inbox: inbox, window: Self.window)
        }
        var numbers: Set<Int64> = []
        for row in try open.trailTables.events.keyed(key, by: patch.publisher) {
            for group in row.verdicts.groups where group.verdict.hasNotification {
                guard let recipients = group.recipients.recipients else { throw DamagedRow(table: "trail_event") }
                // What is only pushed shows no fields.
                let changeable = recipients.filter { $0.inbox == inbox }.compactMap(\.notification)
                numbers.formUnion(changeable.filter { !PushOnlyNumber.isOne($0) })
            }
        }
        let records = try numbers.sorted().suffix(Self.limit).compactMap {
            try open.notifications.record(inbox: inbox, id: $0)
        }
        guard let actor = patch.actor else { return records }
        return try records.filter { try open.trailTables.byActor.source(ofContent: $0.contentID).actor == actor }
    }

    /// The members of a content with new values in their places; nil if they have these values already.
    private static func body(_ body: [UInt8], with fields: JSONObject) throws -> [UInt8]? {
        let (start, end) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        guard var object = try JSONValue(parsing: [start] + body + [end]).object else {
            throw DamagedRow(table: "content")
        }
        var hasChanged = false
        // Octet by octet: to Swift, texts of equivalent characters are equal.
        for field in fields.members where object[field.key]?.encoded != field.value.encoded {
            object[field.key] = field.value
            hasChanged = true
        }
        return hasChanged ? Array(JSONValue.object(object).encoded.dropFirst().dropLast()) : nil
    }
}
