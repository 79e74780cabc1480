@testable import WireProtocol

/// All that a parser makes of some bytes, in a form that can be compared.
struct RequestTranscript: Equatable {
    struct Request: Equatable {
        let head: HTTPRequestHead
        var body: [UInt8] = []
        var hasEnded = false

        init(_ head: HTTPRequestHead) { self.head = head }

        static func == (one: Self, other: Self) -> Bool {
            one.head.method == other.head.method && one.head.target == other.head.target
                && one.head.path == other.head.path && one.head.segments == other.head.segments
                && one.head.query == other.head.query && one.head.headers == other.head.headers
                && one.head.minorVersion == other.head.minorVersion && one.head.authority == other.head.authority
                && one.body == other.body && one.hasEnded == other.hasEnded
        }
    }

    /// Small, so that small inputs reach them.
    static let maximumHeadBytes = 700
    static let maximumBodyBytes = 100

    private(set) var requests: [Request] = []
    private(set) var violation: HTTPViolation?
    private var isBetweenRequests = true

    init(of bytes: [UInt8], cut chunking: Chunking) {
        var parser = HTTPRequestParser(
            maximumHeadBytes: Self.maximumHeadBytes, maximumBodyBytes: Self.maximumBodyBytes)
        for chunk in chunking.cut(bytes) {
            chunk.withOwnMemory { parser.append($0) }
            read(&parser)
        }
        isBetweenRequests = parser.isBetweenRequests
    }

    private mutating func read(_ parser: inout HTTPRequestParser) {
        do {
            while let event = try parser.next() {
                claim(violation == nil, "an event after the end")
                take(event)
            }
            claim(violation == nil, "a violation that was forgotten")
        } catch {
            claim(violation == nil || violation == error, "a violation that became another one")
            violation = error
        }
    }

    private mutating func take(_ event: HTTPRequestEvent) {
        let last = requests.indices.last
        switch event {
        case .head(let head):
            claim(last.map { requests[$0].hasEnded } != false, "a request inside another")
            requests.append(Request(head))
        case .body(let piece):
            guard let last, !requests[last].hasEnded, !piece.isEmpty else { fatalError("a body without a request") }
            requests[last].body += piece
        case .end:
            guard let last, !requests[last].hasEnded else { fatalError("an end without a request") }
            requests[last].hasEnded = true
        }
    }
}
