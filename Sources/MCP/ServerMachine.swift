package import JSON

/// A server of the Model Context Protocol over stdio, as a pure machine: it gets lines, and says what to send or to run.
///
/// A line is one JSON-RPC 2.0 message (MCP specification, "Transports", stdio, and "Lifecycle"). Tools run side by side,
/// so that a question that waits does not hold up others; a client may cancel one.
package struct ServerMachine {
    package enum Step: Sendable, Equatable {
        case send(JSONValue)
        /// Runs a tool, and comes back with ``finished(_:with:)``.
        case run(id: JSONValue, ToolCall)
        /// Stops a tool, whose result nobody wants.
        case stop(id: JSONValue)
        case nothing
    }

    /// The versions of the protocol that this server speaks, the newest first.
    static let versions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]

    private let name: String
    private let version: String
    private var running: Set<JSONValue> = []

    /// - Parameters:
    ///   - name: what clients call the server.
    ///   - version: the program's.
    package init(name: String, version: String) { (self.name, self.version) = (name, version) }

    package mutating func receive(_ line: [UInt8]) -> Step {
        guard let message = try? JSONValue(parsing: line) else {
            return .send(Self.error(id: .null, code: -32_700, "the line is not JSON"))
        }
        guard let object = message.object, object["jsonrpc"] == "2.0" else {
            return .send(Self.error(id: .null, code: -32_600, "expected one JSON-RPC 2.0 message"))
        }
        guard let method = object["method"]?.string else {
            // An answer belongs to a request, and this server sends none.
            if object["result"] != nil || object["error"] != nil { return .nothing }
            return .send(Self.error(id: object["id"] ?? .null, code: -32_600, "the request names no method"))
        }
        let parameters = object["params"]?.object ?? [:]
        guard let id = object["id"], id != .null else { return notified(method, parameters) }
        return requested(method, parameters, id: id)
    }

    /// The answer to the call of a tool; nil if the client has cancelled it.
    package mutating func finished(_ id: JSONValue, with result: ToolResult) -> JSONValue? {
        guard running.remove(id) != nil else { return nil }
        return Self.result(id: id, result.json)
    }

    private mutating func notified(_ method: String, _ parameters: JSONObject) -> Step {
        guard method == "notifications/cancelled", let id = parameters["requestId"], running.remove(id) != nil else {
            return .nothing
        }
        return .stop(id: id)
    }

    private mutating func requested(_ method: String, _ parameters: JSONObject, id: JSONValue) -> Step {
        switch method {
        case "initialize": .send(Self.result(id: id, welcome(parameters["protocolVersion"]?.string)))
        case "ping": .send(Self.result(id: id, [:]))
        case "tools/list": .send(Self.result(id: id, ["tools": .array(Tool.allCases.map(\.json))]))
        case "tools/call": call(parameters, id: id)
        default: .send(Self.error(id: id, code: -32_601, "no method \"\(method)\""))
        }
    }

    private mutating func call(_ parameters: JSONObject, id: JSONValue) -> Step {
        guard let name = parameters["name"]?.string, let tool = Tool(rawValue: name) else {
            let known = Tool.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            return .send(Self.error(id: id, code: -32_602, "unknown tool; expected one of \(known)"))
        }
        guard !running.contains(id) else {
            return .send(Self.error(id: id, code: -32_600, "a request with this id is under way"))
        }
        do {
            let call = try ToolCall(tool, arguments: ToolArguments(parameters["arguments"]?.object ?? [:]))
            running.insert(id)
            return .run(id: id, call)
        } catch {
            // Told as a result, which the model reads, so that it can do better.
            return .send(Self.result(id: id, ToolResult(failure: error.message).json))
        }
    }

    /// The client's version if it is known, else the newest that is ("Version Negotiation").
    private func welcome(_ asked: String?) -> JSONValue {
        let agreed = asked.flatMap { Self.versions.contains($0) ? $0 : nil } ?? Self.versions[0]
        return [
            "protocolVersion": .string(agreed), "capabilities": ["tools": [:]],
            "serverInfo": ["name": .string(name), "version": .string(version)],
            "instructions": .string(Self.instructions),
        ]
    }

    private static let instructions = """
        Reaches people through their notifications. Use notify to tell them something, and ask to let them choose: it \
        waits for the answer for a while, and wait goes on waiting. A person may take hours to answer.
        """

    private static func result(id: JSONValue, _ result: JSONValue) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "result": result]
    }

    private static func error(id: JSONValue, code: Int64, _ message: String) -> JSONValue {
        ["jsonrpc": "2.0", "id": id, "error": ["code": .int(code), "message": .string(message)]]
    }
}
