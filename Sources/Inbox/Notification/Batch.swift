package import JSON

/// The contents of a growing notification: counts of elements by kind, some samples, and its span of time.
package struct Batch: Sendable, Hashable {
    /// The number of elements of one kind: `photo` 20.
    package struct Tally: Sendable, Hashable {
        package var kind: String
        package var count: Int64
        /// When the kind first came, by the events' own time, and its index in that event's list. Kinds are named in
        /// this order, so that it does not depend on the order in which events arrive.
        package var first: Timestamp
        package var place: Int64

        package init(kind: String, count: Int64, first: Timestamp = Timestamp(milliseconds: 0), place: Int64 = 0) {
            self.kind = kind
            self.count = count
            self.first = first
            self.place = place
        }
    }

    /// The number of the batch's events that are about the same subjects.
    package struct Matter: Sendable, Hashable {
        /// Subjects in the form of ``PushTerms/subjects``.
        package let subjects: [String]
        package var events: Int64

        package init(subjects: [String], events: Int64 = 1) {
            self.subjects = subjects
            self.events = events
        }
    }

    /// The most lists of subjects that are told apart; further events count without their subjects.
    private static let maximumMatters = 32

    /// In the order in which kinds first came: `photo` 20, `video` 3.
    package var tallies: [Tally]
    /// The first few samples to arrive, or the last few, as the notification shows them: `{"url":…,"type":"PHOTO"}`.
    package var samples: [JSONValue]
    /// The times of the earliest and the latest event. The span is shorter than the window, in whatever order events
    /// come.
    package var earliest: Timestamp
    package var latest: Timestamp
    /// The subjects of the batch's events, each list once; empty for a type that never pushes.
    package var matters: [Matter]

    package init(
        tallies: [Tally], samples: [JSONValue], earliest: Timestamp, latest: Timestamp, matters: [Matter] = []
    ) {
        self.matters = matters
        self.tallies = tallies
        self.samples = samples
        self.earliest = earliest
        self.latest = latest
    }

    package var count: Int64 { tallies.reduce(0) { $0 + $1.count } }

    /// Whether an event at `time` belongs in this batch.
    package func admits(_ time: Timestamp, window: Duration) -> Bool {
        max(latest, time) - min(earliest, time) < window
    }

    // MARK: Growing

    /// Takes in the subjects of one more event.
    /// - Parameter isFirst: whether the event began the batch; else the subjects of earlier events may be unknown.
    mutating func take(about subjects: [String], isFirst: Bool) {
        if !isFirst, matters.isEmpty { matters.append(Matter(subjects: [])) }
        let isKnown = matters.contains { $0.subjects == subjects }
        let subjects = isKnown || matters.count < Self.maximumMatters ? subjects : []
        if let place = matters.firstIndex(where: { $0.subjects == subjects }) {
            matters[place].events += 1
        } else {
            matters.append(Matter(subjects: subjects))
        }
    }

    mutating func count(_ kind: String, at time: Timestamp, place: Int64) {
        guard let index = tallies.firstIndex(where: { $0.kind == kind }) else {
            tallies.append(Tally(kind: kind, count: 1, first: time, place: place))
            return
        }
        tallies[index].count += 1
        if (time, place) < (tallies[index].first, tallies[index].place) {
            (tallies[index].first, tallies[index].place) = (time, place)
        }
    }

    /// - Parameter kinds: the catalog's order, which decides between kinds that came at the same time.
    mutating func sortTallies(kinds: [String]) {
        func rank(_ tally: Tally) -> Int { kinds.firstIndex(of: tally.kind) ?? kinds.count }
        tallies.sort { ($0.first, $0.place, rank($0), $0.kind) < ($1.first, $1.place, rank($1), $1.kind) }
    }
}
