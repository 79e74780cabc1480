package import JSON

// The stored form of decisions: the name alone, or an array of the name and its details:
// `["created",["queued",2,1751641364161,"grace"]]`, `["muted","room:789"]`.

extension TrailDecision {
    package var json: JSONValue {
        switch self {
        case .created(let push): ["created", push.json]
        case .grew(let push): ["grew", push.json]
        case .pushOnly(let push): ["pushOnly", push.json]
        case .isActor: ["actor"]
        case .unrouted: ["unrouted"]
        case .muted(let subject): ["muted", .string(subject)]
        case .preferenceOff(let chooser): .named("preferenceOff", chooser?.rawValue)
        }
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        guard let values = json.array, let name = values.first?.string else { return nil }
        let detail = values.dropFirst().first
        switch name {
        case "created":
            guard let push = detail.flatMap(PushDecision.init(json:)) else { return nil }
            self = .created(push)
        case "grew":
            guard let push = detail.flatMap(PushDecision.init(json:)) else { return nil }
            self = .grew(push)
        case "pushOnly":
            guard let push = detail.flatMap(PushDecision.init(json:)) else { return nil }
            self = .pushOnly(push)
        case "actor": self = .isActor
        case "unrouted": self = .unrouted
        case "muted":
            guard let subject = detail?.string else { return nil }
            self = .muted(subject)
        case "preferenceOff": self = .preferenceOff(Chooser(detail))
        default: return nil
        }
    }
}

extension JSONValue {
    /// The name, followed by the detail, if any.
    fileprivate static func named(_ name: String, _ detail: String?) -> JSONValue {
        .array([.string(name)] + (detail.map { [.string($0)] } ?? []))
    }
}

extension Chooser {
    /// Nil also for a text that no version has written.
    fileprivate init?(_ json: JSONValue?) {
        guard let chooser = json?.string.flatMap(Chooser.init(rawValue:)) else { return nil }
        self = chooser
    }
}

extension PushDecision {
    package var json: JSONValue {
        switch self {
        case .never(let byEvent): .named("never", byEvent ? "event" : nil)
        case .preferenceOff(let chooser): .named("preferenceOff", chooser?.rawValue)
        case .noDevice: ["noDevice"]
        case .expired: ["expired"]
        case .batched: ["batched"]
        case .queued(let devices, let due, let hold):
            ["queued", .int(Int64(devices)), .int(due.milliseconds), .string(hold.rawValue)]
        }
    }

    /// Reads what ``json`` wrote; nil for anything else.
    package init?(json: JSONValue) {
        guard let values = json.array, let name = values.first?.string else { return nil }
        switch name {
        case "never": self = .never(byEvent: values.dropFirst().first == "event")
        case "preferenceOff": self = .preferenceOff(Chooser(values.dropFirst().first))
        case "noDevice": self = .noDevice
        case "expired": self = .expired
        case "batched": self = .batched
        case "queued":
            guard values.count == 4, let devices = values[1].int, let due = values[2].int,
                let hold = values[3].string.flatMap(Hold.init(rawValue:))
            else { return nil }
            self = .queued(devices: Int(clamping: devices), due: Timestamp(milliseconds: due), hold: hold)
        default: return nil
        }
    }
}
