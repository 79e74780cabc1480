extension Batch {
    /// The rest after an event was taken back; nil for an empty rest.
    ///
    /// The span of time and the order of kinds stay, because the times of the other events are unknown here.
    ///
    /// - Parameter event: the batch that the event alone would have made.
    package func removing(_ event: Batch) -> Batch? {
        var rest = self
        for tally in event.tallies {
            guard let index = rest.tallies.firstIndex(where: { $0.kind == tally.kind }) else { continue }
            rest.tallies[index].count -= tally.count
            if rest.tallies[index].count <= 0 { rest.tallies.remove(at: index) }
        }
        for sample in event.samples {
            // A sample is absent if it came after the batch had its maximum.
            guard let index = rest.samples.firstIndex(of: sample) else { continue }
            rest.samples.remove(at: index)
        }
        for matter in event.matters {
            // Behind `maximumMatters`, the subjects of an event are unknown.
            let place =
                rest.matters.firstIndex { $0.subjects == matter.subjects }
                ?? rest.matters.firstIndex { $0.subjects.isEmpty }
            guard let place else { continue }
            rest.matters[place].events -= matter.events
            if rest.matters[place].events <= 0 { rest.matters.remove(at: place) }
        }
        return rest.tallies.isEmpty ? nil : rest
    }
}
