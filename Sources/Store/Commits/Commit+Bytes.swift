import Inbox
import JSON
package import Push

// The bytes of a commit: a version, the contents, each once for all its recipients, then the members in order, and at
// the end a checksum. Numbers are varints; texts, bodies and lists begin with their length.

extension Commit {
    private static let version: UInt8 = 2
    /// The list of revocations is behind all else. Nodes of a version without it read everything that has none.
    private static let versionWithRevocations: UInt8 = 3
    private static let checksumBytes = 4

    /// The form in which it travels between processes.
    package var bytes: [UInt8] {
        var bytes = [revoked.isEmpty ? Self.version : Self.versionWithRevocations]
        var (contents, places): ([Content], [ObjectIdentifier: Int]) = ([], [:])
        for delivery in inboxes {
            guard let content = delivery.change.kind.notification?.content, places[ObjectIdentifier(content)] == nil
            else { continue }
            places[ObjectIdentifier(content)] = contents.count
            contents.append(content)
        }
        bytes.append(list: contents) { $0.append($1) }
        bytes.append(list: erased) { $0.append(text: $1.key) }
        bytes.append(list: inboxes) { bytes, delivery in
            bytes.append(text: delivery.user.key)
            bytes.append(flag: delivery.mayBePushed)
            let content = delivery.change.kind.notification.flatMap { places[ObjectIdentifier($0.content)] } ?? 0
            bytes.append(addingCapacity: delivery.change.maximumBytes) {
                $0.append(delivery.change, previous: 0, content: UInt64(content))
            }
        }
        bytes.append(list: feeds) { $0.append($1) }
        bytes.append(list: departures) {
            $0.append(text: $1.user.key)
            $0.append(text: $1.topic)
        }
        bytes.append(list: settings) {
            $0.append(text: $1.user.key)
            $0.append(octets: $1.json)
        }
        bytes.append(list: passing) {
            $0.append(Commit.FeedDelivery(item: $1, position: FeedPosition(epoch: "", offset: 0)))
        }
        bytes.append(list: nextPushDue.sorted { $0.key.name < $1.key.name }) {
            $0.append(text: $1.key.name)
            $0.appendVarint(signed: $1.value.milliseconds)
        }
        if !revoked.isEmpty {
            bytes.append(list: revoked) {
                $0.append(text: $1.user.key)
                $0.appendVarint(signed: $1.issuedBefore.milliseconds)
            }
        }
        return bytes + Self.checksum(bytes[...])
    }

    /// Reads ``bytes``.
    /// - Parameter providers: those that a push may be due for.
    /// - Throws: for bytes that no commit of this version has.
    package init(bytes: [UInt8], providers: ProviderList = .standard) throws {
        let body = bytes.dropLast(Self.checksumBytes)
        guard let version = body.first, version == Self.version || version == Self.versionWithRevocations,
            Self.checksum(body).elementsEqual(bytes[body.endIndex...])
        else { throw DamagedCommit() }
        var reader = CommitReader(body.dropFirst())
        self.init()
        let contents = try reader.list(Content.init)
        erased = try reader.list { try $0.user() }
        inboxes = try reader.list { reader in
            let (user, mayBePushed) = (try reader.user(), try reader.flag())
            return InboxDelivery(user: user, change: try reader.change(contents), mayBePushed: mayBePushed)
        }
        feeds = try reader.list(FeedDelivery.init)
        departures = try reader.list { Departure(user: try $0.user(), topic: try $0.text()) }
        settings = try reader.list { SettingsDelivery(user: try $0.user(), json: try $0.bytes()) }
        passing = try reader.list(FeedDelivery.init).map(\.item)
        for (name, time) in try reader.list({ (try $0.text(), try $0.time()) }) {
            guard let provider = providers[name: name] else { throw DamagedCommit() }
            nextPushDue[provider] = time
        }
        if version == Self.versionWithRevocations {
            revoked = try reader.list { Revocation(user: try $0.user(), issuedBefore: try $0.time()) }
            // Otherwise a commit would have two forms.
            guard !revoked.isEmpty else { throw DamagedCommit() }
        }
        guard reader.isAtEnd else { throw DamagedCommit() }
    }

