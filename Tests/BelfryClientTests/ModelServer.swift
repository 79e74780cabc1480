@testable import BelfryClient

/// A plain model of a server with one person's inbox, and one session at a time with the client of a ``World``.
///
/// Its frames wait until the test lets them through, so that anything may happen meanwhile.
struct ModelServer {
    private struct Row {
        let id: String
        var rev: Int64 = 1
        var seq: Int64
        var place: Int64?
        var isRead = false
        var isSeen = false

        var value: JSONValue {
            var members: [String: JSONValue] = [
                "id": .string(id), "type": "LIKE", "displayText": .string("\(id) \(rev)"), "rev": .integer(rev),
                "seq": .integer(seq), "isRead": .bool(isRead), "isSeen": .bool(isSeen),
            ]
            members["place"] = place.map(JSONValue.integer)
            return .object(members)
        }
    }

    private var epoch = 1
    private(set) var seq: Int64 = 0
    /// The newest first, as the list has them.
    private var rows: [Row] = []
    /// Frames without their notification, and the id of that.
    private var changes: [(frame: [String: JSONValue], id: String?)] = []
    private var names: Int64 = 0
    private(set) var isReady = false
    /// The frames that are on their way to the client.
    var down: [JSONValue] = []
    /// Commands that are refused.
    var refuses = false

    private var epochName: String { "e\(epoch)" }
    var unread: Int { rows.count { !$0.isRead } }
    var unseen: Int { rows.count { !$0.isSeen } }
    var ids: [String] { rows.map(\.id) }
    /// The list that a client in step shows.
    var shown: [String] { rows.map { "\($0.id) \($0.rev) \($0.isRead) \($0.isSeen)" } }

    // MARK: Changes of the inbox

    mutating func publish() {
        names += 1
        let row = Row(id: "n\(names)", seq: seq + 1)
        rows.insert(row, at: 0)
        change("new", [:], row)
    }

    mutating func grow(_ id: String, comesUp: Bool) {
        guard let index = rows.firstIndex(where: { $0.id == id && !$0.isRead }) else { return }
        rows[index].rev += 1
        rows[index].seq = seq + 1
        rows[index].isSeen = false
        if comesUp {
            rows[index].place = seq + 1
            rows.insert(rows.remove(at: index), at: 0)
        }
        change("update", [:], rows.first { $0.id == id })
    }

    /// - Parameter ids: nil: all up to `upTo`.
    mutating func apply(_ kind: String, ids: [String]?, upTo: Int64) {
        let meant = rows.filter { row in
            let isNamed = ids.map { $0.contains(row.id) } ?? (row.seq <= upTo)
            return isNamed && (kind == "remove" || !(kind == "read" ? row.isRead : row.isSeen))
        }.map(\.id)
        guard !meant.isEmpty else { return }
        if kind == "remove" { rows.removeAll { meant.contains($0.id) } }
        for index in rows.indices where meant.contains(rows[index].id) {
            rows[index].isSeen = true
            if kind == "read" { rows[index].isRead = true }
        }
        let selection: [String: JSONValue] =
            ids == nil ? ["upTo": .integer(min(upTo, seq))] : ["ids": .array(meant.map(JSONValue.string))]
        change(kind == "remove" ? "removed" : kind, selection, nil)
    }

    private mutating func change(_ type: String, _ members: [String: JSONValue], _ row: Row?) {
        seq += 1
        var frame = members
        frame["type"] = .string(type)
        frame["seq"] = .integer(seq)
        frame["unread"] = .integer(Int64(unread))
        frame["unseen"] = .integer(Int64(unseen))
        changes.append((frame, row?.id))
        frame["notification"] = row?.value
        if isReady { down.append(.object(frame)) }
    }

