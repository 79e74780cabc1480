/// Reads a chunked body (RFC 9112 §7.1); extensions and trailers are skipped.
struct HTTPChunkedBody: Sendable {
    enum Event: Sendable {
        case data([UInt8])
        case end
    }

    private enum State: Sendable {
        case size
        case data(remaining: Int)
        case dataEnd
        case trailers
    }

    /// A size has 15 digits at most; the rest is room for an extension.
    private static let maximumSizeLineBytes = 256
    /// A limit over the whole body, for extensions and for trailers each: real clients send few of them.
    private static let maximumOverheadBytes = 4096

    /// Fields that frame, route or authorize a message (RFC 9110 §6.5.1).
    private static let forbiddenTrailers = [
        "Content-Length", "Transfer-Encoding", "Host", "Connection", "Upgrade", "Expect", "Authorization",
    ]

    private var state = State.size
    private var lines = HTTPLineReader()
    private var bodyBytes = 0
    private var extensionBytes = 0
    private var trailerBytes = 0

    /// - Parameter maximumBodyBytes: checked with each chunk's size, before any of its bytes are passed on.
    mutating func next(
        from buffer: inout ReceiveBuffer, maximumBodyBytes: Int
    ) throws(HTTPViolation) -> Event? {
        while true {
            switch state {
            case .size:
                guard let size = try nextSize(from: &buffer) else { return nil }
                guard size <= maximumBodyBytes - bodyBytes else {
                    throw .bodyTooLarge(limit: maximumBodyBytes)
                }
                bodyBytes += size
                state = size == 0 ? .trailers : .data(remaining: size)
            case .data(let remaining):
                guard !buffer.isEmpty else { return nil }
                let data = buffer.take(min(remaining, buffer.count))
                state = data.count == remaining ? .dataEnd : .data(remaining: remaining - data.count)
                return .data(data)
            case .dataEnd:
                guard let line = try lines.next(from: &buffer, maximumBytes: 2, tooLong: Self.misplacedEnd) else {
                    return nil
                }
                guard line.isEmpty else { throw Self.misplacedEnd }
                state = .size
            case .trailers:
                guard let line = try nextTrailer(from: &buffer) else { return nil }
                if line.isEmpty { return .end }
                let field = try line.withUnsafeBufferPointer(HTTPHeaders.Field.init(parsing:))
                // Trailers are dropped here, but another server on the way may merge them into the head.
                guard !Self.forbiddenTrailers.contains(where: field.name.equalsIgnoringCase) else {
                    throw .badRequest("a trailer that belongs into the head")
                }
            }
        }
    }

    private static let misplacedEnd = HTTPViolation.badRequest("a chunk is longer than its size says")

    private mutating func nextSize(from buffer: inout ReceiveBuffer) throws(HTTPViolation) -> Int? {
        let tooLong = HTTPViolation.badRequest("the line of a chunk's size is too long")
        guard let line = try lines.next(from: &buffer, maximumBytes: Self.maximumSizeLineBytes, tooLong: tooLong)
        else { return nil }
        let digits = line.prefix { $0.hexadecimalValue != nil }
        let rest = line[digits.endIndex...]
        guard HTTPChunkExtensions.areWellFormed(rest) else { throw .badRequest("a chunk's extensions are malformed") }
        extensionBytes += rest.count
        guard extensionBytes <= Self.maximumOverheadBytes else { throw .badRequest("too many chunk extensions") }
        guard !digits.isEmpty else { throw .badRequest("a chunk's size is malformed") }
        // Fifteen digits cannot overflow.
        guard digits.count <= 15 else { throw .bodyTooLarge(limit: nil) }
        return digits.reduce(0) { $0 << 4 | Int($1.hexadecimalValue ?? 0) }
    }

    private mutating func nextTrailer(from buffer: inout ReceiveBuffer) throws(HTTPViolation) -> [UInt8]? {
        let tooLong = HTTPViolation(status: 431, reason: "the trailers are too long")
        let room = Self.maximumOverheadBytes - trailerBytes
        guard let line = try lines.next(from: &buffer, maximumBytes: room, tooLong: tooLong) else { return nil }
        trailerBytes += line.count + 2
        return line
    }
}
