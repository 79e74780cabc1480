import CZlib

/// The coding of a request's body (RFC 9110 §8.4): none, or gzip (RFC 1952).
package enum HTTPContentCoding: Sendable, Hashable {
    case identity, gzip
    /// An unknown coding, or several codings.
    case unknown

    init(_ headers: HTTPHeaders) {
        let codings = headers.elements(of: "Content-Encoding").filter { !$0.equalsIgnoringCase("identity") }
        switch codings.count {
        case 0: self = .identity
        // RFC 9110 §8.4.1.3: the older name means the same coding.
        case 1 where codings[0].equalsIgnoringCase("gzip") || codings[0].equalsIgnoringCase("x-gzip"): self = .gzip
        default: self = .unknown
        }
    }

    /// The decoded body.
    ///
    /// - Parameter maximumBytes: the longest decoded body. Decoding stops there, so that a bomb is never built.
    package func decode(_ body: [UInt8], maximumBytes: Int) throws(HTTPViolation) -> [UInt8] {
        switch self {
        case .identity, .unknown: body
        case .gzip where body.isEmpty: body
        case .gzip: try Self.gunzip(body, maximumBytes: maximumBytes)
        }
    }

    /// Large enough that most bodies need one piece.
    private static let pieceBytes = 64 << 10

    private static func gunzip(_ body: [UInt8], maximumBytes: Int) throws(HTTPViolation) -> [UInt8] {
        let result = body.withUnsafeBytes { body in
            Result { () throws(HTTPViolation) in try gunzip(body, maximumBytes: maximumBytes) }
        }
        return try result.get()
    }

    private static func gunzip(_ body: UnsafeRawBufferPointer, maximumBytes: Int) throws(HTTPViolation) -> [UInt8] {
        var stream = z_stream()
        guard let count = UInt32(exactly: body.count), belfry_gunzip_init(&stream) == Z_OK else {
            throw .bodyTooLarge(limit: maximumBytes)
        }
        defer { inflateEnd(&stream) }
        stream.next_in = body.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.avail_in = count
        var decoded: [UInt8] = []
        while true {
            // One byte more than allowed, so that an overlong body shows.
            let room = min(pieceBytes, maximumBytes - decoded.count + 1)
            var code = Z_OK
            let piece = [UInt8](unsafeUninitializedCapacity: room) { piece, made in
                stream.next_out = piece.baseAddress
                stream.avail_out = UInt32(room)
                code = inflate(&stream, Z_NO_FLUSH)
                made = room - Int(stream.avail_out)
            }
            guard decoded.count + piece.count <= maximumBytes else { throw .bodyTooLarge(limit: maximumBytes) }
            decoded += piece
            switch code {
            case Z_STREAM_END where stream.avail_in == 0: return decoded
            // RFC 1952 §2.2: several members may follow each other.
            case Z_STREAM_END: inflateReset(&stream)
            case Z_OK where stream.avail_in > 0 || stream.avail_out == 0: break
            default: throw .badRequest("the body is not the gzip that its Content-Encoding announces")
            }
        }
    }
}

extension HTTPViolation {
    package static let unknownCoding = HTTPViolation(
        status: 415, reason: "expected a body without Content-Encoding, or with gzip alone")
    /// A stream is read line by line while it lasts, so it cannot be decoded.
    package static let encodedStream = HTTPViolation(
        status: 415, reason: "expected a stream without Content-Encoding")

    /// The answer; if it refuses a coding, it tells the accepted ones (RFC 9110 §15.5.16).
    package var response: HTTPResponse {
        var response = problem.response
        if status == 415 {
            response.headers.add("Accept-Encoding", self == .encodedStream ? "identity" : "gzip, identity")
        }
        return response
    }
}
