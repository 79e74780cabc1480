/// An event in a client's bytes: a head, its body in any number of pieces, its end; then the next request.
package enum HTTPRequestEvent: Sendable {
    case head(HTTPRequestHead)
    /// Never empty.
    case body([UInt8])
    case end
}

/// Turns a client's bytes into requests (RFC 9112), however the network cuts them. Strict wherever two readers could
/// differ.
///
/// Body bytes are passed on as they come. At rest the parser holds no memory, apart from a head that may come again.
package struct HTTPRequestParser: Sendable {
    private enum State: Sendable {
        case head
        /// The head is a known one, and its bytes are in no buffer.
        case repeated(HTTPRequestHead)
        case begun(HTTPBodyFraming)
        case body(remaining: Int)
        case chunked(HTTPChunkedBody)
        case failed(HTTPViolation)
    }

    private let maximumHeadBytes: Int
    /// The longest body. May be set between events; a value set after a head applies to that head's body.
    package var maximumBodyBytes: Int
    private var buffer = ReceiveBuffer()
    private var headReader = HTTPHeadReader<HTTPRequestLine>()
    private var headMemory = HTTPHeadMemory()
    private var state = State.head

    package init(maximumHeadBytes: Int = 16 << 10, maximumBodyBytes: Int = 1 << 20) {
        self.maximumHeadBytes = maximumHeadBytes
        self.maximumBodyBytes = maximumBodyBytes
    }

    /// Whether no byte of a request has arrived.
    ///
    /// Stored, because an object of another module reads it, and would have to copy the parser to compute it.
    package private(set) var isBetweenRequests = true

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        // If a known head begins here, only the bytes behind it need to be kept.
        if case .head = state, buffer.isEmpty, headReader.isFresh, let known = headMemory.repeated(in: bytes),
            known.byteCount <= maximumHeadBytes
        {
            state = .repeated(known.head)
            let rest = UnsafeRawBufferPointer(rebasing: bytes[known.byteCount...])
            if !rest.isEmpty { buffer.append(rest) }
        } else {
            buffer.append(bytes)
        }
        noteWhetherBetweenRequests()
    }

    /// Returns the next event; nil while bytes are missing.
    ///
    /// - Throws: a violation of the rules or the limits. It is final: later calls throw the same.
    package mutating func next() throws(HTTPViolation) -> HTTPRequestEvent? {
        defer { noteWhetherBetweenRequests() }
        do {
            return try advance()
        } catch {
            state = .failed(error)
            buffer = ReceiveBuffer()
            throw error
        }
    }

    private mutating func advance() throws(HTTPViolation) -> HTTPRequestEvent? {
        switch state {
        case .head:
            return try nextHead().map { .head($0) }
        case .repeated(let head):
            state = .begun(head.framing)
            return .head(head)
        case .begun(.length(let length)):
            // Checked after the head was passed on, so that its receiver can raise the limit for this body.
            guard length <= maximumBodyBytes else { throw .bodyTooLarge(limit: maximumBodyBytes) }
            state = .body(remaining: length)
            return try advance()
        case .begun(.chunked):
            state = .chunked(HTTPChunkedBody())
            return try advance()
        case .body(remaining: 0):
            return end()
        case .body(let remaining):
            guard !buffer.isEmpty else { return nil }
            let piece = buffer.take(min(remaining, buffer.count))
            state = .body(remaining: remaining - piece.count)
            return .body(piece)
        case .chunked(var body):
            defer { if case .chunked = state { state = .chunked(body) } }
            switch try body.next(from: &buffer, maximumBodyBytes: maximumBodyBytes) {
            case .data(let piece): return .body(piece)
            case .end: return end()
            case nil: return nil
            }
        case .failed(let violation):
            throw violation
        }
    }

    private mutating func nextHead() throws(HTTPViolation) -> HTTPRequestHead? {
        // The usual case between requests.
        if buffer.isEmpty { return nil }
        let (before, isWhole) = (buffer, headReader.isFresh)
        if isWhole, let known = buffer.withUnsafeBytes({ headMemory.repeated(in: $0) }),
            known.byteCount <= maximumHeadBytes
        {
            buffer.skip(known.byteCount)
            state = .begun(known.head.framing)
            return known.head
        }
        // An invalid request line is refused before the head has ended: such a sender will not end one.
        let lines = try headReader.next(
            from: &buffer, maximumBytes: maximumHeadBytes, parsingStartLine: HTTPRequestLine.init(parsing:))
        guard let lines else { return nil }
        let head = try HTTPRequestHead(lines.startLine, headers: lines.headers)
        // A head that came in pieces is no longer in the buffer.
        if isWhole { headMemory.note(head, from: before, leaving: buffer.count) }
        state = .begun(head.framing)
        return head
    }

    private mutating func noteWhetherBetweenRequests() {
        isBetweenRequests = if case .head = state { buffer.isEmpty && headReader.isAtStart } else { false }
    }

    private mutating func end() -> HTTPRequestEvent {
        state = .head
        return .end
    }

    /// Returns the bytes behind the request that just ended: after an upgrade they belong to the next protocol.
    package mutating func takeRemainder() -> [UInt8] {
        defer { noteWhetherBetweenRequests() }
        return buffer.takeAll()
    }
}
