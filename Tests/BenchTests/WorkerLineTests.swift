import Testing

@testable import Bench

struct WorkerLineTests {
    private func returned<Value: Codable>(_ value: Value) throws -> Value {
        let line = String(decoding: try WorkerLine.encode(value), as: UTF8.self)
        #expect(line.hasSuffix("\n") && line.dropLast().allSatisfy { $0 != "\n" })
        return try WorkerLine.decode(Value.self, from: line)
    }

    @Test func `an order to open carries the whole plan`() throws {
        var speech = RawSpeech()
        speech.opening = [try Template("SUB {{user}}\r\n")]
        speech.readyText = "\"ok\"\n"
        speech.replies = [.init(message: "PING\r\n", answer: "PONG\r\n")]
        var plan = SessionPlan(url: "ws://[::1]:1/a?{{index}}", speech: .raw(speech), indices: 5..<9)
        plan.headers = [.init(name: "X", value: try Template("{{token}}"))]
        plan.ramp = 3.5
        plan.sources = ["127.0.0.2"]
        guard
            case .open(let read, let credential) = try returned(WorkerOrder.open(plan, .init(secret: "s", config: nil)))
        else {
            Issue.record("it is another order")
            return
        }
        #expect(credential?.secret == "s")
        #expect(
            read.url == plan.url && read.indices == plan.indices && read.ramp == 3.5 && read.sources == plan.sources)
        #expect(read.headers.map(\.value) == plan.headers.map(\.value))
        guard case .raw(let readSpeech) = read.speech else {
            Issue.record("it is another speech")
            return
        }
        #expect(readSpeech.opening == speech.opening && readSpeech.readyText == speech.readyText)
        #expect(readSpeech.replies.map(\.answer) == ["PONG\r\n"])
    }

    @Test func `counts and tallies of two workers add up`() throws {
        var (first, second) = (SessionCounts(), SessionCounts())
        (first.ready, first.frames[3], first.failures) = (2, 10, ["refused": 1])
        (second.ready, second.frames[3], second.failures) = (3, 5, ["refused": 2, "late": 1])
        guard case .counts(let read) = try returned(WorkerReply.counts(second)) else {
            Issue.record("it is another reply")
            return
        }
        first += read
        #expect(first.ready == 5 && first.frames[3] == 15 && first.failures == ["refused": 3, "late": 1])

        var (tally, other) = (SessionTally(), SessionTally())
        tally.deliveries[1, default: Latencies()].record(1_000_000)
        other.deliveries[1, default: Latencies()].record(9_000_000)
        other.returns.record(5)
        guard case .tally(let readTally) = try returned(WorkerReply.tally(other)) else {
            Issue.record("it is another reply")
            return
        }
        tally += readTally
        #expect(tally.deliveries[1]?.count == 2 && tally.returns.count == 1)
        #expect((tally.deliveries[1]?.maximum ?? 0) >= 9_000_000)
    }

    @Test func `a credential prints as no secret`() {
        #expect("\(Credential(secret: "hidden", config: nil))" == "<secret>")
    }
}
