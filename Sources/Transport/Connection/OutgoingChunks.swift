/// The chunks of an ``OutgoingQueue`` that holds more than one whole chunk.
final class OutgoingChunks {
    /// The number of empty places from which the waiting chunks move up.
    private static let gapBeforeMoving = 64

    private var first: [UInt8]
    private var rest: [[UInt8]] = []
    /// The number of sent bytes of `first`, and of sent chunks of `rest`.
    private var sentOfFirst = 0
    private var takenOfRest = 0
    /// The number of waiting bytes.
    private(set) var count: Int

    init(first: [UInt8]) {
        self.first = first
        count = first.count
    }

    convenience init(first: [UInt8], second: [UInt8]) {
        self.init(first: first)
        append(second)
    }

    func append(_ chunk: [UInt8]) {
        rest.append(chunk)
        count += chunk.count
    }

    /// See ``OutgoingQueue/withNextRun(scratch:_:)``.
    func withNextRun<Result>(
        scratch: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if takenOfRest == rest.count || first.count - sentOfFirst >= scratch.count {
            return first.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentOfFirst...])) }
        }
        var filled = 0
        fill(scratch, from: &filled, with: first[sentOfFirst...])
        for chunk in rest[takenOfRest...] {
            // Ends the loop early: a slow reader's queue is long, and every call that empties it runs this loop.
            guard filled < scratch.count else { break }
            fill(scratch, from: &filled, with: chunk[...])
        }
        return body(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
    }

    /// Removes the first `sent` bytes; the queue is empty if that was all.
    func removeFirst(_ sent: Int) {
        count -= sent
        guard count > 0 else { return }
        var left = sent
        while left >= first.count - sentOfFirst {
            left -= first.count - sentOfFirst
            advance()
        }
        sentOfFirst += left
    }

    private func advance() {
        sentOfFirst = 0
        first = rest[takenOfRest]
        rest[takenOfRest] = []
        takenOfRest += 1
        if takenOfRest == rest.count {
            rest = []
            takenOfRest = 0
        } else if takenOfRest >= Self.gapBeforeMoving, takenOfRest * 2 >= rest.count {
            // Otherwise a queue that is never quite empty would grow with every chunk.
            rest.removeFirst(takenOfRest)
            takenOfRest = 0
        }
    }

    private func fill(_ scratch: UnsafeMutableRawBufferPointer, from filled: inout Int, with chunk: ArraySlice<UInt8>) {
        let taken = min(scratch.count - filled, chunk.count)
        chunk.withUnsafeBytes { bytes in
            scratch[filled..<(filled + taken)].copyBytes(from: bytes.prefix(taken))
        }
        filled += taken
    }
}
