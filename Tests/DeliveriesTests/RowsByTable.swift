import Deliveries
import Foundation
import GRDB
import Inbox
import JSON
import Push
import ReferenceStore
import Store

@testable import SQLiteStore

/// The rows of both engines as texts, by table. Numbers that only name a row, such as a content's, are left out: what
/// they lead to stands in their place.
extension Database {
    func rowsByTable() throws -> [String: [String]] {
        var rows = try Self.queries.mapValues { sql in
            try Row.fetchAll(self, sql: sql).map { row in row.databaseValues.map(Self.text).joined(separator: " | ") }
        }
        rows["mark"] = try marks()
        // Each is noted at a time, and no order among those of one moment is promised.
        rows["step"]?.sort()
        return rows
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "-"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let data): String(decoding: data, as: UTF8.self)
        }
    }

    private func marks() throws -> [String] {
        try Row.fetchAll(self, sql: "SELECT device, marks FROM push_mark ORDER BY device").flatMap { row in
            let marks = [PushMark](bytes: Array(row["marks"] as Data), of: .standard) ?? []
            return marks.map { "\(row["device"] as Int64) | \(wholeText(of: $0))" }
        }
    }

    private static let body = "(SELECT CAST(body AS TEXT) || uses FROM content WHERE id = content)"
    private static let queries = [
        "inbox": """
        SELECT id, user, (SELECT app FROM inbox WHERE inbox.id = inbox_state.id), epoch, seq, unread, unseen, total,
            devices, device_locale, device_zone
        FROM inbox_state ORDER BY id
        """,
        "notification": """
        SELECT inbox, id, \(body), created_at, coalesce(stored_at, created_at), rev, seq, is_read, is_seen,
            unread_after, unseen_after, fresh, fresh_from, place, batch_key, group_mark
        FROM notification ORDER BY inbox, id
        """,
        "pushOnly": """
        SELECT inbox, id, \(body), created_at, stored_at, rev, batch_key FROM push_only ORDER BY inbox, id
        """,
        "change": "SELECT inbox, seq, kind, reference, ids, unread, unseen, delta FROM change ORDER BY inbox, seq",
        "question": """
        SELECT inbox, notification, answer_by, event, fallback FROM question ORDER BY inbox, notification
        """,
        "activity": """
        SELECT device, key, inbox, provider, due, is_sending, ends_at, state FROM activity ORDER BY device, key
        """,
        "activityDevice": "SELECT device, state FROM activity_device ORDER BY device",
        "erasure": "SELECT inbox FROM erasure ORDER BY inbox",
        "revocation": "SELECT user, issued_before FROM revocation ORDER BY user",
        "device": """
        SELECT row, inbox, app, id, provider, token, badge, badge_rule, registrar, last_seen_at FROM device
        ORDER BY row
        """,
        "job": """
        SELECT place >> 17, number, is_fallback, failures, expiry, fold_key, fold, collapse, withdrawn, seq,
            deadline, held_from, is_shown, shown_as, content IS NOT NULL FROM push_job ORDER BY place
        """,
        "pace": "SELECT inbox, fold_key, start, count, has_waiting, ends_at FROM push_pace ORDER BY inbox, fold_key",
        "topic": """
        SELECT name, replacement, inbox FROM topic LEFT JOIN topic_member ON topic = topic.id ORDER BY name, inbox
        """,
        "item": """
        SELECT name, offset, published_at, author, other, other_at, item_id, json,
            (SELECT group_concat(tag) FROM (SELECT tag FROM feed_tag AS tags
                WHERE tags.feed = feed_item.feed AND tags.offset = feed_item.offset ORDER BY tag))
        FROM feed_item JOIN feed ON feed.id = feed ORDER BY name, offset
        """,
        "feedChange": """
        SELECT name, offset, published_at, target, is_removal, item_id FROM feed_change JOIN feed ON feed.id = feed
        ORDER BY name, offset
        """,
        "viewed": """
        SELECT name, inbox, viewed FROM feed_mark JOIN feed ON feed.id = feed ORDER BY name, inbox
        """,
        "broadcast": """
        SELECT event, after_inbox, last_inbox, total, created, updated, suppressed, accepted_at, ended_at, problem,
            (SELECT count(*) FROM broadcast_page WHERE broadcast = broadcast.id),
            (SELECT count(*) FROM broadcast_known WHERE broadcast = broadcast.id)
        FROM broadcast ORDER BY event
        """,
        "event": """
        SELECT event, page, publisher, key, type, actor, occurred_at, accepted_at, verdicts, data, retracted,
            retracted_at, fingerprint IS NOT NULL, iif(fingerprint IS NULL, NULL, recipients),
            iif(fingerprint IS NULL, NULL, created), iif(fingerprint IS NULL, NULL, updated),
            iif(fingerprint IS NULL, NULL, suppressed), repeats, repeated_at
        FROM trail_event ORDER BY event, page
        """,
        "step": """
        SELECT inbox, notification, at, kind, detail, place, provider, device FROM trail_step
        ORDER BY inbox, notification, at, kind, device, detail, place
        """,
    ]
}

