import JSON

/// How a type's notifications grow: which events form a batch, what the batch counts, and how the sum reads.
struct BatchRule: Sendable, Hashable {
    /// The words for a number of elements of one kind.
    struct Noun: Sendable, Hashable {
        /// Empty where elements have no kind.
        let kind: String
        let words: CountedRule
    }

    struct Samples: Sendable, Hashable {
        /// The notification's member that lists them.
        let member: String
        let maximum: Int
        /// Whether the last samples are shown, instead of the first ones.
        let showsLast: Bool
        /// The kinds of elements that are shown; nil for all kinds.
        let kinds: [String]?
        /// The shown members of an element; nil for the whole element.
        let each: [MemberRule]?
    }

    let window: Duration
    /// The values that all events of a batch share, beside the type and the recipient.
    let by: [Placeholder]
    /// The path of the list in `data` whose elements are counted.
    let list: [String]
    /// The path of the kind within an element.
    let kind: [String]?
    let nouns: [Noun]
    /// The texts between the nouns, and before the last one: ", " and " and ".
    let separators: [String]
    let samples: Samples?
    /// Whether a notification that has grown moves to the top of the list.
    let comesUpAgain: Bool

    // MARK: Gathering

    func key(type: String, _ rendering: Rendering) -> String {
        // JSON, because two different lists of values never have the same JSON text.
        let values = JSONValue.array([.string(type)] + by.map { rendering.value(of: $0) ?? .null })
        return String(decoding: values.encoded, as: UTF8.self)
    }

    /// The open batch, grown by the elements of an event's data. Only the samples depend on the order in which events
    /// come.
    func batch(_ data: JSONObject, at time: Timestamp, growing open: Batch?) -> Batch {
        var batch = open ?? Batch(tallies: [], samples: [], earliest: time, latest: time)
        batch.earliest = min(batch.earliest, time)
        batch.latest = max(batch.latest, time)
        let elements = data.element(at: list)?.array ?? []
        for (place, element) in elements.enumerated() {
            let kind = kind(of: element) ?? ""
            batch.count(kind, at: time, place: Int64(place))
            samples?.take(element, kind, into: &batch.samples)
        }
        batch.sortTallies(kinds: nouns.map(\.kind))
        return batch
    }

    private func kind(of element: JSONValue) -> String? { kind.flatMap { element.at($0)?.string } }

    // MARK: Words

    func words(for batch: Batch) -> Rendering.BatchWords {
        let parts = batch.tallies.map(text)
        return Rendering.BatchWords(
            phrase: joined(parts), count: batch.count, kind: kind == nil ? nil : batch.tallies.first?.kind)
    }

    private func text(_ tally: Batch.Tally) -> String {
        let words = Rendering.BatchWords(phrase: "", count: tally.count, kind: nil)
        let form = nouns.first { $0.kind == tally.kind }?.words.form(for: tally.count)
        // An open batch has a kind without a noun only after a reload of the catalog.
        return form?.text(Rendering(data: [:], batch: words)) ?? "\(tally.count) \(tally.kind)"
    }

    private func joined(_ parts: [String]) -> String {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: separators[0]) + separators[1] + last
    }

    // MARK: Checking

    func check(_ rendering: Rendering) throws(EventProblem) {
        var pointer: JSONPointer { rendering.place(of: .data(list)) }
        guard let value = rendering.value(of: .data(list)) else {
            throw .missingField(pointer, expected: "an array with at least one element")
        }
        guard let elements = value.array else {
            throw .wrongType(pointer, expected: "an array", found: value.kind)
        }
        guard !elements.isEmpty else { throw .invalidValue(pointer, expected: "at least one element") }
        guard let kind else { return }
        let kinds = nouns.map(\.kind)
        for (place, element) in elements.enumerated() {
            var pointer: JSONPointer { rendering.place(of: .data(list)).appending(String(place)).appending(kind) }
            guard let found = element.at(kind), found != .null else {
                throw .missingField(pointer, expected: Spelling.list(kinds))
            }
            guard let name = found.string else { throw .wrongType(pointer, expected: "a string", found: found.kind) }
            guard kinds.contains(name) else { throw .invalidValue(pointer, expected: Spelling.list(kinds)) }
        }
    }
}

extension BatchRule.Samples {
    fileprivate func take(_ element: JSONValue, _ kind: String, into shown: inout [JSONValue]) {
        guard showsLast || shown.count < maximum, let sample = sample(of: element, kind) else { return }
        shown.append(sample)
        // A reload may have lowered the maximum.
        if shown.count > maximum { shown.removeFirst(shown.count - maximum) }
    }

    /// Nil for an element of a hidden kind, and for one that lacks a value, such as a thumbnail that does not exist
    /// yet.
    private func sample(of element: JSONValue, _ kind: String) -> JSONValue? {
        guard kinds?.contains(kind) != false else { return nil }
        guard let each else { return element }
        guard let object = element.object else { return nil }
        let rendering = Rendering(data: object)
        var sample = JSONObject()
        for member in each {
            guard let value = member.rule.value(rendering) else { return nil }
            sample[member.name] = value
        }
        return .object(sample)
    }
}
