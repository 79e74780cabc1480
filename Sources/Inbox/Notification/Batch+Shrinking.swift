extension Batch {
    /// What is left when an event is taken back; nil if nothing is.
    ///
    /// Its span of time stays, and so does the order of its kinds: what the others of its events were is not known
    /// here.
    ///
    /// - Parameter event: what the event alone would have gathered.
    package func removing(_ event: Batch) -> Batch? {
        var rest = self
        for tally in event.tallies {
            guard let index = rest.tallies.firstIndex(where: { $0.kind == tally.kind }) else { continue }
            rest.tallies[index].count -= tally.count
            if rest.tallies[index].count <= 0 { rest.tallies.remove(at: index) }
        }
        for sample in event.samples {
            // Of samples that came after the batch was full there is none.
            guard let index = rest.samples.firstIndex(of: sample) else { continue }
            rest.samples.remove(at: index)
        }
        for matter in event.matters {
            // Beyond a number of lists what an event was about is not known.
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
