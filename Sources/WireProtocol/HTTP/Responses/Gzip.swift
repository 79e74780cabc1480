import CZlib

extension HTTPContentCoding {
    /// The bytes in gzip (RFC 1952), as small as zlib can make them: for data that is compressed once and sent often.
    ///
    /// Nil without memory, and for empty input.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard !bytes.isEmpty, let count = UInt32(exactly: bytes.count), belfry_gzip_init(&stream) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        let room = deflateBound(&stream, uLong(count))
        var code = Z_OK
        let compressed = bytes.withUnsafeBufferPointer { bytes in
            [UInt8](unsafeUninitializedCapacity: Int(room)) { made, count in
                (stream.next_in, stream.avail_in) = (bytes.baseAddress, UInt32(bytes.count))
                (stream.next_out, stream.avail_out) = (made.baseAddress, UInt32(room))
                code = deflate(&stream, Z_FINISH)
                count = Int(room) - Int(stream.avail_out)
            }
        }
        return code == Z_STREAM_END ? compressed : nil
    }
}

extension HTTPHeaders {
    /// Whether a client takes an answer in gzip, by its `Accept-Encoding` (RFC 9110 §12.5.3).
    package var acceptGzip: Bool {
        var isAnyTaken = false
        for element in elements(of: "Accept-Encoding") {
            let parts = element.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let isTaken = !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            switch parts.first {
            case "gzip", "x-gzip": return isTaken
            case "*": isAnyTaken = isTaken
            default: break
            }
        }
        return isAnyTaken
    }
}
