import JSON

@testable import WireProtocol

/// Reads a client's frame from a whole tree of JSON values: the slow and obvious twin of `ClientFrame(parsing:)`.
struct PlainFrameReader {
    private let object: JSONObject
    private let id: String?
    private let prefix: String

    static func read(_ value: JSONValue) -> Result<ClientFrame, ClientFrameProblem> {
        Result { () throws(ClientFrameProblem) in
            guard case .object(let object) = value else {
                throw ClientFrameProblem(
                    code: .notAnObject, message: "a frame must be a JSON object, not \(value.kind)", id: nil)
            }
            let id = PlainFrameReader(object: object, id: nil, prefix: "")
            guard let value = object["id"], value != .null else { return ClientFrame(try id.kind()) }
            guard let text = idText(of: value) else {
                throw id.wrongType("id", expected: "a string or a whole number")
            }
            return ClientFrame(id: text, try PlainFrameReader(object: object, id: text, prefix: "").kind())
        }
    }

    /// A number as it is said shortest, a text in its quotes.
    private static func idText(of value: JSONValue) -> String? {
        if value.string != nil { return String(decoding: value.encoded, as: UTF8.self) }
        return value.int.map(String.init) ?? value.wholeText
    }

    private func kind() throws(ClientFrameProblem) -> ClientFrame.Kind {
        let type = try string("type")
        switch type {
        case "ack": return .ack(seq: try number("seq"))
        case "seen": return .seen(upTo: try number("upTo"))
        case "remove": return .remove(ids: try strings("ids"))
        case "state": return .state(isActive: try boolean("active"))
        case "unsubscribe": return .unsubscribe(feed: try string("feed"))
        case "snooze": return .snooze(until: isNull("until") ? nil : try string("until"))
        case "token": return .token(try string("token"))
        case "hello": return .hello(try hello())
        case "subscribe": return .subscribe(feed: try string("feed"), after: try position())
        case "read":
            let (ids, upTo) = (value("ids"), value("upTo"))
            if ids != nil, upTo != nil {
                throw problem(.invalidValue, "\"read\" takes either \"ids\" or \"upTo\", not both")
            }
            if ids == nil, upTo == nil { throw problem(.missingField, "\"read\" needs \"ids\" or \"upTo\"") }
            return .read(ids == nil ? .upTo(try number("upTo")) : .ids(try strings("ids")))
        default: return .unknown(type: type)
        }
    }

    private func hello() throws(ClientFrameProblem) -> ClientFrame.Hello {
        let token = value("token") == nil ? nil : try string("token")
        var resume: ClientFrame.Hello.Resume?
        if value("resume") != nil {
            let members = try nested("resume", expected: "an object")
            if !members.isNull("epoch"), !members.isNull("seq") {
                resume = .init(epoch: try members.string("epoch"), seq: try members.number("seq"))
            }
        }
        return ClientFrame.Hello(
            token: token, resume: resume, device: value("device") == nil ? nil : try string("device"),
            isActive: value("active") == nil ? true : try boolean("active"),
            capabilities: value("caps") == nil ? [] : try strings("caps"))
    }

    private func position() throws(ClientFrameProblem) -> ResumePoint? {
        switch value("after") {
        case nil: return nil
        case .int, .double, .number: return ResumePoint(offset: try number("after"))
        case .null, .bool, .string, .array, .object:
            let members = try nested("after", expected: "a whole number or an object")
            if members.isNull("offset") { return nil }
            let epoch = members.value("epoch") == nil ? nil : try members.string("epoch")
            return ResumePoint(epoch: epoch, offset: try members.number("offset"))
        }
    }

    // MARK: Members

    /// Null counts as missing.
    private func value(_ name: String) -> JSONValue? {
        guard let value = object[name], value != .null else { return nil }
        return value
    }

    private func isNull(_ name: String) -> Bool { object[name] == JSONValue.null }

    private func required<Value>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(ClientFrameProblem) -> Value {
        guard let found = value(name) else { throw problem(.missingField, "\"\(prefix)\(name)\" is missing") }
        guard let value = read(found) else { throw wrongType(name, expected: expected) }
        return value
    }

    private func string(_ name: String) throws(ClientFrameProblem) -> String {
        try required(name, "a string", \.string)
    }

    private func boolean(_ name: String) throws(ClientFrameProblem) -> Bool {
        try required(name, "true or false", \.bool)
    }

    private func number(_ name: String) throws(ClientFrameProblem) -> Int64 {
        let number = try required(name, "a whole number", \.int)
        guard number >= 0 else { throw problem(.invalidValue, "\"\(prefix)\(name)\" must be 0 or more") }
        return number
    }

    private func strings(_ name: String) throws(ClientFrameProblem) -> [String] {
        let elements = try required(name, "an array of strings", \.array)
        guard elements.allSatisfy({ $0.string != nil }) else {
            throw problem(.wrongType, "\"\(prefix)\(name)\" must be an array of strings alone")
        }
        return elements.compactMap(\.string)
    }

    private func nested(_ name: String, expected: String) throws(ClientFrameProblem) -> PlainFrameReader {
        let object = try required(name, expected, \.object)
        return PlainFrameReader(object: object, id: id, prefix: "\(prefix)\(name).")
    }

    private func wrongType(_ name: String, expected: String) -> ClientFrameProblem {
        var found = object[name]?.kind ?? "missing"
        switch object[name] {
        case .double, .number: found = "one with a fraction or out of range"
        default: break
        }
        return problem(.wrongType, "\"\(prefix)\(name)\" must be \(expected), not \(found)")
    }

    private func problem(_ code: LiveErrorCode, _ message: String) -> ClientFrameProblem {
        ClientFrameProblem(code: code, message: message, id: id)
    }
}
