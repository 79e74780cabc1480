import Inbox
import JSON
package import Store

/// Changes live fields of notifications.
package struct PatchWriter {
    /// How many notifications are searched for those of an actor, from the top of the person's list.
    package static let window = 10_000
    /// How many notifications change at most, from the top of the list.
    package static let limit = 100

    package let open: OpenTransaction

    /// Returns how many notifications have changed. Those with the same values already do not count.
    package func write(_ patch: NotificationPatch) throws -> Int {
        guard var inbox = try open.knownInbox(of: patch.user) else { return 0 }
        var count = 0
        for record in try records(patch, inbox: inbox.id) {
            let old = try open.content(record.contentID)
            guard old.type == patch.type, let body = try Self.body(old.body, with: patch.fields) else { continue }
            let content = Content(
                type: old.type, displayText: old.displayText, body: body, batch: old.batch, push: old.push,
                group: old.group, groupText: old.groupText)
            guard let source = try open.contents.source(ofContent: record.contentID) else { continue }
            let written = WrittenContent(
                id: try open.contents.insert(content, event: source.event, actor: source.actor), content: content)
            try open.exchange(&inbox, record, content: written, of: patch.user)
            open.trail.note(.patched, of: record.id, inbox: inbox.id, at: patch.now)
            count += 1
        }
        return count
    }

    private func records(_ patch: NotificationPatch, inbox: Int64) throws -> [NotificationRecord] {
        guard let key = patch.key else {
            guard let actor = patch.actor else { return [] }
            return try open.contents.highest(
                Self.limit, of: patch.type, by: actor, inbox: inbox, window: Self.window)
        }
        var numbers: Set<Int64> = []
        for row in try open.trailRows.keyed(key, by: patch.publisher) {
            for group in row.verdicts.groups where group.verdict.hasNotification {
                // A push-only notification shows no fields.
                let changeable = (group.recipients.recipients ?? []).filter { $0.inbox == inbox }.compactMap(
                    \.notification)
                numbers.formUnion(changeable.filter { !PushOnlyNumber.isOne($0) })
            }
        }
        let records = try numbers.compactMap { try open.notifications.record(inbox: inbox, id: $0) }
            .sorted { $0.place < $1.place }.suffix(Self.limit)
        guard let actor = patch.actor else { return Array(records) }
        return try records.filter { try open.contents.source(ofContent: $0.contentID)?.actor == actor }
    }

    /// A content's members with the new values in place; nil if they have these values already.
    private static func body(_ body: [UInt8], with fields: JSONObject) throws -> [UInt8]? {
        let (start, end) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
        guard var object = try JSONValue(parsing: [start] + body + [end]).object else {
            throw DamagedRow(table: "content")
        }
        var hasChanged = false
        // Compared by octets, as Swift treats texts of equivalent characters as equal.
        for field in fields.members where object[field.key]?.encoded != field.value.encoded {
            object[field.key] = field.value
            hasChanged = true
        }
        return hasChanged ? Array(JSONValue.object(object).encoded.dropFirst().dropLast()) : nil
    }

    package init(open: OpenTransaction) {
        self.open = open
    }
}
