import Testing

@testable import Bench

struct AnswerReaderTests {
    private func events(in text: String, isStream: Bool = false, chunkBytes: Int = .max) throws -> [AnswerReader.Event]
    {
        var reader = AnswerReader(isStream: isStream)
        var events: [AnswerReader.Event] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(chunkBytes))
            rest = rest.dropFirst(chunkBytes)
            piece.withUnsafeBytes { reader.append($0) }
            while let event = try reader.next() { events.append(event) }
        }
        return events
    }

    private static let answers =
        "HTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\nhello" + "HTTP/1.1 100 Continue\r\n\r\n"
        + "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n1\r\n\n\r\n0\r\nTrailer: x\r\n\r\n"
        + "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n"

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `tells each answer's status, however the bytes are cut`(_ chunkBytes: Int) throws {
        #expect(
            try events(in: Self.answers, chunkBytes: chunkBytes) == [202, 503, 204, 200].map { .answer(status: $0) })
    }

    @Test(arguments: [1, 2, 5, 1_000])
    func `tells each line of a stream, whether it was accepted, and the stream's end`(_ chunkBytes: Int) throws {
        let lines = [
            #"{"event":"evt_1"}"# + "\n", #"{"type":"about:blank","code":"x"}"# + "\n" + #"{"eve"#,
            #"nt":"evt_2"}"# + "\n",
        ]
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + lines.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
        #expect(
            try events(in: text, isStream: true, chunkBytes: chunkBytes) == [
                .line(refusal: nil), .line(refusal: "x"), .line(refusal: nil), .answer(status: 200),
            ])
    }

    @Test(arguments: [1, 5, 1_000])
    func `tells what a problem says`(_ chunkBytes: Int) throws {
        let problem = #"{"type":"about:blank","title":"Bad","code":"unknown_event","detail":"no catalog has it"}"#
        let text =
            "HTTP/1.1 400 Bad\r\nContent-Length: \(problem.utf8.count)\r\n\r\n\(problem)"
            + "HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\noops"
            + "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n11\r\n{\"title\":\"Busy\"}\n\r\n0\r\n\r\n"
        #expect(
            try events(in: text, chunkBytes: chunkBytes) == [
                .answer(status: 400, problem: "unknown_event: no catalog has it"), .answer(status: 500),
                .answer(status: 503, problem: "Busy"),
            ])
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
    ])
    func `refuses what it cannot read`(_ text: String) {
        #expect(throws: AnswerReader.Malformed.self) { try events(in: text) }
    }
}
