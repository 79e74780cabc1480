/// Writes that wait for the writer, in their order: a bounded list. Its owner guards it.
package struct WaitingWrites {
    package enum Admission: Sendable, Hashable {
        /// The write is taken in, and nobody drains the list: the caller must start that.
        case start
        case waits
        case overloaded
        case closed
    }

    private var writes: [any Write] = []
    /// Empty, with room for the next writes.
    private var spare: [any Write] = []
    /// The rows of all writes that were taken in and have not begun.
    package private(set) var rows = 0
    private var isDraining = false
    package private(set) var isClosed = false
    private let limit: Int

    /// - Parameter limit: with so many rows waiting, nothing more is taken in. A single write may be larger than that.
    package init(limit: Int) { self.limit = limit }

    package var isEmpty: Bool { writes.isEmpty }

    package mutating func add(_ write: any Write) -> Admission {
        if isClosed { return .closed }
        if rows >= limit { return .overloaded }
        writes.append(write)
        rows += write.rows
        defer { isDraining = true }
        return isDraining ? .waits : .start
    }

    /// Takes everything that waits. It does not count as begun.
    package mutating func takeAll() -> [any Write] {
        writes.isEmpty ? [] : exchange(&writes, with: exchange(&spare, with: []))
    }

    /// As ``takeAll()``. An empty result ends the draining, and the next write starts it again.
    package mutating func takeAllOrEnd() -> [any Write] {
        let taken = takeAll()
        if taken.isEmpty { (isDraining, spare) = (false, []) }
        return taken
    }

    /// Takes the first waiting writes, with so many rows at most, up to a rehearsal. They count as begun.
    package mutating func takeMore(rows limit: Int) -> [any Write] {
        var (count, taken) = (0, 0)
        for write in writes {
            guard !write.isRehearsal, taken + write.rows <= limit else { break }
            (count, taken) = (count + 1, taken + write.rows)
        }
        guard count > 0 else { return [] }
        rows -= taken
        guard count < writes.count else { return takeAll() }
        defer { writes.removeFirst(count) }
        return Array(writes[..<count])
    }

    /// Counts so many rows of the taken writes as begun.
    package mutating func begin(rows begun: Int) { rows -= begun }

    /// - Parameter room: an empty list of earlier writes, whose memory the next ones use.
    package mutating func reuse(_ room: [any Write]) { spare = room }

    /// Takes in nothing more; waiting writes are still drained.
    package mutating func close() { isClosed = true }
}
