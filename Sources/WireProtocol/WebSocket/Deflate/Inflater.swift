import CZlib

/// Reads the payloads of permessage-deflate (RFC 7692 §7.2.2). Each is independent: one that refers to an earlier
/// message is invalid.
///
/// One inflater serves all connections of a shard; confined to that shard. It holds about 75 KB after its first use. A
/// message is inflated within one turn: whole by ``inflate(_:maximumBytes:piece:)``, or in pieces by
/// ``begin(maximumBytes:)``, ``consume(_:piece:)`` for each, and ``finish()``. After a failure the next message begins
/// from a clean state.
package final class Inflater {
    /// The largest window, which reads the output of any smaller one.
    private static let windowBits: Int32 = 15
    /// As large as a window: larger pieces are no faster.
    private static let pieceBytes = 32 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private let scratch: UnsafeMutableRawBufferPointer
    /// The number of bytes by which the message may still grow; nil between messages.
    private var room: Int?

    package init() throws(DeflateMemoryFailure) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = belfry_inflate_init(stream, Self.windowBits)
        guard code == Z_OK else {
            stream.deallocate()
            precondition(code == Z_MEM_ERROR, "the window is one that zlib knows")
            // zconf.h's formula.
            throw DeflateMemoryFailure(neededBytes: (1 << Int(Self.windowBits)) + (7 << 10))
        }
        self.stream = stream
        scratch = .allocate(byteCount: Self.pieceBytes, alignment: 16)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        scratch.deallocate()
    }

    /// Inflates a whole message.
    ///
    /// - Parameters:
    ///   - compressed: the payloads of all frames, unmasked; less than 4 GiB.
    ///   - maximumBytes: the longest inflated message.
    ///   - piece: gets the message in pieces of up to 32 KiB, never more than `maximumBytes` in all. The bytes are
    ///     valid
    ///     only during the call, which must not use this inflater.
    /// - Throws: ``WebSocketViolation/messageTooBig`` at the first byte too many, so that a bomb is never built;
    ///   ``WebSocketViolation/invalidCompression``; and the errors of `piece`.
    package func inflate(
        _ compressed: UnsafeRawBufferPointer, maximumBytes: Int,
        piece: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void
    ) throws(WebSocketViolation) {
        begin(maximumBytes: maximumBytes)
        try consume(compressed, piece: piece)
        try finish()
    }

    /// Begins a message and drops an unfinished one.
    package func begin(maximumBytes: Int) {
        precondition(maximumBytes >= 0, "a limit counts bytes")
        reset()
        room = maximumBytes
    }

    /// Takes the next part of the compressed message; see ``inflate(_:maximumBytes:piece:)`` for parameters and errors.
    package func consume(
        _ compressed: UnsafeRawBufferPointer, piece: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void
    ) throws(WebSocketViolation) {
        guard var room else { preconditionFailure("no message has begun") }
        give(compressed)
        repeat {
            // One byte more than allowed, so that an overlong message shows.
            let spaceBytes = min(room, scratch.count - 1) + 1
            let code = step(Z_SYNC_FLUSH, spaceBytes: spaceBytes)
            guard code != Z_DATA_ERROR else { throw .invalidCompression }
            let madeBytes = spaceBytes - Int(stream.pointee.avail_out)
            guard madeBytes <= room else { throw .messageTooBig }
            room -= madeBytes
            self.room = room
            if madeBytes > 0 { try piece(UnsafeRawBufferPointer(rebasing: scratch[..<madeBytes])) }
            // A block was marked as the last. More may follow from the next byte on (RFC 7692 §7.2.3.4), and the
            // trailer always does.
            if code == Z_STREAM_END { reset() }
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    }

    /// Ends the message.
    ///
    /// - Throws: ``WebSocketViolation/invalidCompression`` if the data ends inside a block.
    package func finish() throws(WebSocketViolation) {
        precondition(room != nil, "no message has begun")
        room = nil
        // Complete data ends with the first bits of an empty block without compression. The trailer is the rest: the
        // block's two lengths, 0 and its complement. Anywhere else the trailer would be read as other data.
        let completesBlock = Deflater.trailer.withUnsafeBytes { trailer in
            give(trailer)
            _ = step(Z_TREES, spaceBytes: scratch.count)
            guard place == .behindHeader, stream.pointee.avail_in == 0 else { return false }
            // For a compressed block, its end would still be missing here.
            _ = step(Z_BLOCK, spaceBytes: scratch.count)
            return place == .behindBlock
        }
        guard completesBlock else { throw .invalidCompression }
    }

    private enum Place { case behindHeader, behindBlock, elsewhere }

    /// The position of zlib, if it is at the end of a byte; zlib.h describes `data_type` at `inflate`.
    private var place: Place {
        let lastBlock: Int32 = 64
        switch stream.pointee.data_type & ~lastBlock {
        case 256: return .behindHeader
        case 128: return .behindBlock
        default: return .elsewhere
        }
    }

    private func reset() {
        let code = inflateReset(stream)
        precondition(code == Z_OK, "the stream is one that zlib has made")
    }

    private func give(_ input: UnsafeRawBufferPointer) {
        guard let count = UInt32(exactly: input.count) else { preconditionFailure("a message of 4 GiB") }
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = count
    }

    /// Returns Z_OK, Z_STREAM_END, Z_DATA_ERROR, or Z_BUF_ERROR if there was nothing to do.
    private func step(_ flush: Int32, spaceBytes: Int) -> Int32 {
        stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(spaceBytes)
        let code = CZlib.inflate(stream, flush)
        // The window is allocated at the first use. Without memory for it, Swift's own arrays would trap first.
        precondition(code != Z_MEM_ERROR, "no memory for a window of \(1 << Self.windowBits) bytes")
        precondition(code != Z_STREAM_ERROR && code != Z_NEED_DICT, "raw deflate has no dictionary")
        return code
    }
}