/// One row of a table.
private func line(_ values: Any?...) -> String {
    values.map { value in
        switch value {
        case nil: "-"
        case let isTrue as Bool: isTrue ? "1" : "0"
        case let time as Timestamp: "\(time.milliseconds)"
        case let bytes as [UInt8]: String(decoding: bytes, as: UTF8.self)
        case let value?: "\(value)"
        }
    }.joined(separator: " | ")
}

extension MemoryState {
    var rowsByTable: [String: [String]] {
        inboxRows.merging(pushRows) { $1 }.merging(feedRows) { $1 }.merging(trailRows) { $1 }
    }

    private func body(_ content: Int64) -> String? {
        contents[content].map { String(decoding: $0.content.body, as: UTF8.self) + "\($0.uses)" }
    }

    private func counts(_ id: Int64, _ inbox: Inbox) -> InboxState {
        let newest = notifications.filter { $0.key.inbox == id && $0.key.sequence > inbox.state.seq }
            .max { $0.key.sequence < $1.key.sequence }?.value.record
        return newest.map { newest in
            InboxState(
                epoch: inbox.state.epoch, seq: newest.id, unread: newest.unreadAfter, unseen: newest.unseenAfter,
                total: inbox.state.total + newest.id - inbox.state.seq)
        } ?? inbox.state
    }

    private var inboxRows: [String: [String]] {
        let inboxes = inboxes.sorted { $0.key < $1.key }.map { id, inbox in
            let (state, app) = (counts(id, inbox), inbox.user.app)
            return line(
                id, inbox.user.key, app.isUnnamed ? nil : app.text, state.epoch, state.seq, state.unread, state.unseen,
                state.total, inbox.devices,
                inbox.person?.device.locale, inbox.person?.device.zone)
        }
        let order: ((key: NotificationID, value: Row), (key: NotificationID, value: Row)) -> Bool = {
            ($0.key.inbox, $0.key.sequence) < ($1.key.inbox, $1.key.sequence)
        }
        let rows = notifications.sorted(by: order).map { id, row in
            let record = row.record
            return line(
                id.inbox, id.sequence, body(record.contentID), record.createdAt, row.storedAt, record.rev, record.seq,
                record.isRead, record.isSeen, record.unreadAfter, record.unseenAfter, record.fresh.count,
                record.fresh.from, record.place, row.batchKey, row.group)
        }
        let pushOnly = pushOnly.sorted(by: order).map { id, row in
            let record = row.record
            return line(
                id.inbox, id.sequence, body(record.contentID), record.createdAt, row.storedAt, record.rev, row.batchKey)
        }
        let changes = changes.sorted { ($0.inbox, $0.stamp.seq) < ($1.inbox, $1.stamp.seq) }.map { row in
            let (columns, stamp) = (row.change.columns, row.stamp)
            return line(
                row.inbox, stamp.seq, columns.kind, columns.reference, columns.ids, stamp.unread, stamp.unseen,
                stamp.delta)
        }
        let topics = topics.values.sorted { $0.name < $1.name }.flatMap { name, topic in
            topic.members.isEmpty
                ? [line(name, topic.replacement, nil)]
                : topic.members.sorted().map { line(name, topic.replacement, $0) }
        }
        return [
            "inbox": inboxes, "notification": rows, "pushOnly": pushOnly, "change": changes, "topic": topics,
            "erasure": erased.sorted().map { "\($0)" },
            "revocation": revocations.map { line($0.key.key, $0.value) }.sorted(),
        ]
    }

