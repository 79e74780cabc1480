import JSON

extension ClientFrame {
    /// The frame's JSON, for a client.
    package var encoded: [UInt8] {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.member("type", kind.type)
            if let id { json.member("id", raw: id) }
            kind.writeMembers(to: &json)
        }
        return json.bytes
    }
}

extension ClientFrame.Kind {
    fileprivate var type: String {
        switch self {
        case .hello: "hello"
        case .ack: "ack"
        case .seen: "seen"
        case .read: "read"
        case .remove: "remove"
        case .answer: "answer"
        case .state: "state"
        case .subscribe: "subscribe"
        case .unsubscribe: "unsubscribe"
        case .snooze: "snooze"
        case .token: "token"
        case .unknown(let type): type
        }
    }

    fileprivate func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .hello(let hello): hello.writeMembers(to: &json)
        case .ack(let seq): json.member("seq", seq)
        case .seen(let upTo): json.member("upTo", upTo)
        case .read(let selection): selection.writeMembers(to: &json)
        case .remove(let ids): LiveSelection.ids(ids).writeMembers(to: &json)
        case .answer(let notification, let action):
            json.member("notification", notification)
            json.member("action", action)
        case .state(let isActive): json.member("active", isActive)
        case .subscribe(let feed, let after, let tags):
            json.member("feed", feed)
            if let after { after.write(to: &json) }
            if !tags.isEmpty { json.member("tags", .array(tags.map(JSONValue.string))) }
        case .unsubscribe(let feed): json.member("feed", feed)
        case .snooze(let until): json.member("until", until.map { .string($0) } ?? .null)
        case .token(let token): json.member("token", token)
        case .unknown: break
        }
    }
}

extension ClientFrame.Hello {
    fileprivate func writeMembers(to json: inout JSONWriter) {
        if let token { json.member("token", token) }
        if let resume {
            json.key("resume")
            json.object { json in
                json.member("epoch", resume.epoch)
                json.member("seq", resume.seq)
            }
        }
        if let device { json.member("device", device) }
        json.member("active", isActive)
        if !capabilities.isEmpty { json.member("caps", .array(capabilities.map(JSONValue.string))) }
    }
}

extension ResumePoint {
    fileprivate func write(to json: inout JSONWriter) {
        json.key("after")
        json.object { json in
            if let epoch { json.member("epoch", epoch) }
            json.member("offset", offset)
        }
    }
}
