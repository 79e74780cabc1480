/// Bytes on their way to one socket, in order. Chunks are shared: a frame for many waits in many queues, but is in
/// memory once.
///
/// One word in size; uses no heap while empty, and only a reference while one whole chunk waits.
package struct OutgoingQueue: ~Copyable {
    private enum Contents {
        case none
        case one([UInt8])
        case many(OutgoingChunks)
    }

    private var contents = Contents.none

    package init() {}

    /// The number of waiting bytes.
    package var count: Int {
        switch contents {
        case .none: 0
        case .one(let chunk): chunk.count
        case .many(let chunks): chunks.count
        }
    }

    package var isEmpty: Bool {
        switch contents {
        case .none: true
        case .one, .many: false
        }
    }

    package mutating func append(_ chunk: [UInt8]) {
        guard !chunk.isEmpty else { return }
        switch contents {
        case .none: contents = .one(chunk)
        case .one(let first): contents = .many(OutgoingChunks(first: first, second: chunk))
        case .many(let chunks): chunks.append(chunk)
        }
    }

    /// Calls `body` with the next run of bytes: a single chunk in place, or several copied into `scratch`, so that they
    /// leave in one system call.
    package func withNextRun<Result>(
        scratch: UnsafeMutableRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        switch contents {
        case .none: body(UnsafeRawBufferPointer(start: nil, count: 0))
        case .one(let chunk): chunk.withUnsafeBytes(body)
        case .many(let chunks): chunks.withNextRun(scratch: scratch, body)
        }
    }

    /// Removes the first `sent` bytes.
    package mutating func removeFirst(_ sent: Int) {
        switch contents {
        case .none: return
        case .one(let chunk):
            // The usual case: most sockets take everything.
            guard sent < chunk.count else {
                contents = .none
                return
            }
            let chunks = OutgoingChunks(first: chunk)
            chunks.removeFirst(sent)
            contents = .many(chunks)
        case .many(let chunks):
            chunks.removeFirst(sent)
            if chunks.count == 0 { contents = .none }
        }
    }
}
