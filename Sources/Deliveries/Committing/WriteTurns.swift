/// Picks the next writes where more waits than one commit holds.
///
/// Each publisher of an app, and each feed, has a line of its own, in which its writes keep their order. The server's own
/// writes share one. The line that has had the fewest rows is next. So whoever publishes most waits for itself, and the
/// others for one commit. A line that comes anew begins where the others are: nobody saves turns for later.
package struct WriteTurns {
    private struct Line {
        let owner: String?
        /// In their order; those before `first` are taken.
        var writes: [any Write] = []
        var first = 0
        /// The rows of the writes that had their turn.
        var served: Int

        var isEmpty: Bool { first == writes.count }

        mutating func take() -> any Write {
            let write = writes[first]
            first += 1
            // Each write moves once on average.
            if first > writes.count / 2 {
                writes.removeFirst(first)
                first = 0
            }
            return write
        }
    }

    private var lines: [Line] = []
    /// The places in `lines` by owner.
    private var places: [String?: Int] = [:]

    package var isEmpty: Bool { lines.isEmpty }

    /// Whether more than one waits.
    package var isShared: Bool { lines.count > 1 }

    package init() {}

    package mutating func add(_ writes: some Sequence<any Write>) {
        for write in writes {
            let owner = write.owner
            let place: Int
            if let known = places[owner] {
                place = known
            } else {
                place = lines.count
                lines.append(Line(owner: owner, served: lines.map(\.served).min() ?? 0))
                places[owner] = place
            }
            lines[place].writes.append(write)
        }
    }

    /// Takes the next writes for one commit: at least one, and no more once they have so many rows. A rehearsal is alone.
    package mutating func next(rows limit: Int) -> [any Write] {
        var (taken, rows): ([any Write], Int) = ([], 0)
        while let place = lines.indices.min(by: { lines[$0].served < lines[$1].served }) {
            let write = lines[place].writes[lines[place].first]
            if !taken.isEmpty, write.isRehearsal || rows + write.rows > limit { break }
            taken.append(lines[place].take())
            rows += write.rows
            // A write without rows takes a turn, too.
            lines[place].served += max(write.rows, 1)
            if lines[place].isEmpty { remove(place) }
            if write.isRehearsal { break }
        }
        return taken
    }

    private mutating func remove(_ place: Int) {
        places[lines[place].owner] = nil
        lines.swapAt(place, lines.count - 1)
        lines.removeLast()
        if place < lines.count { places[lines[place].owner] = place }
    }
}
