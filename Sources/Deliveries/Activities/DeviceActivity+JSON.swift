package import Inbox
import JSON

/// The stored form. The due time stands beside it, so that an engine finds it.
extension DeviceActivity {
    package var json: [UInt8] {
        var json: JSONObject = ["phase": phase.json, "told": .int(told), "number": .int(number)]
        json["waiting"] = waiting?.json
        json["sending"] = sending?.json
        json["newest"] = newest.map { .int($0.milliseconds) }
        if failures > 0 { json["failures"] = .int(Int64(failures)) }
        if isUncertain { json["uncertain"] = true }
        return JSONValue.object(json).encoded
    }

    /// Reads what ``json`` wrote; nil for anything else.
    /// - Parameter due: as it was when that was written, or a later one.
    package init?(json bytes: [UInt8], due: Timestamp?) {
        // Damaged bytes are no JSON.
        guard let json = (try? JSONValue(parsing: bytes))?.object, let phase = json["phase"].flatMap(Phase.init(json:)),
            let told = json["told"]?.int, let number = json["number"]?.int
        else { return nil }
        self.init()
        (self.phase, self.told, self.number) = (phase, told, number)
        if let value = json["waiting"] {
            guard let change = Change(json: value) else { return nil }
            waiting = change
        }
        if let value = json["sending"] {
            guard let sent = Sending(json: value) else { return nil }
            sending = sent
        }
        self.due = due
        newest = json["newest"]?.int.map(Timestamp.init(milliseconds:))
        failures = json["failures"]?.int.map { Int(clamping: $0) } ?? 0
        isUncertain = json["uncertain"]?.bool ?? false
    }
}

extension DeviceActivity.Change {
    fileprivate var json: JSONValue {
        var json: JSONObject = [
            "content": .object(content.json), "at": .int(at.milliseconds), "expiry": .int(expiry.milliseconds),
        ]
        json["notification"] = notification.map(JSONValue.int)
        return .object(json)
    }

    fileprivate init?(json: JSONValue) {
        guard let content = json.at(["content"])?.object.flatMap(ActivityContent.init(json:)),
            let at = json.at(["at"])?.int, let expiry = json.at(["expiry"])?.int
        else { return nil }
        self.init(
            content: content, notification: json.at(["notification"])?.int, at: Timestamp(milliseconds: at),
            expiry: Timestamp(milliseconds: expiry))
    }
}

extension DeviceActivity.Sending {
    fileprivate var json: JSONValue {
        var json: JSONObject = ["number": .int(number), "change": change.json, "event": .string(event.rawValue)]
        json["token"] = token.map(JSONValue.string)
        if isLowered { json["lowered"] = true }
        return .object(json)
    }

    fileprivate init?(json: JSONValue) {
        guard let number = json.at(["number"])?.int,
            let change = json.at(["change"]).flatMap(DeviceActivity.Change.init(json:)),
            let event = json.at(["event"])?.string.flatMap(ActivityContent.Event.init(rawValue:))
        else { return nil }
        self.init(
            number: number, change: change, event: event, token: json.at(["token"])?.string,
            isLowered: json.at(["lowered"])?.bool ?? false)
    }
}

extension DeviceActivity.Phase {
    /// The phase's name, and its details.
    fileprivate var json: JSONValue {
        switch self {
        case .absent: ["absent"]
        case .begun(let time): ["begun", .int(time.milliseconds)]
        case .running(let token, let time):
            ["running", .int(time.milliseconds), token.map(JSONValue.string) ?? .null]
        case .over(let time): ["over", .int(time.milliseconds)]
        }
    }

    fileprivate init?(json: JSONValue) {
        guard let values = json.array, let name = values.first?.string else { return nil }
        let time = values.dropFirst().first?.int.map(Timestamp.init(milliseconds:))
        switch (name, time) {
        case ("absent", _): self = .absent
        case ("begun", let time?): self = .begun(at: time)
        case ("running", let time?): self = .running(token: values.dropFirst(2).first?.string, since: time)
        case ("over", let time?): self = .over(since: time)
        default: return nil
        }
    }
}
