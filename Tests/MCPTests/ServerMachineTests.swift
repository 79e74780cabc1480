import JSON
import Testing

@testable import MCP

struct ServerMachineTests {
    private var machine = ServerMachine(name: "belfry", version: "1.0")

    private mutating func receive(_ line: String) -> ServerMachine.Step { machine.receive(Array(line.utf8)) }

    /// The member of the answer that the step sends.
    private func sent(_ step: ServerMachine.Step, _ path: String...) throws -> JSONValue? {
        guard case .send(let answer) = step else {
            Issue.record("nothing is sent: \(step)")
            return nil
        }
        return answer.at(path)
    }

    private static func call(_ tool: String, _ arguments: String, id: String = "1") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    }

    @Test(arguments: [("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-11-25")])
    mutating func `a client's version is agreed to if it is known, else the newest is offered`(
        _ asked: String, _ agreed: String
    ) throws {
        let step = receive(
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{}}}"#
        )
        #expect(try sent(step, "result", "protocolVersion") == .string(agreed))
        #expect(try sent(step, "id") == 0)
        #expect(try sent(step, "result", "serverInfo", "name") == "belfry")
        #expect(receive(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == .nothing)
    }

    @Test mutating func `a request without a method is told so, and an answer is passed over`() throws {
        #expect(try sent(receive(#"{"jsonrpc":"2.0","id":99}"#), "error", "code") == -32_600)
        #expect(receive(#"{"jsonrpc":"2.0","id":99,"result":{}}"#) == .nothing)
    }

    @Test mutating func `pings are answered, and four tools are listed with their schemas`() throws {
        #expect(try sent(receive(#"{"jsonrpc":"2.0","id":"a","method":"ping"}"#), "result") == [:])
        let step = receive(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
        let tools = try #require(try sent(step, "result", "tools")?.array)
        #expect(tools.map { $0.at(["name"]) } == ["notify", "ask", "wait", "explain"])
        for tool in tools { #expect(tool.at(["inputSchema", "type"]) == "object") }
    }

    @Test(arguments: [
        ("{", -32_700), ("[]", -32_600), (#"{"id":1,"method":"ping"}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shout"}}"#, -32_602),
    ]) mutating func `what is no request of the protocol gets the error of JSON-RPC`(_ line: String, _ code: Int64)
        throws
    {
        #expect(try sent(receive(line), "error", "code") == .int(code))
    }

    @Test(arguments: [#"{"jsonrpc":"2.0","method":"ping"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#])
    mutating func `notifications and answers are not answered`(_ line: String) { #expect(receive(line) == .nothing) }

    @Test mutating func `a tool runs, and its result is the answer`() {
        let step = receive(Self.call("notify", #"{"to":["sarah"],"message":"Done","key":"k"}"#))
        #expect(step == .run(id: 1, .notify(to: ["sarah"], message: "Done", key: "k")))
        let answer = machine.finished(1, with: ToolResult(["event": "evt_1"]))
        #expect(answer?.at(["id"]) == 1)
        #expect(answer?.at(["result", "structuredContent", "event"]) == "evt_1")
        #expect(answer?.at(["result", "isError"]) == nil)
        let again = machine.finished(1, with: ToolResult(text: "again"))
        #expect(again == nil)
    }

    @Test mutating func `a cancelled tool is stopped, and says nothing any more`() {
        _ = receive(Self.call("wait", #"{"event":"evt_1"}"#, id: #""w""#))
        let cancelled = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}"#
        #expect(receive(cancelled) == .stop(id: "w"))
        let late = machine.finished("w", with: ToolResult(text: "late"))
        #expect(late == nil)
        #expect(receive(cancelled) == .nothing)
    }

    @Test mutating func `two calls run side by side, but not with the same id`() throws {
        #expect(receive(Self.call("wait", #"{"event":"a","wait":0}"#)) != .nothing)
        let second = receive(Self.call("wait", #"{"event":"b","until":"first"}"#, id: "2"))
        #expect(second == .run(id: 2, .wait(event: "b", .init(seconds: 50, until: "first"))))
        #expect(try sent(receive(Self.call("wait", #"{"event":"c"}"#)), "error", "code") == -32_600)
    }

    @Test mutating func `a question has its answers, its time and its default`() {
        let step = receive(
            Self.call(
                "ask", #"{"to":"sarah","message":"Deploy?","answers":["Yes","No"],"within":60,"default":"No","wait":5}"#
            )
        )
        let question = ToolCall.Question(answers: ["Yes", "No"], within: 60, fallback: "No")
        #expect(
            step
                == .run(
                    id: 1,
                    .ask(to: ["sarah"], message: "Deploy?", key: nil, question, .init(seconds: 5, until: "all"))))
    }

    @Test(arguments: [
        ("notify", #"{"message":"x"}"#, "to: expected an array of 1 to 100 texts"),
        ("notify", #"{"to":["a"]}"#, "message is missing: expected a text"),
        (
            "notify", #"{"to":["a"],"message":"x","urgent":true}"#,
            #"unknown argument "urgent"; expected to, message, key"#
        ),
        ("ask", #"{"to":["a"],"message":"x"}"#, "answers: expected an array of 1 to 4 texts"),
        (
            "ask", #"{"to":["a"],"message":"x","answers":["y","y"]}"#,
            "answers: expected different texts of at most 64 bytes"
        ),
        (
            "ask", #"{"to":["a"],"message":"x","answers":["y"],"default":"n","within":1}"#,
            "default: expected one of the answers"
        ),
        (
            "ask", #"{"to":["a"],"message":"x","answers":["y"],"default":"y"}"#,
            "within is missing: expected the seconds after which the default counts"
        ),
        ("wait", #"{"event":"e","wait":56}"#, "wait: expected a whole number from 0 to 55"),
        ("wait", #"{"event":"e","until":"last"}"#, "until: expected all or first"),
        ("explain", "{}", "expected either event or person"),
        ("explain", #"{"event":"e","person":"p"}"#, "expected either event or person"),
    ]) mutating func `a wrong argument is told to the model, with what was expected`(
        _ tool: String, _ arguments: String, _ text: String
    ) throws {
        let step = receive(Self.call(tool, arguments))
        #expect(try sent(step, "result", "isError") == true)
        #expect(try sent(step, "result", "content")?.array?.first?.at(["text"]) == .string(text))
    }
}
