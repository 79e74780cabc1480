import Inbox
import JSON
import Push
import Testing

struct SinkScriptTests {
    @Test func `every kind of rule is read`() throws {
        let script = try SinkScript(
            parsing: """
                # a comment, and an empty line

                {"device": "a1", "fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 1764000000000}
                  {"times": 2, "fault": "answer", "status": 429, "retryAfter": 3}
                {"provider": "fcm", "request": 4, "fault": "goAway"}
                {"provider": "token", "fault": "goAway", "lastStream": "this"}
                {"every": 3, "fault": "reset"}
                {"percent": 2.5, "fault": "noAnswer", "fate": "delivered"}
                {"percent": 5, "fault": "drop", "fate": "lost"}
                {"fault": "refuseStream"}
                {"fault": "delay", "milliseconds": 250}
                {"fault": "answer", "status": 200, "headers": {"Retry-After": "x"}, "body": {"id": ""}}
                """)
        #expect(
            script.rules == [
                .init(
                    device: "a1", fault: .answer(.init(status: 410, reason: "Unregistered", timestamp: now))),
                .init(times: 2, fault: .answer(.init(status: 429, retryAfter: .seconds(3)))),
                .init(route: .push(.fcm), request: 4, fault: .goAway(.none)),
                .init(route: .token, fault: .goAway(.this)), .init(every: 3, fault: .reset(.lost)),
                .init(percent: 2.5, fault: .noAnswer(.delivered)), .init(percent: 5, fault: .drop(.lost)),
                .init(fault: .refuseStream), .init(fault: .delay(.milliseconds(250))),
                .init(fault: .answer(.init(status: 200, headers: ["retry-after": "x"], body: ["id": ""]))),
            ])
    }

    @Test func `an answer's headers and body stand in for the service's`() {
        let own = PushReply(status: 400, headers: [("content-type", "text/plain"), ("retry-after", "7")], body: [1])
        let answer = SinkFault.Answer(status: 400, headers: ["retry-after": "Mon"], body: ["id": ""])
        let reply = answer.applied(to: own)
        #expect(reply.header("content-type") == "text/plain")
        #expect(reply.headers.filter { $0.name == "retry-after" }.map(\.value) == ["Mon"])
        #expect(text(reply.body) == #"{"id":""}"#)
        #expect(text(SinkFault.Answer(status: 400, body: "<html>").applied(to: own).body) == "<html>")
        #expect(SinkFault.Answer(status: 400).applied(to: own).body == [1])
    }

    @Test(arguments: [
        ("{", 1, ""), ("\n[1]", 2, "a rule is an object, not an array"),
        ("{}", 1, "fault is missing; expected answer, noAnswer, goAway, reset, refuseStream, drop or delay"),
        (#"{"falt": "drop"}"#, 1, #"no such member here: falt; did you mean "fault"?"#),
        (#"{"fault": "explode"}"#, 1, "no such fault: explode"),
        (#"{"fault": "goaway"}"#, 1, #"no such fault: goaway; did you mean "goAway"?"#),
        (#"{"fault": "answer"}"#, 1, "an answer needs a status"),
        (#"{"fault": "answer", "status": 200, "headers": 7}"#, 1, "headers is an object, not a number"),
        (#"{"fault": "answer", "status": 200, "headers": {"a b": "c"}}"#, 1, "headers has names of letters"),
        (#"{"fault": "answer", "status": 200, "headers": {"a": "b\nc"}}"#, 1, "headers has names of letters"),
        (#"{"fault": "answer", "status": 42}"#, 1, "status is a whole number in 200...599"),
        (#"{"fault": "delay"}"#, 1, "a delay needs milliseconds"), (#"{"fault": 1}"#, 1, "fault is a string"),
        (
            "# fine\n{\"fault\": \"reset\"}\n{\"fault\": \"reset\", \"devise\": \"a1\"}", 3,
            #"no such member here: devise; did you mean "device"?"#
        ),
        (#"{"fault": "reset", "status": 500}"#, 1, "no such member here: status"),
        (#"{"fault": "reset", "request": 0}"#, 1, "request is a whole number in 1..."),
        (#"{"fault": "reset", "device": 7}"#, 1, "device is a string, not a number"),
        (#"{"fault": "reset", "provider": "apn"}"#, 1, #"no such provider: apn; did you mean "apns"?"#),
        (#"{"fault": "reset", "fate": "gone"}"#, 1, "no such fate: gone; expected lost or delivered"),
        (#"{"fault": "goAway", "lastStream": "all"}"#, 1, "no such lastStream: all; expected none or this"),
        (#"{"fault": "reset", "percent": 0}"#, 1, "percent is more than 0 and at most 100"),
        (#"{"fault": "reset", "percent": 100.5}"#, 1, "percent is more than 0 and at most 100"),
        (#"{"fault": "reset", "percent": "5"}"#, 1, "percent is a number, not a string"),
        (#"{"fault": "reset", "every": 0}"#, 1, "every is a whole number in 1..."),
    ])
    func `a mistake is told with its line and what was expected`(text: String, line: Int, reason: String) {
        let error = #expect(throws: SinkScriptError.self) { try SinkScript(parsing: text) }
        #expect(error?.line == line)
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `the first rule that fits decides`() {
        var script = SinkScript(rules: [
            .init(request: 2, fault: .goAway(.none)), .init(device: "a1", fault: .reset(.lost)),
            .init(times: 2, fault: .noAnswer(.lost)),
        ])
        let faults = ["b2", "a1", "a1", "b2", "b2"].map { script.next(.push(.apns), device: $0) }
        #expect(faults == [.noAnswer(.lost), .goAway(.none), .reset(.lost), .noAnswer(.lost), nil])
        #expect(script.hits == [1, 1, 2])
    }

    @Test func `a rule for one service leaves the others alone`() {
        var script = SinkScript(rules: [.init(route: .push(.fcm), fault: .refuseStream)])
        let routes = [SinkRoute.push(.apns), .push(.fcm), .push(.onesignal), .push(.webpush), .token]
        #expect(routes.filter { script.next($0, device: nil) != nil } == [.push(.fcm)])
    }

    @Test func `a request for a token counts as no push and meets only rules that name it`() {
        var script = SinkScript(rules: [
            .init(request: 1, fault: .drop(.lost)), .init(route: .token, times: 1, fault: .noAnswer(.lost)),
            .init(fault: .refuseStream),
        ])
        let routes = [SinkRoute.token, .token, .push(.fcm), .push(.fcm)]
        #expect(routes.map { script.next($0, device: nil) } == [.noAnswer(.lost), nil, .drop(.lost), .refuseStream])
    }

    @Test func `every third request means those that meet the rule's other conditions`() {
        var script = SinkScript(rules: [.init(device: "a1", every: 3, fault: .refuseStream)])
        let devices = ["a1", "b2", "a1", "b2", "a1", "a1", "a1", "a1"]
        #expect(
            devices.map { script.next(.push(.apns), device: $0) != nil }
                == [false, false, false, false, true, false, false, true])
    }

    @Test func `a percentage is met by about that share, and by the same requests for the same seed`() {
        func chosen(seed: UInt64) -> [Bool] {
            var script = SinkScript(rules: [.init(percent: 5, fault: .refuseStream)], seed: seed)
            return (0..<10_000).map { _ in script.next(.push(.apns), device: nil) != nil }
        }
        #expect(chosen(seed: 1) == chosen(seed: 1))
        #expect(chosen(seed: 1) != chosen(seed: 2))
        // Five standard deviations of a binomial distribution with 500 as its mean.
        #expect((391...609).contains(chosen(seed: 1).count { $0 }))
        var always = SinkScript(rules: [.init(percent: 100, fault: .refuseStream)])
        #expect((0..<1_000).allSatisfy { _ in always.next(.push(.apns), device: nil) != nil })
    }

    @Test func `an empty script changes nothing`() throws {
        var script = try SinkScript(parsing: "")
        #expect(script.next(.push(.apns), device: "a1") == nil)
        #expect(script.next(.token, device: nil) == nil)
    }

    @Test func `its description of itself can be read again, and says how often each rule was met`() throws {
        let lines = [
            #"{"provider":"webpush","request":1,"device":"a1","times":2,"every":1,"fault":"answer","status":410,"#
                + #""reason":"Gone","timestamp":5,"retryAfter":7}"#,
            #"{"percent":2.5,"fault":"delay","milliseconds":9}"#, #"{"fault":"goAway","lastStream":"this"}"#,
            #"{"fault":"drop","fate":"delivered"}"#, #"{"fault":"refuseStream"}"#,
        ]
        var script = try SinkScript(parsing: lines.joined(separator: "\n"))
        #expect(script.next(.push(.webpush), device: "a1") != nil)
        var json = JSONWriter()
        script.write(to: &json)
        let written = try #require(JSONValue(parsing: json.bytes).array)
        #expect(written.map { $0.at(["hits"]) } == [1, 0, 0, 0, 0])
        let rules = try written.map { value in
            var object = try #require(value.object)
            object["hits"] = nil
            return try SinkScript(parsing: String(decoding: JSONValue.object(object).encoded, as: UTF8.self)).rules
        }
        #expect(rules.flatMap(\.self) == script.rules)
    }
}