    /// FNV-1a of 32 bits: a single damaged byte always changes it.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let sum = bytes.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return (0..<checksumBytes).map { UInt8(truncatingIfNeeded: sum >> (8 * UInt32($0))) }
    }
}

// MARK: Writing

extension InboxChange {
    fileprivate var maximumBytes: Int {
        switch kind {
        case .new, .update: Self.maximumHeadBytes + Notification.maximumBytes
        case .read(.ids(let ids)), .removed(.ids(let ids)): Self.maximumHeadBytes + NotificationID.maximumBytes(of: ids)
        case .read(.upTo), .removed(.upTo), .seen: Self.maximumHeadBytes + Int64.maximumVarintBytes
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(flag: Bool) { append(flag ? 1 : 0) }

    fileprivate mutating func append(octets: [UInt8]) {
        appendVarint(UInt64(octets.count))
        append(contentsOf: octets)
    }

    fileprivate mutating func append(text: String) {
        appendVarint(UInt64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append<Value>(optional value: Value?, _ write: (inout Self, Value) -> Void) {
        append(flag: value != nil)
        if let value { write(&self, value) }
    }

    fileprivate mutating func append<Item>(list: [Item], _ write: (inout Self, Item) -> Void) {
        appendVarint(UInt64(list.count))
        for element in list { write(&self, element) }
    }

    fileprivate mutating func append(_ content: Content) {
        append(text: content.type)
        append(text: content.displayText)
        append(octets: content.body)
        append(optional: content.batch) { $0.append(octets: $1.json.encoded) }
        append(optional: content.push) { $0.append(octets: $1.encoded) }
        append(optional: content.group) { $0.append(text: $1) }
        append(optional: content.groupText) { $0.append(octets: $1.encoded) }
    }

    fileprivate mutating func append(_ delivery: Commit.FeedDelivery) {
        let item = delivery.item
        append(text: item.feed)
        append(octets: item.json)
        appendVarint(signed: item.publishedAt.milliseconds)
        append(optional: item.id) { $0.append(text: $1) }
        append(optional: item.author) { $0.append(text: $1) }
        append(list: item.tags) { $0.append(text: $1) }
        append(optional: item.stampPlace) { $0.appendVarint(signed: Int64($1)) }
        append(optional: item.change) {
            $0.append(flag: $1 == .removes($1.target))
            $0.appendVarint(signed: $1.target)
        }
        append(text: delivery.position.epoch)
        appendVarint(signed: delivery.position.offset)
        append(flag: delivery.isOfEvent)
    }
}

// MARK: Reading

extension Content {
    fileprivate convenience init(_ reader: inout CommitReader) throws {
        func value<Value>(_ json: [UInt8]?, _ make: (JSONValue) -> Value?) throws -> Value? {
            guard let json else { return nil }
            guard let value = make(try JSONValue(parsing: json)) else { throw DamagedCommit() }
            return value
        }
        let (type, displayText, body) = (try reader.text(), try reader.text(), try reader.bytes())
        let batch = try value(reader.optional { try $0.bytes() }, Batch.init(json:))
        let push = try value(reader.optional { try $0.bytes() }, PushContent.init(json:))
        let group = try reader.optional { try $0.text() }
        let groupText = try value(reader.optional { try $0.bytes() }, CountedText.init(json:))
        self.init(
            type: type, displayText: displayText, body: body, batch: batch, push: push, group: group,
            groupText: groupText)
    }
}

extension Commit.FeedDelivery {
    fileprivate init(_ reader: inout CommitReader) throws {
        let (feed, json, time) = (try reader.text(), try reader.bytes(), try reader.time())
        let (id, author) = (try reader.optional { try $0.text() }, try reader.optional { try $0.text() })
        let (tags, place) = (try reader.list { try $0.text() }, try reader.optional { try $0.number() })
        if let place, place < 0 || place > Int64(json.count - Timestamp.iso8601Bytes) { throw DamagedCommit() }
        var item = FeedItem(
            feed: feed, json: json, publishedAt: time, id: id, author: author, tags: tags,
            stampPlace: place.map { Int($0) })
        item.change = try reader.optional { try $0.flag() ? .removes(try $0.number()) : .replaces(try $0.number()) }
        let position = FeedPosition(epoch: try reader.text(), offset: try reader.number())
        self.init(item: item, position: position, isOfEvent: try reader.flag())
    }
}
