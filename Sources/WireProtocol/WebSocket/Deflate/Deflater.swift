import CZlib

/// Makes the payloads of permessage-deflate (RFC 7692 §7.2.1). Each is independent: no message refers to an earlier
/// one.
///
/// One deflater serves all connections of a shard that agreed on its window; confined to that shard. Holds up to 280
/// KB.
package final class Deflater {
    /// The compression levels of zlib; 0 only stores.
    package static let levels = 1...9
    /// RFC 7692 also has windows of 256 bytes, 8 bits, but zlib makes no raw deflate with them.
    package static let windows = 9...15
    /// The end of an empty block without compression: it is not sent, and the receiver restores it (RFC 7692 §7.2).
    static let trailer: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    /// Many times the few bytes of a flush: if those do not fit, zlib begins the flush again.
    private static let pieceBytes = 16 << 10

    private let stream: UnsafeMutablePointer<z_stream>
    /// Output passes through it, so that a frame gets room for its real size, not for the worst case.
    private let piece: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - level: 1 (fastest) to 9 (smallest).
    ///   - windowBits: 9...15, a power of two.
    package init(level: Int, windowBits: Int) throws(DeflateMemoryFailure) {
        precondition(Self.levels.contains(level), "zlib knows no compression level \(level)")
        precondition(Self.windows.contains(windowBits), "zlib makes no raw deflate of \(windowBits) window bits")
        // zlib renews its hash table whenever the window has slid: a table much larger than the window made windows of
        // 9 bits five times as slow. A smaller table than this makes more blocks, and so more headers.
        let memoryLevel = min(max(windowBits - 6, 5), 8)
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let code = belfry_deflate_init(stream, Int32(level), Int32(windowBits), Int32(memoryLevel))
        guard code == Z_OK else {
            stream.deallocate()
            precondition(code == Z_MEM_ERROR, "the level and the window are ones that zlib knows")
            // zconf.h's formula.
            throw DeflateMemoryFailure(neededBytes: (1 << (windowBits + 2)) + (1 << (memoryLevel + 9)))
        }
        self.stream = stream
        piece = .allocate(byteCount: Self.pieceBytes, alignment: 16)
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        piece.deallocate()
    }

    /// Appends the compressed form of a whole message, which may be longer than the message; 0x00 for an empty message.
    ///
    /// - Parameter payload: less than 4 GiB, which is how far zlib counts.
    package func compress(_ payload: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        guard let count = UInt32(exactly: payload.count) else { preconditionFailure("a message of 4 GiB") }
        let fresh = deflateReset(stream)
        precondition(fresh == Z_OK, "the stream is one that zlib has made")
        stream.pointee.next_in = payload.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = count
        repeat {
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            let code = deflate(stream, Z_SYNC_FLUSH)
            // Z_BUF_ERROR: the last piece was full to the byte, and nothing was left.
            precondition(code == Z_OK || code == Z_BUF_ERROR, "deflate fails only on a broken stream")
            let madeBytes = piece.count - Int(stream.pointee.avail_out)
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: piece[..<madeBytes]))
        } while stream.pointee.avail_out == 0
        precondition(output.suffix(4).elementsEqual(Self.trailer), "a flush ends with an empty block")
        output.removeLast(4)
    }
}
