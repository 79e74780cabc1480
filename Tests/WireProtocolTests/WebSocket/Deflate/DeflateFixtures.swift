import CZlib
import Support

@testable import WireProtocol

/// Kinds of messages for a compressor.
enum DeflatePayload: String, CaseIterable, Sendable, CustomStringConvertible {
    case random
    case zeros
    /// Repeats itself from any distance.
    case words

    var description: String { rawValue }

    func bytes(_ count: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(count))
        switch self {
        case .random: return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        case .zeros: return [UInt8](repeating: 0, count: count)
        case .words:
            let words = (0..<200).map { _ in Array("notification-\(random.next(below: 100_000)) ".utf8) }
            var bytes: [UInt8] = []
            while bytes.count < count { bytes += words[random.next(below: words.count)] }
            return Array(bytes.prefix(count))
        }
    }
}

extension Deflater {
    func compressed(_ message: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        message.withUnsafeBytes { compress($0, into: &output) }
        return output
    }
}

extension Inflater {
    func inflated(_ compressed: [UInt8], maximumBytes: Int = 1 << 22) throws(WebSocketViolation) -> [UInt8] {
        try inflated(chunks: [compressed[...]], maximumBytes: maximumBytes)
    }

    func inflated(
        chunks: [ArraySlice<UInt8>], maximumBytes: Int = 1 << 22
    ) throws(WebSocketViolation) -> [UInt8] {
        var message: [UInt8] = []
        begin(maximumBytes: maximumBytes)
        for chunk in chunks {
            try chunk.withUnsafeBufferPointer { (bytes) throws(WebSocketViolation) in
                try consume(UnsafeRawBufferPointer(bytes)) { message.append(contentsOf: $0) }
            }
        }
        try finish()
        return message
    }
}

/// zlib's inflate, used in the plainest way.
enum PlainInflate {
    /// Returns nil where zlib finds the data invalid.
    ///
    /// - Parameter windowBits: nothing before the window is left to refer to, because each byte comes out on its own.
    static func bytes(_ compressed: [UInt8], windowBits: Int32 = 15) -> [UInt8]? {
        let input = compressed + [0x00, 0x00, 0xFF, 0xFF]
        var stream = z_stream()
        precondition(belfry_inflate_init(&stream, windowBits) == Z_OK)
        defer { inflateEnd(&stream) }
        return input.withUnsafeBufferPointer { input in
            var output: [UInt8] = []
            var byte: UInt8 = 0
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let code = withUnsafeMutablePointer(to: &byte) { byte in
                    stream.next_out = byte
                    stream.avail_out = 1
                    return inflate(&stream, Z_SYNC_FLUSH)
                }
                guard code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END else { return nil }
                if stream.avail_out == 0 { output.append(byte) }
                if code == Z_STREAM_END {
                    inflateReset(&stream)
                } else if stream.avail_out == 1 {
                    return output
                }
            }
        }
    }
}
