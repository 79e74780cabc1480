package import JSON

extension Batch {
    /// The stored form:
    /// `{"tallies":[["photo",20,1751641364161,0]],"samples":[…],"earliest":…,"latest":…,"matters":[[2,"actor:user-7"]]}`.
    package var json: JSONValue {
        var json: JSONObject = [
            "tallies": .array(tallies.map(\.json)),
            "samples": .array(samples),
            "earliest": .int(earliest.milliseconds),
            "latest": .int(latest.milliseconds),
        ]
        if !matters.isEmpty { json["matters"] = .array(matters.map(\.json)) }
        return .object(json)
    }

    /// More than a batch can count, and so little that sums of such numbers fit into an `Int64`.
    fileprivate static let counts = 0...Int64(1) << 40
    /// In milliseconds; the same for differences of times.
    fileprivate static let times = -(Int64(1) << 53)...Int64(1) << 53

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        guard let object = json.object,
            let tallies = object["tallies"]?.array, let samples = object["samples"]?.array,
            let earliest = object["earliest"]?.int, let latest = object["latest"]?.int,
            Self.times.contains(earliest), Self.times.contains(latest)
        else { return nil }
        let read = tallies.compactMap(Tally.init(json:))
        guard read.count == tallies.count else { return nil }
        self.init(
            tallies: read, samples: samples, earliest: Timestamp(milliseconds: earliest),
            latest: Timestamp(milliseconds: latest),
            matters: (object["matters"]?.array ?? []).compactMap(Matter.init(json:)))
    }
}

extension Batch.Matter {
    fileprivate var json: JSONValue { .array([.int(events)] + subjects.map(JSONValue.string)) }

    fileprivate init?(json: JSONValue) {
        guard let values = json.array, let events = values.first?.int, Batch.counts.contains(events) else {
            return nil
        }
        self.init(subjects: values.dropFirst().compactMap(\.string), events: events)
    }
}

extension Batch.Tally {
    fileprivate var json: JSONValue { [.string(kind), .int(count), .int(first.milliseconds), .int(place)] }

    fileprivate init?(json: JSONValue) {
        guard let values = json.array, values.count == 4, let kind = values[0].string, let count = values[1].int,
            let first = values[2].int, let place = values[3].int, Batch.counts.contains(count),
            Batch.times.contains(first)
        else { return nil }
        self.init(kind: kind, count: count, first: Timestamp(milliseconds: first), place: place)
    }
}
