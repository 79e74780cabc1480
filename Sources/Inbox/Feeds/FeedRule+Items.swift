package import JSON

extension FeedRule {
    private static let maximumIDBytes = 200
    /// An e-mail address has at most 254 bytes (RFC 5321 §4.5.3.1.3).
    private static let maximumAuthorBytes = 254
    private static let maximumTags = 20
    package static let maximumTagBytes = 100
    /// The usual size of an item; the writer's buffer need not grow for those.
    private static let usualItemBytes = 512

    /// Whether the rule reads nothing in an item, so that the item is passed on as it is.
    private var findsNothing: Bool { id == nil && author == nil && time == nil && tags == nil }

    /// Reads the values that the rule finds in an item.
    ///
    /// - Parameter now: a placeholder where the feed will write the item's stamp.
    package func item(_ json: JSONNode, of feed: String, at now: Timestamp) throws(FeedItemProblem) -> FeedItem {
        guard findsNothing else { return try item(json.value, of: feed, at: now) }
        // A small buffer: thousands of small items may wait for their commit.
        var writer = JSONWriter(capacity: Self.usualItemBytes / 2)
        writer.value(json)
        return FeedItem(feed: feed, json: writer.bytes, publishedAt: now)
    }

    /// Reads the values that the rule finds in an item.
    ///
    /// - Parameter now: a placeholder where the feed will write the item's stamp.
    package func item(_ value: JSONValue, of feed: String, at now: Timestamp) throws(FeedItemProblem) -> FeedItem {
        let (json, stampPlace) = try stamped(value, at: now)
        return FeedItem(
            feed: feed, json: json, publishedAt: now,
            id: try id.map { path throws(FeedItemProblem) in
                try text(at: path, of: value, maximumBytes: Self.maximumIDBytes)
            } ?? nil,
            author: try author.map { path throws(FeedItemProblem) in
                try text(at: path, of: value, maximumBytes: Self.maximumAuthorBytes)
            } ?? nil,
            tags: try tags(of: value), stampPlace: stampPlace)
    }

    /// A text or a whole number; nil if the item has no value there.
    private func text(
        at path: [String], of item: JSONValue, maximumBytes: Int
    ) throws(FeedItemProblem) -> String? {
        let text: String
        switch item.at(path) {
        case nil, .null: return nil
        case .string(let value): text = value
        case let other?:
            if let digits = other.wholeText {
                text = digits
                break
            }
            throw Self.problem("wrong_type", path, "expected a text or a whole number, found \(other.kind)")
        }
        guard (1...maximumBytes).contains(text.utf8.count), text.isName else {
            throw Self.problem(
                "invalid_value", path, "expected 1 to \(maximumBytes) bytes, \(String.nameExpectation)")
        }
        return text
    }

    private func tags(of item: JSONValue) throws(FeedItemProblem) -> [String] {
        guard let path = tags else { return [] }
        var tags: [String] = []
        switch item.at(path) {
        case nil, .null: return []
        case .string(let tag): tags = [tag]
        case .array(let elements):
            tags = elements.compactMap(\.string)
            guard tags.count == elements.count else {
                throw Self.problem("wrong_type", path, "expected a list of texts")
            }
        case let other?: throw Self.problem("wrong_type", path, "expected a list of texts, found \(other.kind)")
        }
        guard tags.count <= Self.maximumTags, tags.allSatisfy(Self.isTag) else {
            throw Self.problem(
                "invalid_value", path,
                "expected at most \(Self.maximumTags) tags, each of 1 to \(Self.maximumTagBytes) bytes, "
                    + String.nameExpectation)
        }
        var seen: Set<ExactText> = []
        return tags.filter { seen.insert(ExactText($0)).inserted }
    }

    private static func isTag(_ text: String) -> Bool {
        (1...maximumTagBytes).contains(text.utf8.count) && text.isName
    }

    // MARK: The stamp

    /// The item's JSON, and the index of the stamp at the path `time`.
    private func stamped(
        _ item: JSONValue, at now: Timestamp
    ) throws(FeedItemProblem) -> (json: [UInt8], stampPlace: Int?) {
        guard let path = time else { return (item.encoded, nil) }
        // Each value on the way to the stamp must be an object or absent.
        for length in path.indices {
            let way = path[..<length]
            guard let value = item.at(way), value.object == nil, length == 0 || value != .null else { continue }
            throw Self.problem("wrong_type", Array(way), "expected an object, found \(value.kind)")
        }
        switch item.at(path) {
        case .object?, .array?: throw Self.problem("wrong_type", path, "expected a time")
        case nil, .null?, .bool?, .int?, .double?, .number?, .string?: break
        }
        var json = JSONWriter(capacity: Self.usualItemBytes)
        let place = Self.write(item.object ?? JSONObject(), stamp: now.iso8601, at: path[...], to: &json)
        return (json.bytes, place)
    }

    /// Writes an object with a stamp at `path`: over the value there, or behind the other members.
    ///
    /// - Returns: the index where the stamp's text begins.
    private static func write(
        _ object: JSONObject, stamp: String, at path: ArraySlice<String>, to json: inout JSONWriter
    ) -> Int {
        var place: Int?
        json.object { json in
            for member in object.members {
                guard member.key == path.first else {
                    json.key(dynamic: member.key)
                    json.value(member.value)
                    continue
                }
                // For members with equal keys the first counts here, but another reader may take the last: only one is
                // written.
                guard place == nil else { continue }
                place = write(member, stamp: stamp, at: path, to: &json)
            }
            if place == nil, let key = path.first {
                place = write(.init(key: key, value: .null), stamp: stamp, at: path, to: &json)
            }
        }
        return place ?? 0
    }

    private static func write(
        _ member: JSONObject.Member, stamp: String, at path: ArraySlice<String>, to json: inout JSONWriter
    ) -> Int {
        json.key(dynamic: member.key)
        let rest = path.dropFirst()
        guard rest.isEmpty else {
            return write(member.value.object ?? JSONObject(), stamp: stamp, at: rest, to: &json)
        }
        json.value(stamp)
        return json.bytes.count - 1 - stamp.utf8.count  // behind it stands the closing quote
    }

    private static func problem(_ code: String, _ path: [String], _ message: String) -> FeedItemProblem {
        let name = path.joined(separator: ".")
        return FeedItemProblem(
            code: code, pointer: JSONPointer().appending(path).text,
            message: name.isEmpty ? message : "\(name): \(message)")
    }
}
