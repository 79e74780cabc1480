import JSON

@testable import Gateway
@testable import WireProtocol

/// The live protocol over an event stream. A reader after the HTML Standard reads what the server has written. A session's
/// first frames answer what the client has asked in its address.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzEventStream(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var choices = Choices(FuzzInput(start, count).bytes)
    judgeStream(&choices)
    judgeRequest(&choices)
    return 0
}

private func judgeStream(_ choices: inout Choices) {
    var (stream, expected, place): ([UInt8], [PlainEventStreamReader.Event], String) = ([], [], "")
    for _ in 0..<choices.number(below: 6) {
        switch choices.number(below: 4) {
        case 0: stream += EventStreamEncoder.sign
        case 1:
            // Epochs are the server's own words.
            place = "\(choices.pick(["8ts6wq366364n0h", "e"])).\(choices.number(below: 256))"
            stream += EventStreamEncoder.place(place)
        case 2:
            let reason = choices.text(["bye", "", "two\nlines"])
            stream += EventStreamEncoder.close(4_000 + UInt16(choices.byte()), reason: reason)
            expected.append(.init(name: "close", data: nil, lastID: place))
        default:
            // Frames are JSON. Between tokens, there may be any space.
            let value = choices.json(members: ["type", "seq"], texts: ["new", "line\nend", "\r\n", "\u{2028}"])
            let text = choices.pick([[], [13, 10], [10], [32]]) + value.encoded + choices.pick([[], [10], [13]])
            stream += EventStreamEncoder.event(text)
            expected.append(.init(name: "message", data: value, lastID: place))
        }
    }
    let read = PlainEventStreamReader.events(in: stream)
    claimEqual(read.count, expected.count, "other events than were written")
    for (read, expected) in zip(read, expected) {
        claimEqual(read.name, expected.name, "another name")
        claimEqual(read.lastID, expected.lastID, "another place")
        if let data = expected.data { claimEqual(read.data, data, "an event of other data") }
        claim(read.data != nil, "data that are no JSON")
    }
}

private func judgeRequest(_ choices: inout Choices) {
    var path = "/v1/live/events"
    for place in 0..<choices.number(below: 6) {
        let name = choices.text(["resume", "feed", "active", "device"])
        let value = choices.text([
            "e.7", "e.-1", "e.9223372036854775808", "posts,query:42", "true", "false", ",", "a.b.c", "",
        ])
        path += "\(place == 0 ? "?" : "&")\(name)=\(value.filter { $0 != " " && !$0.isNewline })"
    }
    var text = "GET \(path) HTTP/1.1\r\nHost: h\r\n"
    if choices.isOne(in: 2) {
        text +=
            "Last-Event-ID: \(choices.text(["8ts6wq366364n0h.12", "e.0", ".1", "e.", "e.+1"]).filter { !$0.isNewline })\r\n"
    }
    var parser = HTTPRequestParser(maximumHeadBytes: 8 << 10)
    Array("\(text)\r\n".utf8).withUnsafeBytes { parser.append($0) }
    guard case .head(let head)? = try? parser.next() else { return }
    do throws(Problem) {
        judge(try EventStreamRequest(head).frames, of: head)
    } catch {
        claimEqual(error.status, 400, "another status")
        claim(error.detail.contains("resume") || error.detail.contains("active"), error.detail)
    }
}

private func judge(_ frames: [ClientFrame], of head: HTTPRequestHead) {
    guard case .hello(let hello)? = frames.first?.kind else { fatalError("a session without a hello") }
    if let resume = hello.resume {
        let asked = head.headers["Last-Event-ID"] ?? head.query["resume"]
        let told = "\(resume.epoch).\(resume.seq)"
        // The server writes numbers in one way; "+7" and "07" are numbers, too.
        claim(
            asked == told || Int64(asked?.split(separator: ".").last ?? "") == resume.seq,
            "another place than was asked")
        claim(resume.seq >= 0 && !resume.epoch.isEmpty && !resume.epoch.contains("."), "a place that is none")
    }
    for frame in frames {
        let again = frame.encoded.withOwnMemory { bytes in
            Result { () throws(ClientFrameProblem) in try ClientFrame(parsing: bytes) }
        }
        claimEqual(again, .success(frame), "a frame that no client could send")
    }
    for frame in frames.dropFirst() {
        guard case .subscribe(let feed, after: nil, tags: []) = frame.kind else {
            fatalError("a frame that nobody asked for")
        }
        claim(!feed.isEmpty && !feed.contains(","), "a feed without a name")
    }
}
