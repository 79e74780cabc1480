import JSON

/// Reads a server's HTTP/1.1 answers as far as a load tool needs: their status, and the lines of a stream.
///
/// Supports `Content-Length`, chunks and answers without a body; all others are malformed.
package struct AnswerReader {
    package enum Event: Hashable {
        /// A complete answer to one request, with its problem, if any.
        case answer(status: Int, problem: String? = nil)
        /// A line of a stream's answer, with the reason for a refusal; nil for an accepted publication.
        case line(refusal: String?)
    }

    /// The answer is no HTTP/1.1 that this reader supports.
    package struct Malformed: Error {}

    private enum State {
        case head
        case body(status: Int, remaining: Int)
        case chunkSize(status: Int)
        case chunk(status: Int, remaining: Int)
        case chunkEnd(status: Int)
    }

    /// Longer heads and lines are malformed.
    private static let maximumLineBytes = 64 << 10
    /// The limit for a problem's body; a longer one is ignored.
    private static let maximumProblemBytes = 4 << 10

    /// Whether to report the body's lines instead of the answer's end.
    private let isStream: Bool
    private var state = State.head
    private var buffer: [UInt8] = []
    private var start = 0
    private var line: [UInt8] = []
    /// The refusals of the lines so far.
    private var lines: [String?] = []
    /// The body of an answer with a problem, as far as it has come.
    private var problem: [UInt8] = []

    package init(isStream: Bool = false) { self.isStream = isStream }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    package mutating func next() throws(Malformed) -> Event? {
        while true {
            if !lines.isEmpty { return .line(refusal: lines.removeFirst()) }
            switch state {
            case .head:
                guard let head = try takeHead() else { return nil }
                state = head
            case .body(let status, let remaining):
                let count = min(remaining, buffer.count - start)
                keep(start..<(start + count), ofStatus: status)
                start += count
                guard count == remaining else {
                    state = .body(status: status, remaining: remaining - count)
                    return nil
                }
                return ended(status)
            case .chunkSize(let status):
                guard let text = try takeLine() else { return nil }
                guard let size = Int(text.prefix { $0 != ";" }, radix: 16), size >= 0 else { throw Malformed() }
                state = size == 0 ? .chunkEnd(status: status) : .chunk(status: status, remaining: size + 2)
            case .chunk(let status, let remaining):
                let count = min(remaining, buffer.count - start)
                // The last two bytes end the chunk, and are not content.
                let content = start..<(start + max(0, min(count, remaining - 2)))
                if isStream, status < 400 { takeLines(in: content) } else { keep(content, ofStatus: status) }
                start += count
                state =
                    count == remaining
                    ? .chunkSize(status: status) : .chunk(status: status, remaining: remaining - count)
                if count < remaining, lines.isEmpty { return nil }
            case .chunkEnd(let status):
                guard let trailer = try takeLine() else { return nil }
                guard trailer.isEmpty else { continue }
                return ended(status)
            }
        }
    }

    private mutating func ended(_ status: Int) -> Event {
        state = .head
        defer { problem.removeAll(keepingCapacity: true) }
        return .answer(status: status, problem: Self.reason(problem))
    }

    private mutating func keep(_ range: Range<Int>, ofStatus status: Int) {
        if status >= 400, problem.count + range.count <= Self.maximumProblemBytes {
            problem.append(contentsOf: buffer[range])
        }
    }

    /// A problem's text for people (RFC 9457) behind Belfry's own code; nil for any other body.
    private static func reason(_ bytes: [UInt8]) -> String? {
        guard let problem = try? JSONValue(parsing: bytes) else { return nil }
        let parts = [problem.at(["code"])?.string, (problem.at(["detail"]) ?? problem.at(["title"]))?.string]
        let told = parts.compactMap(\.self).joined(separator: ": ")
        return told.isEmpty ? nil : told
    }

    private mutating func takeLines(in range: Range<Int>) {
        for byte in buffer[range] {
            guard byte == UInt8(ascii: "\n") else {
                line.append(byte)
                continue
            }
            // The answer to an accepted event begins with its id; that to a refused one is a problem (RFC 9457).
            let isAccepted = line.starts(with: #"{"event":"#.utf8)
            lines.append(isAccepted ? nil : Self.reason(line) ?? "a line was refused")
            line.removeAll(keepingCapacity: true)
        }
    }

    private mutating func takeHead() throws(Malformed) -> State? {
        let end: [UInt8] = [13, 10, 13, 10]
        var place = start
        while place + end.count <= buffer.count, !buffer[place...].starts(with: end) {
            place = buffer[(place + 1)...].firstIndex(of: 13) ?? buffer.count
        }
        guard place + end.count <= buffer.count else {
            if buffer.count - start > Self.maximumLineBytes { throw Malformed() }
            return nil
        }
        let fields = String(decoding: buffer[start..<place], as: UTF8.self).split(separator: "\r\n")
        start = place + end.count
        guard let first = fields.first, first.hasPrefix("HTTP/1."), let status = Int(first.dropFirst(9).prefix(3))
        else {
            throw Malformed()
        }
        if status < 200 { return .head }
        var length: Int?
        for field in fields.dropFirst() {
            let lowered = field.lowercased()
            if lowered.hasPrefix("content-length:") {
                length = Int(lowered.dropFirst(15).drop { $0 == " " })
                guard length.map({ $0 >= 0 }) ?? false else { throw Malformed() }
            } else if lowered.hasPrefix("transfer-encoding:"), lowered.hasSuffix("chunked") {
                return .chunkSize(status: status)
            }
        }
        if let length { return .body(status: status, remaining: length) }
        guard status == 204 || status == 304 else { throw Malformed() }
        return .body(status: status, remaining: 0)
    }

    private mutating func takeLine() throws(Malformed) -> String? {
        guard let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) else {
            if buffer.count - start > Self.maximumLineBytes { throw Malformed() }
            return nil
        }
        defer { start = end + 1 }
        return String(decoding: buffer[start..<end].filter { $0 != 13 }, as: UTF8.self)
    }
}
