import CZlib

/// zlib as its manual uses it: the slow and obvious twin of our inflater.
enum PlainZlib {
    /// - Parameter windowBits: farther references than this window are refused.
    /// - Returns: what `compressed` stands for, over all its streams; nil if it is broken.
    static func inflate(_ compressed: [UInt8], windowBits: Int32) -> [UInt8]? {
        var stream = z_stream()
        guard belfry_inflate_init(&stream, windowBits) == Z_OK else { fatalError("no memory for zlib") }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        // Small, because zlib looks back into what lies in this buffer, too, however small the window.
        var piece = [UInt8](repeating: 0, count: 64)
        var code = Z_OK
        compressed.withUnsafeBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            repeat {
                piece.withUnsafeMutableBufferPointer { piece in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(piece.count)
                    code = CZlib.inflate(&stream, Z_NO_FLUSH)
                    output.append(contentsOf: piece.prefix(piece.count - Int(stream.avail_out)))
                }
                if code == Z_STREAM_END, inflateReset(&stream) != Z_OK { fatalError("zlib does not reset") }
            } while code != Z_DATA_ERROR && (stream.avail_in > 0 || stream.avail_out == 0)
        }
        return code == Z_DATA_ERROR ? nil : output
    }
}
