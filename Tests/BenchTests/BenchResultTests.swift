import JSON
import Testing

@testable import Bench

struct BenchResultTests {
    private func times(_ count: Int) -> Times? {
        var latencies = Latencies()
        for value in 1...count { latencies.record(Int64(value) * 1_000_000) }
        return Times(latencies)
    }

    private func result(expected: Int?, frames: Int, ready: Int = 10) -> BenchResult {
        BenchResult(
            name: "fanout", version: "1", date: "2025-07-04T15:02:44Z", machine: .init(cores: 2, kernel: "6"),
            parameters: [.init("url", "ws://127.0.0.1:1/<x>&\"")], seconds: 10, wasInterrupted: false,
            hasStalled: false,
            sessions: .init(
                wanted: 10, measured: ready, ready: ready,
                failures: ready < 10 ? ["no <answer>": 10 - ready] : [:], losses: [:], complaints: [:], retries: 0,
                openingSeconds: 1, opening: times(10), returned: 0, returnSeconds: nil,
                returns: nil),
            streams: [
                .init(
                    name: "feed", isAnswered: true, sent: 10, accepted: 10, unsent: 0, unanswered: 0,
                    acceptedPerSecond: 1,
                    refusals: [:], connectionFailures: [:], expectedFrames: expected, frames: frames,
                    framesPerSecond: 10, answer: times(10), delivery: times(1_000), ack: nil)
            ], pushes: nil,
            server: .init(
                pid: 1, cpuSeconds: 1, cores: 0.1, softirqSeconds: 0, cpuMicrosecondsPerFrame: 2.5,
                memoryBefore: 1 << 20, memoryWithSessions: 2 << 20, memoryAtEnd: 3 << 20, bytesPerSession: 700),
            toolCores: 0.2,
            timeline: (0..<5).map {
                .init(time: Double($0), sessions: 10, framesPerSecond: 10, acceptedPerSecond: 1, serverCores: 0.1)
            }, notes: [])
    }

    @Test func `the JSON has the figures where a script looks for them`() throws {
        let json = try JSONValue(parsing: result(expected: 100, frames: 100).json)
        #expect(json.at(["name"])?.string == "fanout")
        #expect(json.at(["server", "cpuMicrosecondsPerFrame"]) == .double(2.5))
        let stream = try #require(json.at(["streams"])?.array?.first)
        #expect(stream.at(["frames"])?.int == 100)
        #expect(stream.at(["delivery", "count"])?.int == 1_000)
        guard case .double(let median)? = stream.at(["delivery", "p50"]) else {
            Issue.record("there is no median")
            return
        }
        #expect(abs(median - 500) < 1)
    }

    @Test func `a run is well only if all came that had to and everybody was let in`() {
        #expect(result(expected: 100, frames: 100).isWell)
        #expect(result(expected: nil, frames: 3).isWell)
        #expect(!result(expected: 100, frames: 99).isWell)
        #expect(!result(expected: 100, frames: 100, ready: 9).isWell)
    }

    @Test func `a run is not well if anything that was published was refused, or never answered`() {
        var refused = result(expected: 100, frames: 100)
        refused.streams[0].refusals = ["status 503": 1]
        #expect(!refused.isWell)
        var unanswered = result(expected: 100, frames: 100)
        unanswered.streams[0].unanswered = 1
        #expect(!unanswered.isWell)
        var reconnected = result(expected: 100, frames: 100)
        reconnected.streams[0].connectionFailures = ["connect: Connection refused": 3]
        #expect(reconnected.isWell)
    }

    @Test func `a run is not well if publications could not leave because nobody took them`() {
        var result = result(expected: 100, frames: 100)
        result.streams[0].unsent = 5
        // A server that is merely slower than the rate.
        #expect(result.isWell)
        result.streams[0].connectionFailures = ["connect: Connection refused": 3]
        #expect(!result.isWell)
        // Nothing is known about unsent publications on a connection that was lost for good.
        result.streams[0].unsent = 0
        result.streams[0].isAnswered = false
        #expect(!result.isWell)
    }

    @Test func `a run that has stalled is not well, whatever came`() {
        var result = result(expected: 100, frames: 100)
        result.hasStalled = true
        #expect(!result.isWell)
    }

    @Test func `a run that was ended early is well with the sessions that it had`() {
        var result = result(expected: 100, frames: 100)
        result.wasInterrupted = true
        result.sessions?.measured = 4
        result.sessions?.ready = 4
        #expect(result.isWell)
        // Sessions that were on their way when the others were counted.
        result.sessions?.ready = 5
        #expect(result.isWell)
        result.sessions?.ready = 3
        #expect(!result.isWell)
    }

    @Test(arguments: [(10, 0, true), (9, 1, false), (9, 0, false), (0, 0, false)])
    func `a run is well only if the push service accepted what it got`(_ accepted: Int, _ others: Int, _ isWell: Bool) {
        var result = result(expected: 100, frames: 100)
        result.pushes = .init(accepted: accepted, otherAnswers: others, perSecond: 1)
        #expect(result.isWell == isWell)
    }

    @Test func `the page needs nothing from elsewhere, and shows text as text`() {
        let page = result(expected: 100, frames: 99, ready: 9).page
        for reference in ["http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link"] {
            #expect(!page.contains(reference), "\(reference)")
        }
        #expect(page.contains("prefers-color-scheme:dark"))
        #expect(page.contains("<polyline"))
        #expect(page.contains("no &lt;answer&gt;") && !page.contains("no <answer>"))
        #expect(page.contains("ws://127.0.0.1:1/&lt;x&gt;&amp;&quot;"))
    }

    @Test func `the text tells of what was lost`() {
        let lines = text(frames: 99)
        #expect(lines.contains { $0.contains("LOST") && $0.hasSuffix("1") })
        #expect(!text(frames: 100).contains { $0.contains("LOST") })
    }

    private func text(frames: Int) -> [String] {
        var lines: [String] = []
        for section in result(expected: 100, frames: frames).sections { lines += section.lines }
        return lines
    }

    @Test func `each line of a plot has a colour of its own, and the page knows it`() {
        var result = result(expected: 100, frames: 100)
        result.streams = Array(repeating: result.streams[0], count: 3)
        for colour in 0..<Plot.colours {
            #expect(result.page.contains(".c\(colour){"))
        }
        // Every session's readiness and an answer and a frame of each stream.
        #expect(result.page.contains(#"<polyline class="line c6""#))
    }
}
