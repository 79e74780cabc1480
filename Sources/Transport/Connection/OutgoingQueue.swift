/// Bytes on their way to one socket, in order. The chunks are shared: a frame for many waits in many queues, once in memory.
///
/// Holds nothing on the heap while it is empty, and nothing but a reference while one chunk waits.
package struct OutgoingQueue {
    /// From how many empty places on the waiting chunks move up.
    private static let gapBeforeMoving = 64

    private var first: [UInt8] = []
    private var rest: [[UInt8]] = []
    /// How much of `first`, and how many chunks of `rest`, are gone already.
    private var sentOfFirst = 0
    private var takenOfRest = 0
    /// How many bytes wait.
    package private(set) var count = 0

    package init() {}

    package var isEmpty: Bool { count == 0 }

    package mutating func append(_ chunk: [UInt8]) {
        guard !chunk.isEmpty else { return }
        if count == 0 { first = chunk } else { rest.append(chunk) }
        count += chunk.count
    }

    /// Calls `body` with the next run of bytes: a single chunk in place, or several copied into `scratch`, so that what
    /// piled up leaves in one system call.
    package func withNextRun<Result>(
        scratch: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if takenOfRest == rest.count || first.count - sentOfFirst >= scratch.count {
            return first.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sentOfFirst...])) }
        }
        var filled = 0
        fill(scratch, from: &filled, with: first[sentOfFirst...])
        for chunk in rest[takenOfRest...] {
            // Leaves the loop: a slow reader's queue is long, and this runs for every call that it takes to empty it.
            guard filled < scratch.count else { break }
            fill(scratch, from: &filled, with: chunk[...])
        }
        return body(UnsafeRawBufferPointer(rebasing: scratch[..<filled]))
    }

    /// Forgets the first `sent` bytes.
    package mutating func removeFirst(_ sent: Int) {
        count -= sent
        if count == 0 { return removeAll() }
        var left = sent
        while left > 0 {
            let available = first.count - sentOfFirst
            if left < available {
                sentOfFirst += left
                return
            }
            left -= available
            advance()
        }
    }

    /// What most calls come to, since most sockets take all that they are given.
    private mutating func removeAll() {
        first = []
        sentOfFirst = 0
        guard !rest.isEmpty else { return }
        rest = []
        takenOfRest = 0
    }

    private mutating func advance() {
        sentOfFirst = 0
        if takenOfRest < rest.count {
            first = rest[takenOfRest]
            rest[takenOfRest] = []
            takenOfRest += 1
        } else {
            first = []
        }
        if takenOfRest == rest.count {
            rest = []
            takenOfRest = 0
        } else if takenOfRest >= Self.gapBeforeMoving, takenOfRest * 2 >= rest.count {
            // A queue that is never quite empty would else grow by every chunk that passes through.
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
