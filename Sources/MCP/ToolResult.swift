package import JSON

/// What a tool has done (MCP specification, "Tool Result").
package struct ToolResult: Sendable, Equatable {
    let text: String
    let structured: JSONValue?
    let isError: Bool

    /// - Parameter answer: the server's, which the model reads as it is.
    package init(_ answer: JSONValue) {
        (text, structured, isError) = (String(decoding: answer.encoded, as: UTF8.self), answer, false)
    }

    package init(text: String) { (self.text, structured, isError) = (text, nil, false) }

    /// - Parameter failure: what went wrong, and what was expected.
    package init(failure: String) { (text, structured, isError) = (failure, nil, true) }

    var json: JSONValue {
        var json: JSONObject = ["content": [["type": "text", "text": .string(text)]]]
        if let structured { json["structuredContent"] = structured }
        if isError { json["isError"] = true }
        return .object(json)
    }
}
