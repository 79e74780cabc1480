import Inbox
import JSON

/// Who got what from one event, or from one page of it: decisions, each with the people whom it was about.
///
/// As bytes: for each decision a varint with the length of its JSON, that JSON, a varint with the length of the
/// ``RecipientList``, and that.
struct TrailVerdicts: Sendable, Hashable {
    struct Verdict: Sendable, Hashable {
        let decision: TrailDecision
        /// The name of the notification type; nil where it did not come to that.
        let type: String?
        /// Whether a session of the person was open.
        let isLive: Bool

        /// Whether there may be a notification by it.
        var hasNotification: Bool {
            switch decision {
            case .created, .grew, .pushOnly: true
            case .isActor, .unrouted, .muted, .preferenceOff: false
            }
        }

        /// Whether it tells a text of the event's or of the person's.
        var hasText: Bool { if case .muted = decision { true } else { false } }
    }

    struct Group: Sendable, Hashable {
        let verdict: Verdict
        var recipients = RecipientList()
        /// People who have no inbox.
        var strangers: [UserID] = []
    }

    /// By itself until the next one comes: most events have one verdict, for which no list is allocated so.
    private var first: Group?
    private var others: [Group] = []
    /// Of the groups.
    private(set) var count = 0

    var groups: [Group] {
        get { first.map { [$0] + others } ?? [] }
        set {
            (first, others, count) = (newValue.first, Array(newValue.dropFirst()), newValue.count)
        }
    }

    mutating func append(_ group: consuming Group) {
        if count == 0 { first = group } else { others.append(group) }
        count += 1
    }

    /// The verdict of the group at this place.
    func verdict(at place: Int) -> Verdict {
        if place == 0, let verdict = first?.verdict { verdict } else { others[place - 1].verdict }
    }

    /// The place of the verdict's group, if it has one.
    func place(of verdict: Verdict) -> Int? {
        if count == 0 { return nil }
        if first?.verdict == verdict { return 0 }
        return others.firstIndex { $0.verdict == verdict }.map { $0 + 1 }
    }

    mutating func append(_ recipient: RecipientList.Recipient, toGroupAt place: Int) {
        if place == 0 { first?.recipients.append(recipient) } else { others[place - 1].recipients.append(recipient) }
    }

    mutating func append(stranger: UserID, toGroupAt place: Int) {
        if place == 0 { first?.strangers.append(stranger) } else { others[place - 1].strangers.append(stranger) }
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var heads = RecentHeads()
        append(to: &bytes, &heads)
        return bytes
    }

    /// Appends ``bytes``.
    /// - Parameter heads: those that were written lately.
    func append(to bytes: inout [UInt8], _ heads: inout RecentHeads) {
        first?.append(to: &bytes, &heads)
        for group in others { group.append(to: &bytes, &heads) }
    }

    init() {}

    init(groups: [Group]) { self.groups = groups }

    /// Reads what ``bytes`` wrote; nil for anything else.
    init?(bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let head = rest.takeBytes(), let list = rest.takeBytes(),
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
    struct Writer {
        private var heads = RecentHeads()
        private var bytes: [UInt8] = []

        /// As ``TrailVerdicts/bytes``.
        mutating func bytes(of verdicts: TrailVerdicts) -> [UInt8] {
            bytes.removeAll(keepingCapacity: true)
            verdicts.append(to: &bytes, &heads)
            return bytes
        }
    }

    /// The JSON of the last verdicts, for whoever writes one event after the other: mostly they say the same of
    /// everybody.
    struct RecentHeads {
        /// So many are looked through faster than one is written.
        private static let limit = 8

        private var heads: [(verdict: Verdict, json: [UInt8])] = []

        mutating func head(of group: Group) -> [UInt8] {
            // Strangers stand in it by their names, and equal texts of subjects may have different octets.
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

    /// What it says beside its people.
    fileprivate var head: [UInt8] {
        var json = JSONWriter(capacity: 96)
        json.object { json in
            json.member("decision", verdict.decision.json)
            if let type = verdict.type { json.member("type", type) }
            if verdict.isLive { json.member("live", true) }
            if !strangers.isEmpty {
                json.key("strangers")
                json.array { json in
                    for user in strangers { json.value(user.rawValue) }
                }
            }
        }
        return json.bytes
    }

    fileprivate init?(json: JSONValue) {
        guard let decision = json.at(["decision"]).flatMap(TrailDecision.init(json:)) else { return nil }
        verdict = TrailVerdicts.Verdict(
            decision: decision, type: json.at(["type"])?.string, isLive: json.at(["live"])?.bool ?? false)
        strangers = (json.at(["strangers"])?.array ?? []).compactMap { $0.string.flatMap { UserID(known: $0) } }
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns as many bytes as the number at the front says; nil if there are fewer.
    fileprivate mutating func takeBytes() -> ArraySlice<UInt8>? {
        guard let count = takeVarint(), count <= UInt64(self.count) else { return nil }
        defer { removeFirst(Int(count)) }
        return prefix(Int(count))
    }
}
