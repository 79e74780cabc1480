import CZlib

/// Reads the payloads of permessage-deflate (RFC 7692 §7.2.2), each on its own: one that refers to an earlier message
/// is invalid.
///
/// One serves every connection of a shard; confined to that shard. It holds about 75 KB once it was used. A message is
/// inflated within one turn, whole by ``inflate(_:maximumBytes:piece:)`` or as it lies in several pieces:
/// ``begin(maximumBytes:)``, ``consume(_:piece:)`` for each, ``finish()``. After a failure the next message begins as
/// if nothing had been.
package final class Inflater {
    /// The largest window, which reads what any smaller one has made.
    private static let windowBits: Int32 = 15
    /// A window's worth: larger ones are no faster.
    private static let pieceBytes = 32 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    private let scratch: UnsafeMutableRawBufferPointer
    /// How many bytes the message may still grow by; nil between messages.
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
    ///   - compressed: as it came, over all frames and unmasked; less than 4 GiB.
    ///   - maximumBytes: of the inflated message.
    ///   - piece: gets the message, a piece of up to 32 KiB after the other and never more than `maximumBytes` in all.
    ///     The bytes are valid only during the call, which must not use this inflater.
    /// - Throws: ``WebSocketViolation/messageTooBig`` as soon as there is one byte too much, so that a bomb is never
    ///   built; ``WebSocketViolation/invalidCompression``; and what `piece` throws.
    package func inflate(
        _ compressed: UnsafeRawBufferPointer, maximumBytes: Int,
        piece: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void
    ) throws(WebSocketViolation) {
        begin(maximumBytes: maximumBytes)
        try consume(compressed, piece: piece)
        try finish()
    }

    /// Begins a message and forgets the one before, ended or not.
    package func begin(maximumBytes: Int) {
        precondition(maximumBytes >= 0, "a limit counts bytes")
        reset()
        room = maximumBytes
    }

    /// Takes the next part of the compressed message; parameters and errors as in ``inflate(_:maximumBytes:piece:)``.
    package func consume(
        _ compressed: UnsafeRawBufferPointer, piece: (UnsafeRawBufferPointer) throws(WebSocketViolation) -> Void
    ) throws(WebSocketViolation) {
        guard var room else { preconditionFailure("no message has begun") }
        give(compressed)
        repeat {
            // One byte more than may come, so that too much shows.
            let spaceBytes = min(room, scratch.count - 1) + 1
            let code = step(Z_SYNC_FLUSH, spaceBytes: spaceBytes)
            guard code != Z_DATA_ERROR else { throw .invalidCompression }
            let madeBytes = spaceBytes - Int(stream.pointee.avail_out)
            guard madeBytes <= room else { throw .messageTooBig }
            room -= madeBytes
            self.room = room
            if madeBytes > 0 { try piece(UnsafeRawBufferPointer(rebasing: scratch[..<madeBytes])) }
            // A block was marked as the last. More may follow, from the next byte on (RFC 7692 §7.2.3.4), and the
            // trailer always does.
            if code == Z_STREAM_END { reset() }
        } while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0
    }

    /// Ends the message.
    ///
    /// - Throws: ``WebSocketViolation/invalidCompression`` where the data ends within a block.
    package func finish() throws(WebSocketViolation) {
        precondition(room != nil, "no message has begun")
        room = nil
        // Whole data ends with the first bits of an empty block without compression, and the trailer is the rest: the
        // block's two lengths, 0 and its complement. Anywhere else the trailer would be read as something that it is
        // not.
        let completesBlock = Deflater.trailer.withUnsafeBytes { trailer in
            give(trailer)
            _ = step(Z_TREES, spaceBytes: scratch.count)
            guard place == .behindHeader, stream.pointee.avail_in == 0 else { return false }
            // Compressed data would still lack its end here.
            _ = step(Z_BLOCK, spaceBytes: scratch.count)
            return place == .behindBlock
        }
        guard completesBlock else { throw .invalidCompression }
    }

    private enum Place { case behindHeader, behindBlock, elsewhere }

    /// Where zlib stands, if that is at the end of a byte; what `data_type` says is described at zlib.h's `inflate`.
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

    /// Returns Z_OK, Z_STREAM_END, Z_BUF_ERROR where there was nothing to do, or Z_DATA_ERROR.
    private func step(_ flush: Int32, spaceBytes: Int) -> Int32 {
        stream.pointee.next_out = scratch.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(spaceBytes)
        let code = CZlib.inflate(stream, flush)
        // The window is made at the first use. Where not even that fits, Swift's own arrays have trapped before.
        precondition(code != Z_MEM_ERROR, "no memory for a window of \(1 << Self.windowBits) bytes")
        precondition(code != Z_STREAM_ERROR && code != Z_NEED_DICT, "raw deflate has no dictionary")
        return code
    }
}