    /// As after a restore: another epoch, and some of the newest never happened.
    mutating func restore() {
        epoch += 1
        changes = []
        rows.removeFirst(min(2, rows.count))
        seq = max(0, seq - 1)
        for index in rows.indices { rows[index].seq = min(rows[index].seq, seq) }
        cut()
    }

    // MARK: The session

    mutating func cut() {
        isReady = false
        down = []
    }

    mutating func beat() {
        if isReady { down.append(["type": "beat", "seq": .integer(seq), "unread": .integer(Int64(unread))]) }
    }

    /// Replaces the changes that have not come through yet by one gap.
    mutating func fold() {
        let from = down.compactMap { $0["unseen"] == nil ? nil : $0["seq"]?.integer }.min()
        guard isReady, let from, !down.contains(where: { ["ready", "reset"].contains($0["type"]?.string) }) else {
            return
        }
        down.removeAll { $0["seq"] != nil }
        down.append(["type": "gap", "from": .integer(from), "to": .integer(seq), "unread": .integer(Int64(unread))])
    }

    mutating func receive(_ frame: ClientFrame) {
        if frame.type == "hello" { return begin(frame.members["resume"]) }
        guard isReady else { return }
        let id = frame.members["id"]
        if ["read", "seen", "remove"].contains(frame.type) {
            if refuses, let id {
                down.append(["type": "error", "id": id, "code": "store_failed", "message": "no", "temporary": true])
                return
            }
            let ids = frame.members["ids"]?.array?.compactMap(\.string)
            apply(frame.type, ids: ids, upTo: frame.members["upTo"]?.integer ?? 0)
        }
        if let id { down.append(["type": "ok", "id": id]) }
    }

    private mutating func begin(_ resume: JSONValue?) {
        isReady = true
        let missed = seq - (resume?["seq"]?.integer ?? 0)
        let isKnown = resume?["epoch"]?.string == epochName && missed >= 0 && missed <= Int64(changes.count)
        let counts: [String: JSONValue] = [
            "epoch": .string(epochName), "seq": .integer(seq), "unread": .integer(Int64(unread)),
            "unseen": .integer(Int64(unseen)),
        ]
        let ready: [String: JSONValue] = [
            "type": "ready", "heartbeat": 25_000, "recovered": .bool(isKnown),
            "limits": ["frames": 100, "framesWindow": 10_000],
        ]
        down.append(.object(counts.merging(ready) { $1 }))
        guard isKnown else {
            let reset: [String: JSONValue] = [
                "type": "reset", "notifications": .array(rows.prefix(20).map(\.value)),
            ]
            down.append(.object(counts.merging(reset) { $1 }))
            return
        }
        for change in changes.suffix(Int(missed)) { down.append(replay(change.frame, change.id)) }
    }

    private func replay(_ change: [String: JSONValue], _ id: String?) -> JSONValue {
        var frame = change
        frame["replay"] = true
        guard let id else { return .object(frame) }
        if let row = rows.first(where: { $0.id == id }) {
            frame["notification"] = row.value
        } else {
            frame["type"] = "removed"
            frame["ids"] = [.string(id)]
        }
        return .object(frame)
    }

    /// The list over HTTP.
    ///
    /// - Parameter before: the id behind which the page begins; empty for the first one.
    func page(before: String) -> JSONValue {
        let number = { (id: String) in Int64(id.dropFirst()) ?? 0 }
        var behind = rows[...]
        if let index = rows.firstIndex(where: { $0.id == before }) {
            behind = rows[(index + 1)...]
        } else if !before.isEmpty {
            // Behind a row that is gone: where it came in first.
            behind = rows.filter { number($0.id) < number(before) }[...]
        }
        let meta: JSONValue = [
            "epoch": .string(epochName), "seq": .integer(seq), "unread": .integer(Int64(unread)),
            "unseen": .integer(Int64(unseen)), "next": behind.count > 100 ? "next" : .null,
        ]
        return ["data": .array(behind.prefix(100).map(\.value)), "meta": meta]
    }
}
