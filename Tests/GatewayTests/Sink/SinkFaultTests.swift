import Inbox
import JSON
import Push
import Support
import Testing
import Transport

@testable import Gateway

/// The answer that a sender gets for each fault of a script.
@Suite(.mayNotHang)
struct SinkFaultTests {
    @Test(arguments: [
        (#""status": 410, "reason": "Unregistered", "timestamp": 1764000000000"#, 410, "Unregistered"),
        (#""status": 429, "reason": "TooManyRequests", "retryAfter": 7"#, 429, "TooManyRequests"),
        (#""status": 500, "reason": "InternalServerError""#, 500, "InternalServerError"),
        (#""status": 403, "reason": "ExpiredProviderToken""#, 403, "ExpiredProviderToken"),
    ])
    func `an answer has the service's form and shows nothing`(
        members: String, status: Int, reason: JSONValue
    ) async throws {
        let sink = try TestSink(script: #"{"times": 1, "fault": "answer", \#(members)}"#)
        let answer = try await sink.send(sink.apns())
        #expect(answer.status == status)
        #expect(try JSONValue(parsing: answer.body).at(["reason"]) == reason)
        #expect(answer.header("retry-after") == (status == 429 ? "7" : nil))
        let line = try await sink.next()
        #expect((line.at(["fault"]), line.at(["title"])) == ("answer", nil))
        #expect(try await sink.send(sink.apns()).status == 200)
        await sink.stop()
    }

    @Test(arguments: ["refuseStream", "goAway"])
    func `a request that the service did not take is sent again by the client itself`(fault: String) async throws {
        let sink = try TestSink(script: #"{"times": 1, "fault": "\#(fault)"}"#)
        #expect(try await sink.send(sink.apns()).status == 200)
        let lines = [try await sink.next(), try await sink.next()]
        #expect(lines.map { $0.at(["fault"]) } == [.string(fault), nil])
        #expect(lines.map { $0.at(["status"]) } == [nil, 200])
        await sink.stop()
    }

    @Test func `among many requests, what was answered was shown once, and what was not taken never`() async throws {
        let sink = try TestSink(
            script: """
                {"request": 100, "fault": "goAway"}
                {"percent": 3, "fault": "refuseStream"}
                {"percent": 1, "fault": "delay", "milliseconds": 20}
                """)
        let template = try sink.apns()
        let answered = await withTaskGroup(of: (Int, Bool).self) { group in
            for index in 0..<1_000 {
                var push = template
                push.headers = push.headers.map {
                    $0.name == "apns-collapse-id" ? (name: $0.name, value: "id-\(index)") : $0
                }
                group.addTask { [push] in (index, (try? await sink.send(push))?.status == 200) }
            }
            var answered = Set<Int>()
            for await (index, isAnswered) in group where isAnswered { answered.insert(index) }
            return answered
        }
        let summary = try JSONValue(parsing: sink.server.summary)
        for index in 0..<1_000 {
            let times = summary.at(["shown", "apns", "a1b2", "id-\(index)"])?.int ?? 0
            #expect(times == (answered.contains(index) ? 1 : 0), "id-\(index)")
        }
        // The client repeats once: only those that met two faults are left.
        #expect(answered.count > 900)
        await sink.stop()
    }

    @Test func `after a GOAWAY that includes it a request is answered, and the next one goes elsewhere`() async throws {
        let sink = try TestSink(script: #"{"times": 1, "fault": "goAway", "lastStream": "this"}"#)
        #expect(try await sink.send(sink.apns("One")).status == 200)
        #expect(try await sink.send(sink.apns("Two")).status == 200)
        let lines = [try await sink.next(), try await sink.next()]
        #expect(lines.map { $0.at(["title"]) } == ["One", "Two"])
        await sink.stop()
    }

    @Test(arguments: [("reset", "lost"), ("reset", "delivered"), ("drop", "lost"), ("drop", "delivered")])
    func `an answer that is lost on the way leaves the sender without one, whatever the phone shows`(
        fault: String, fate: String
    ) async throws {
        let sink = try TestSink(script: #"{"times": 1, "fault": "\#(fault)", "fate": "\#(fate)"}"#)
        let push = try sink.apns()
        await #expect(throws: HTTPClientError.self) { try await sink.send(push) }
        let line = try await sink.next()
        #expect((line.at(["status"]), line.at(["fault"])) == (nil, .string(fault)))
        #expect(line.at(["title"]) == (fate == "delivered" ? "Hello" : nil))
        await sink.stop()
    }

    @Test func `a request that is swallowed ends by the sender's deadline`() async throws {
        // By its device, not by its number: on a busy machine its time may be up before it is sent.
        let sink = try TestSink(script: #"{"device": "a1b2", "fault": "noAnswer"}"#)
        let (push, other) = (try sink.apns(), try sink.apns(to: "c3d4"))
        #expect(try await sink.send(other).status == 200)
        #expect(try await sink.next().at(["fault"]) == nil)
        var timeout = Duration.milliseconds(300)
        var line: JSONValue?
        repeat {
            let limit = timeout
            await #expect(throws: HTTPClientError.timedOut) { try await sink.send(push, within: limit) }
            #expect(try await sink.send(other).status == 200)
            // The other's line alone, where the first did not come that far.
            line = try await sink.next()
            timeout *= 2
        } while line?.at(["fault"]) == nil && timeout < .patience
        #expect(line?.at(["fault"]) == "noAnswer")
        await sink.stop()
    }

    @Test func `a late answer is the right one`() async throws {
        let sink = try TestSink(script: #"{"times": 1, "fault": "delay", "milliseconds": 200}"#)
        let start = ContinuousClock.now
        #expect(try await sink.send(sink.apns()).status == 200)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        #expect(try await sink.next().at(["title"]) == "Hello")
        await sink.stop()
    }

    @Test(arguments: ["reset", "drop", "goAway", "refuseStream"])
    func `over HTTP/1.1 a fault of the stream is one of the connection`(fault: String) async throws {
        let sink = try TestSink(script: #"{"provider": "webpush", "times": 1, "fault": "\#(fault)"}"#)
        let subscription = try await sink.get("/webpush/new").body
        let push = try #require(try sink.webPush(to: subscription))
        #expect(try await HTTP1Call(push, to: sink).answer() == "")
        #expect(try await sink.next().at(["fault"]) == .string(fault))
        #expect(try await HTTP1Call(push, to: sink).answer().hasPrefix("HTTP/1.1 201 "))
        await sink.stop()
    }

    @Test func `APNs is not there for HTTP/1.1`() async throws {
        let sink = try TestSink()
        #expect(try await HTTP1Call(sink.apns(), to: sink).answer().hasPrefix("HTTP/1.1 505 "))
        await sink.stop()
    }

    @Test func `a fault at the token endpoint needs its name`() async throws {
        let sink = try TestSink(
            script: """
                {"provider": "token", "times": 1, "fault": "answer", "status": 503, "retryAfter": 2}
                {"fault": "answer", "status": 500}
                """)
        let answer = try await sink.send(sink.tokenRequest().request)
        #expect((answer.status, answer.header("retry-after")) == (503, "2"))
        #expect(try await sink.send(sink.tokenRequest().request).status == 200)
        await sink.stop()
    }

    @Test func `a script can be replaced, and tells how often each of its rules was met`() async throws {
        let sink = try TestSink(script: #"{"fault": "answer", "status": 503}"#)
        #expect(try await sink.send(sink.apns()).status == 503)
        #expect(try JSONValue(parsing: try await sink.get("/script").body).array?.first?.at(["hits"]) == 1)
        let mistake = try await sink.call("POST", "/script", body: "\n{\"fault\": \"dorp\"}")
        #expect(mistake.status == 400)
        #expect(
            try JSONValue(parsing: mistake.body).at(["error"]) == #"line 2: no such fault: dorp; did you mean "drop"?"#)
        #expect(try await sink.send(sink.apns()).status == 503)
        let rules = try await sink.call("POST", "/script", body: #"{"request": 2, "fault": "answer", "status": 500}"#)
        #expect(try JSONValue(parsing: rules.body).array?.count == 1)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await sink.send(sink.apns()).status) }
        #expect(statuses == [200, 500, 200])
        await sink.stop()
    }
}
