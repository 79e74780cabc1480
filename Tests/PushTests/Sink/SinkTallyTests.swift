import Inbox
import JSON
import Push
import Testing

struct SinkTallyTests {
    private func record(
        _ route: SinkRoute = .push(.apns), status: Int? = 200, body: String = "", fault: String? = nil,
        headers: [(String, String)] = [], shown: [ShownPush] = []
    ) -> SinkRecord {
        SinkRecord(
            number: 7, at: now, route: route, device: "a1",
            request: SinkRequest(method: "POST", path: "/", headers: headers.map { (name: $0.0, value: $0.1) }),
            fault: fault, reply: status.map { PushReply(status: $0, body: Array(body.utf8)) }, shown: shown)
    }

    private func push(_ title: String? = "t", device: String = "a1", id: String? = "x") -> ShownPush {
        ShownPush(device: device, title: title, body: nil, badge: 1, thread: nil, collapseID: id, data: ["k": "v"])
    }

    @Test func `counts each device with each collapse id, whatever became of the answer`() throws {
        var tally = SinkTally(keepsShown: true)
        tally.count(record(shown: [push()]))
        tally.count(record(status: nil, fault: "reset", shown: [push()]))
        tally.count(record(shown: [push(id: "y")]))
        tally.count(record(shown: [push(nil)]))
        tally.count(record(status: 410))
        tally.count(record(.push(.onesignal), shown: [push(device: "b"), push(device: "c")]))
        let json = try JSONValue(parsing: tally.json)
        #expect([json.at(["requests"]), json.at(["accepted"]), json.at(["silent"])] == [6, 5, 1])
        #expect(json.at(["statuses"]) == ["apns": ["200": 3, "410": 1], "onesignal": ["200": 1]])
        #expect(json.at(["unanswered"]) == ["apns": 1])
        #expect(json.at(["faults"]) == ["reset": 1])
        #expect([json.at(["pairs"]), json.at(["shownAgain"])] == [4, 1])
        #expect(json.at(["shown", "apns", "a1", "x"]) == 2)
        #expect(json.at(["shown", "apns", "a1", "y"]) == 1)
        #expect(json.at(["shown", "onesignal", "c", "x"]) == 1)
        #expect(tally.timesShown(.push(.apns), device: "a1", collapseID: "x") == 2)
    }

    @Test func `a tally that runs for ever keeps no devices`() throws {
        var tally = SinkTally(keepsShown: false)
        tally.count(record(shown: [push()]))
        #expect(try JSONValue(parsing: tally.json).at(["shown"]) == nil)
        #expect(tally.accepted == 1)
    }

    @Test func `a line tells what the phone shows`() throws {
        let line = try JSONValue(
            parsing: record(headers: [("apns-collapse-id", "x"), ("authorization", "secret")], shown: [push()]).line)
        #expect(
            line.object
                == [
                    "number": 7, "at": "2025-11-24T16:00:00.000Z", "ms": 1_764_000_000_000, "provider": "apns",
                    "device": "a1", "status": 200, "apns-collapse-id": "x", "title": "t", "body": nil, "badge": 1,
                    "thread": nil, "collapseID": "x", "data": ["k": "v"],
                ])
    }

    @Test func `a line tells the fault, and the service's words when it accepted nothing`() throws {
        let refused = try JSONValue(
            parsing: record(status: 410, body: #"{"reason":"Unregistered"}"#, fault: "answer").line)
        #expect(refused.at(["reply", "reason"]) == "Unregistered")
        #expect(refused.at(["title"]) == nil)
        let lost = try JSONValue(parsing: record(status: nil, fault: "drop").line)
        #expect((lost.at(["status"]), lost.at(["fault"])) == (nil, "drop"))
        let empty = try JSONValue(parsing: record(.push(.onesignal), body: "not JSON").line)
        #expect(empty.at(["reply"]) == "not JSON")
    }

    @Test func `no line tells an access token`() {
        let line = record(.token, body: #"{"access_token":"ya29.secret"}"#).line
        #expect(!String(decoding: line, as: UTF8.self).contains("secret"))
    }

    @Test func `the short form has ids and outcome, and no text`() throws {
        let line = try JSONValue(parsing: record(fault: "delay", shown: [push()]).compactLine)
        #expect(
            line.object
                == [
                    "at": 1_764_000_000_000, "provider": "apns", "device": "a1", "collapse": "x", "status": 200,
                    "fault": "delay", "shown": true,
                ])
        let badge = record(headers: [("apns-collapse-id", "b")], shown: [push(nil, id: nil)])
        let silent = try JSONValue(parsing: badge.compactLine)
        #expect((silent.at(["shown"]), silent.at(["collapse"])) == (nil, "b"))
    }
}
