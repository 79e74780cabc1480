import JSON

extension ClientFrame {
    /// Reads one frame; unknown members and types are allowed.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(ClientFrameProblem) {
        if let frame = BriefFrame.read(bytes) {
            self = frame
        } else {
            try self.init(parsingAny: bytes)
        }
    }

    /// ``init(parsing:)-(UnsafeRawBufferPointer)`` without the fast way for the usual frames.
    init(parsingAny bytes: UnsafeRawBufferPointer) throws(ClientFrameProblem) {
        let frame: JSONNode
        do throws(JSONSyntaxError) {
            frame = try JSONNode(parsing: bytes)
        } catch {
            throw ClientFrameProblem(
                code: .invalidJSON,
                message:
                    "the frame is not JSON: \(error.reason)\(error.place.map { ", at column \($0.column)" } ?? "")",
                id: nil)
        }
        guard frame.isObject else {
            throw ClientFrameProblem(
                code: .notAnObject, message: "a frame must be a JSON object, not \(frame.kindInWords)", id: nil)
        }
        let id = try Self.id(in: frame)
        self.init(id: id, try Self.kind(in: FrameFields(frame, id: id)))
    }

    package init(parsing bytes: [UInt8]) throws(ClientFrameProblem) {
        // `withUnsafeBytes` has untyped errors, so the error is returned as a value.
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(ClientFrameProblem) in try ClientFrame(parsing: bytes) }
        }
        self = try result.get()
    }

    private static func id(in frame: JSONNode) throws(ClientFrameProblem) -> String? {
        guard let id = frame["id"], !id.isNull else { return nil }
        if id.isNumber, let number = id.int.map(String.init) ?? id.value.wholeText { return number }
        guard let text = id.string else {
            throw FrameFields(frame, id: nil).wrongType("id", expected: "a string or a whole number")
        }
        return String(decoding: JSONValue.string(text).encoded, as: UTF8.self)
    }

    private static func kind(in fields: FrameFields) throws(ClientFrameProblem) -> Kind {
        switch try fields.string("type") {
        case "hello": .hello(try hello(in: fields))
        case "ack": .ack(seq: try fields.number("seq"))
        case "seen": .seen(upTo: try fields.number("upTo"))
        case "read": try read(in: fields)
        case "remove": .remove(ids: try fields.strings("ids"))
        case "answer":
            .answer(notification: try fields.string("notification"), action: try fields.string("action"))
        case "state": .state(isActive: try fields.boolean("active"))
        case "subscribe":
            .subscribe(
                feed: try fields.string("feed"), after: try position(in: fields),
                tags: fields.has("tags") ? try fields.strings("tags") : [])
        case "unsubscribe": .unsubscribe(feed: try fields.string("feed"))
        case "snooze": .snooze(until: fields.isNull("until") ? nil : try fields.string("until"))
        case "token": .token(try fields.string("token"))
        case let type: .unknown(type: type)
        }
    }

    private static func hello(in fields: FrameFields) throws(ClientFrameProblem) -> Hello {
        var hello = Hello()
        if fields.has("token") { hello.token = try fields.string("token") }
        if fields.has("resume") {
            let resume = try fields.object("resume")
            // A client without a position may send its parts as null.
            if !resume.isNull("epoch"), !resume.isNull("seq") {
                hello.resume = .init(epoch: try resume.string("epoch"), seq: try resume.number("seq"))
            }
        }
        if fields.has("device") { hello.device = try fields.string("device") }
        if fields.has("active") { hello.isActive = try fields.boolean("active") }
        if fields.has("caps") { hello.capabilities = try fields.strings("caps") }
        return hello
    }

    private static func read(in fields: FrameFields) throws(ClientFrameProblem) -> Kind {
        switch (fields.has("ids"), fields.has("upTo")) {
        case (true, false): return .read(.ids(try fields.strings("ids")))
        case (false, true): return .read(.upTo(try fields.number("upTo")))
        case (true, true):
            throw fields.problem(.invalidValue, "\"read\" takes either \"ids\" or \"upTo\", not both")
        case (false, false):
            throw fields.problem(.missingField, "\"read\" needs \"ids\" or \"upTo\"")
        }
    }

    private static func position(in fields: FrameFields) throws(ClientFrameProblem) -> ResumePoint? {
        guard fields.has("after") else { return nil }
        if fields.isNumber("after") { return ResumePoint(offset: try fields.number("after")) }
        let after = try fields.object("after", expected: "a whole number or an object")
        guard !after.isNull("offset") else { return nil }
        let epoch = after.has("epoch") ? try after.string("epoch") : nil
        return ResumePoint(epoch: epoch, offset: try after.number("offset"))
    }
}
