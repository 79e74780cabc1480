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

    /// No sum of such counts and no span between such times overflows, and none that was written is beyond.
    fileprivate static let possibleCounts: ClosedRange<Int64> = 0...1 << 40
    fileprivate static let possibleTimes: ClosedRange<Int64> = -(1 << 60)...1 << 60

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        guard let object = json.object,
            let tallies = object["tallies"]?.array, let samples = object["samples"]?.array,
            let earliest = object["earliest"]?.int, let latest = object["latest"]?.int
        else { return nil }
        let read = tallies.compactMap(Tally.init(json:))
        guard read.count == tallies.count, [earliest, latest].allSatisfy(Self.possibleTimes.contains) else {
            return nil
        }
        self.init(
            tallies: read, samples: samples, earliest: Timestamp(milliseconds: earliest),
            latest: Timestamp(milliseconds: latest),
            matters: (object["matters"]?.array ?? []).compactMap(Matter.init(json:)))
    }
}

extension Batch.Matter {
    fileprivate var json: JSONValue { .array([.int(events)] + subjects.map(JSONValue.string)) }

    fileprivate init?(json: JSONValue) {
        guard let values = json.array, let events = values.first?.int, Batch.possibleCounts.contains(events) else {
            return nil
        }
        self.init(subjects: values.dropFirst().compactMap(\.string), events: events)
    }
}

extension Batch.Tally {
    fileprivate var json: JSONValue { [.string(kind), .int(count), .int(first.milliseconds), .int(place)] }

    fileprivate init?(json: JSONValue) {
        guard let values = json.array, values.count == 4, let kind = values[0].string, let count = values[1].int,
            let first = values[2].int, let place = values[3].int, Batch.possibleCounts.contains(count),
            Batch.possibleTimes.contains(first)
        else { return nil }
        self.init(kind: kind, count: count, first: Timestamp(milliseconds: first), place: place)
    }
}
