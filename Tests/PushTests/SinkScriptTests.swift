import Inbox
import Push
import Testing

struct SinkScriptTests {
    private func request(_ device: String) -> SinkRequest { SinkRequest(method: "POST", path: "/3/device/" + device) }

    @Test func `every kind of rule is read`() throws {
        let script = try SinkScript(
            parsing: """
                # a comment, and an empty line

                {"device": "a1", "fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 1764000000000}
                  {"times": 2, "fault": "answer", "status": 429, "retryAfter": 3}
                {"request": 4, "fault": "goAway"}
                {"fault": "reset"}
                {"fault": "noAnswer"}
                {"fault": "delay", "milliseconds": 250}
                """)
        #expect(
            script.rules == [
                .init(
                    device: "a1", fault: .answer(.init(status: 410, reason: "Unregistered", timestamp: now))),
                .init(times: 2, fault: .answer(.init(status: 429, retryAfter: .seconds(3)))),
                .init(request: 4, fault: .goAway), .init(fault: .reset), .init(fault: .noAnswer),
                .init(fault: .delay(.milliseconds(250))),
            ])
    }

    @Test(arguments: [
        ("{", 1), ("\n[1]", 2), ("{}", 1), (#"{"fault": "explode"}"#, 1), (#"{"fault": "answer"}"#, 1),
        (#"{"fault": "answer", "status": 42}"#, 1), (#"{"fault": "delay"}"#, 1), (#"{"fault": 1}"#, 1),
        ("# fine\n{\"fault\": \"reset\"}\n{\"fault\": \"reset\", \"devise\": \"a1\"}", 3),
        (#"{"fault": "reset", "request": 0}"#, 1), (#"{"fault": "reset", "device": 7}"#, 1),
    ])
    func `a mistake is told with its line`(text: String, line: Int) {
        let error = #expect(throws: SinkScriptError.self) { try SinkScript(parsing: text) }
        #expect(error?.line == line)
    }

    @Test func `the first rule that fits decides`() {
        var script = SinkScript(rules: [
            .init(request: 2, fault: .goAway), .init(device: "a1", fault: .reset), .init(times: 2, fault: .noAnswer),
        ])
        let faults = ["b2", "a1", "a1", "b2", "b2"].map { script.next(for: request($0)) }
        #expect(faults == [.noAnswer, .goAway, .reset, .noAnswer, nil])
    }

    @Test func `an empty script changes nothing`() throws {
        var script = try SinkScript(parsing: "")
        #expect(script.next(for: request("a1")) == nil)
        #expect(script.next(device: nil) == nil)
    }
}
