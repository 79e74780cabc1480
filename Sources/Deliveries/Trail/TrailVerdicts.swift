package import Inbox
import JSON
import Push
import Store

/// The decisions about one event, or about one page of it, each with its people.
///
/// As bytes, each decision is a varint with the length of its JSON, that JSON, a varint with the length of the
/// ``RecipientList``, and that list.
package struct TrailVerdicts: Sendable, Hashable {
    package struct Verdict: Sendable, Hashable {
        package let decision: TrailDecision
        /// The name of the notification type; nil if no type was found.
        package let type: String?
        /// Whether a session of the person was open.
        package let isLive: Bool

        /// Whether there may be a notification by it.
        package var hasNotification: Bool {
            switch decision {
            case .created, .grew, .pushOnly: true
            case .isActor, .unrouted, .muted, .preferenceOff: false
            }
        }

        /// Whether it holds a text of the event's or the person's.
        package var hasText: Bool { if case .muted = decision { true } else { false } }

        package init(decision: TrailDecision, type: String?, isLive: Bool) {
            (self.decision, self.type, self.isLive) = (decision, type, isLive)
        }
    }

    package struct Group: Sendable, Hashable {
        package let verdict: Verdict
        package var recipients = RecipientList()
        /// People who have no inbox.
        package var strangers: [UserID] = []

        package init(verdict: Verdict, recipients: RecipientList = RecipientList(), strangers: [UserID] = []) {
            (self.verdict, self.recipients, self.strangers) = (verdict, recipients, strangers)
        }
    }

    /// Kept apart until the next one comes: most events have one verdict, and so need no list.
    private var first: Group?
    private var others: [Group] = []
    /// The number of groups.
    package private(set) var count = 0

    package var groups: [Group] {
        get { first.map { [$0] + others } ?? [] }
        set {
            (first, others, count) = (newValue.first, Array(newValue.dropFirst()), newValue.count)
        }
    }

    package mutating func append(_ group: consuming Group) {
        if count == 0 { first = group } else { others.append(group) }
        count += 1
    }

    /// The verdict of the group at this index.
    package func verdict(at place: Int) -> Verdict {
        if place == 0, let verdict = first?.verdict { verdict } else { others[place - 1].verdict }
    }

    /// The index of the verdict's group, if it has one.
    package func place(of verdict: Verdict) -> Int? {
        if count == 0 { return nil }
        if first?.verdict == verdict { return 0 }
        return others.firstIndex { $0.verdict == verdict }.map { $0 + 1 }
    }

    package mutating func append(_ recipient: RecipientList.Recipient, toGroupAt place: Int) {
        if place == 0 { first?.recipients.append(recipient) } else { others[place - 1].recipients.append(recipient) }
    }

    package mutating func append(stranger: UserID, toGroupAt place: Int) {
        if place == 0 { first?.strangers.append(stranger) } else { others[place - 1].strangers.append(stranger) }
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var heads = RecentHeads()
        append(to: &bytes, &heads)
        return bytes
    }

    /// Appends ``bytes``.
    /// - Parameter heads: those that were written lately.
    package func append(to bytes: inout [UInt8], _ heads: inout RecentHeads) {
        first?.append(to: &bytes, &heads)
        for group in others { group.append(to: &bytes, &heads) }
    }

    package init() {}

    package init(groups: [Group]) { self.groups = groups }

    /// Reads what ``bytes`` wrote; nil for anything else, so that every group's recipients can be read.
    package init?(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let head = rest.takeBytes(), let list = rest.takeBytes(), RecipientList.isReadable(list),
                let json = try? JSONValue(parsing: Array(head)),  // damaged: what it says is then "nil"
                var group = Group(json: json)
            else { return nil }
            group.recipients = RecipientList(bytes: list)
            append(group)
        }
    }
}

extension TrailVerdicts {
    /// Writes the verdicts of one event after the other, into the same memory.
    package struct Writer {
        private var heads = RecentHeads()
        private var bytes: [UInt8] = []

        package init() {}

        /// See ``TrailVerdicts/bytes``.
        package mutating func bytes(of verdicts: TrailVerdicts) -> [UInt8] {
            bytes.removeAll(keepingCapacity: true)
            verdicts.append(to: &bytes, &heads)
            return bytes
        }
    }

    /// The JSON of the last verdicts: when many events are written in turn, their verdicts are mostly the same.
    package struct RecentHeads {
        /// Up to this many, a search is faster than writing one.
        private static let limit = 8

        private var heads: [(verdict: Verdict, json: [UInt8])] = []

        package mutating func head(of group: Group) -> [UInt8] {
            // Strangers' names are part of the JSON, and equal texts of subjects may have different octets.
            guard group.strangers.isEmpty, !group.verdict.hasText else { return group.head }
            if let known = heads.first(where: { $0.verdict == group.verdict }) { return known.json }
            let json = group.head
            if heads.count == Self.limit { heads.removeAll(keepingCapacity: true) }
            heads.append((group.verdict, json))
            return json
        }
    }
}

extension TrailVerdicts.Group {
    fileprivate func append(to bytes: inout [UInt8], _ heads: inout TrailVerdicts.RecentHeads) {
        let head = heads.head(of: self)
        bytes.appendVarint(UInt64(head.count))
        bytes += head
        bytes.appendVarint(UInt64(recipients.byteCount))
        recipients.append(to: &bytes)
    }

    /// The group's JSON: all but its recipients.
    fileprivate var head: [UInt8] {
        var json = JSONWriter(capacity: 96)
        json.object { json in
            json.member("decision", verdict.decision.json)
            if let type = verdict.type { json.member("type", type) }
            if verdict.isLive { json.member("live", true) }
            if !strangers.isEmpty {
                json.key("strangers")
                json.array { json in
                    for user in strangers { json.value(user.key) }
                }
            }
        }
        return json.bytes
    }

    fileprivate init?(json: JSONValue) {
        guard let decision = json.at(["decision"]).flatMap(TrailDecision.init(json:)) else { return nil }
        verdict = TrailVerdicts.Verdict(
            decision: decision, type: json.at(["type"])?.string, isLive: json.at(["live"])?.bool ?? false)
        strangers = (json.at(["strangers"])?.array ?? []).compactMap { $0.string.flatMap { UserID(key: $0) } }
    }
}