    private var pushRows: [String: [String]] {
        let devices = devices.values.sorted { $0.row < $1.row }.map { record in
            let (device, app) = (record.device, inboxes[record.inbox]?.user.app ?? .unnamed)
            return line(
                record.row, record.inbox, device.app, device.id, device.provider.name,
                device.awaitsToken ? device.token : app.key(device.token),
                record.badge?.number, record.badge?.rule.rawValue, device.registrar.rawValue, device.lastSeenAt)
        }
        let jobs = jobs.sorted { $0.value.place < $1.value.place }.map { number, job in
            line(
                job.place.rawValue >> 17, number.rawValue, job.new.isFallback, job.failures, job.expiry, job.foldKey,
                job.fold, job.collapse, job.withdrawn.isEmpty ? nil : job.withdrawn.joined(separator: " "), job.seq,
                job.new.deadline, job.heldFrom, job.isShown, job.shownAs, job.content != nil)
        }
        let marks = marks.sorted { $0.key < $1.key }.flatMap { device, marks in
            marks.map { "\(device) | \(wholeText(of: $0))" }
        }
        let paces = paces.sorted { ($0.key.inbox, $0.key.foldKey) < ($1.key.inbox, $1.key.foldKey) }.map { key, pace in
            line(key.inbox, key.foldKey, pace.start, pace.count, pace.hasWaiting, pace.end)
        }
        let activities = activities.sorted { ($0.key.device, $0.key.key) < ($1.key.device, $1.key.key) }
            .map { place, stored in
                line(
                    place.device, place.key, stored.inbox, stored.provider.place, stored.activity.due,
                    stored.activity.isSending, stored.activity.end, stored.activity.json)
            }
        let activityDevices = activityDevices.sorted { $0.key < $1.key }.map { line($0.key, $0.value.json) }
        return [
            "device": devices, "job": jobs, "mark": marks, "pace": paces, "activity": activities,
            "activityDevice": activityDevices,
        ]
    }

    private var feedRows: [String: [String]] {
        let feeds = feeds.map { ($0.key.text, $0.value) }.sorted { $0.0 < $1.0 }
        let items = feeds.flatMap { name, feed in
            feed.items.values.sorted { $0.place.offset < $1.place.offset }.map { item in
                line(
                    name, item.place.offset, item.place.time, item.author, item.other?.offset, item.other?.time,
                    item.id,
                    item.json, item.tags.isEmpty ? nil : item.tags.map(\.text).sorted().joined(separator: ","))
            }
        }
        let changes = feeds.flatMap { name, feed in
            feed.changes.sorted { $0.key < $1.key }.map { offset, change in
                var isRemoval = false
                if case .removes = change.change { isRemoval = true }
                return line(name, offset, change.time, change.change.target, isRemoval, change.id)
            }
        }
        let viewed = feeds.flatMap { name, feed in
            feed.marks.sorted { $0.key < $1.key }.map { line(name, $0.key, $0.value) }
        }
        return ["item": items, "feedChange": changes, "viewed": viewed]
    }

    private var trailRows: [String: [String]] {
        let order: (TrailPlace, TrailPlace) -> Bool = { ($0.event, $0.page) < ($1.event, $1.page) }
        let events = events.sorted { order($0.place, $1.place) }.map { row in
            line(
                row.place.event, row.place.page, row.head.publisher, row.head.key, row.head.type, row.head.actor,
                row.head.occurredAt, row.head.acceptedAt, row.verdicts.bytes,
                row.head.data.map { JSONValue.object($0).encoded }, row.retracted, row.retractedAt,
                row.use != nil, row.use?.recipients, row.use?.created, row.use?.updated, row.use?.suppressed,
                row.repeats.count, row.repeats.last)
        }
        let steps = steps.map { step in
            let columns = step.step.columns
            return line(
                step.inbox, step.notification, step.at, columns.kind, columns.detail,
                columns.place ?? step.sentAt?.milliseconds, step.provider?.name, step.device)
        }
        let broadcasts = broadcasts.sorted { $0.key < $1.key }.map { event, kept in
            let (record, broadcast) = (kept.record, kept.record.broadcast)
            var problem: String?
            if case .abandoned(let reason) = broadcast.state { problem = reason }
            return line(
                event, record.afterInbox, record.lastInbox, broadcast.total, broadcast.created, broadcast.updated,
                broadcast.suppressed, broadcast.acceptedAt, broadcast.endedAt, problem, kept.pages.count,
                kept.known.count)
        }
        return ["event": events, "step": steps.sorted(), "broadcast": broadcasts]
    }
}
