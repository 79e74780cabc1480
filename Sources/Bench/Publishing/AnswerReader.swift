import JSON

/// Takes a server's HTTP/1.1 answers apart as far as a load tool needs: their status, and for a stream its lines.
///
/// Understands `Content-Length`, chunks and answers without a body; anything else is malformed.
package struct AnswerReader {
    package enum Event: Hashable {
        /// A whole answer to one request, and what its problem is if it has one.
        case answer(status: Int, problem: String? = nil)
        /// A line of a stream's answer, and why the publication was refused; nil for one that was accepted.
        case line(refusal: String?)
    }

    /// The server does not speak HTTP/1.1 as this reader knows it.
    package struct Malformed: Error {}

    private enum State {
        case head
        case body(status: Int, remaining: Int)
        case chunkSize(status: Int)
        case chunk(status: Int, remaining: Int)
        case chunkEnd(status: Int)
    }

    /// Longer heads and lines are taken for garbage.
    private static let maximumLineBytes = 64 << 10
    /// Of an answer that tells of a problem. A longer one is not looked at.
    private static let maximumProblemBytes = 4 << 10

    /// Whether the body's lines are told instead of the answer's end.
    private let isStream: Bool
    private var state = State.head
    private var buffer: [UInt8] = []
    private var start = 0
    private var line: [UInt8] = []
    /// Their refusals.
    private var lines: [String?] = []
    /// What has come of an answer that tells of a problem.
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
                // The last two bytes end the chunk and are no part of it.
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

    /// What a problem (RFC 9457) says for people, behind Belfry's own code for it; nil for anything else.
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
            // An accepted event's answer begins with its id; a refused one's is a problem (RFC 9457).
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
