import Inbox
import JSON

/// A trail for people: a line for each decision.
struct Explanation {
    let clock: LocalClock

    func lines(ofEvent answer: JSONValue) -> [String] {
        var lines = event(answer.at(["event"]) ?? .null)
        if let summary = answer.at(["summary"]) { lines += self.summary(summary) }
        for recipient in answer.at(["recipients"])?.array ?? [] { lines += [""] + decision(recipient) }
        if let devices = answer.at(["devices"])?.array {
            lines += ["", devices.isEmpty ? "no device is registered" : "devices:"]
            lines += devices.map { device in
                let permission = text(device, "permission") ?? "unknown"
                return "  \(text(device, "id") ?? "") by \(text(device, "provider") ?? ""), permission \(permission), "
                    + "last seen \(time(device, "lastSeenAt"))"
            }
        }
        lines += choices(answer)
        if answer.at(["next"]) != nil { lines += ["", "… and more: --limit, or --user for one person"] }
        return lines
    }

    func lines(ofPerson answer: JSONValue) -> [String] {
        let entries = answer.at(["entries"])?.array ?? []
        var lines: [String] = entries.isEmpty ? ["nothing was decided about this person lately"] : []
        for (number, entry) in entries.enumerated() {
            if number > 0 { lines.append("") }
            lines += event(entry.at(["event"]) ?? .null)
            for decision in entry.at(["decisions"])?.array ?? [] { lines += self.decision(decision) }
        }
        lines += choices(answer)
        if answer.at(["next"]) != nil { lines += ["", "… and older ones: --limit"] }
        return lines
    }

    // MARK: Parts

    private func event(_ event: JSONValue) -> [String] {
        var line = "\(time(event, "acceptedAt"))  \(text(event, "type") ?? "")  \(text(event, "id") ?? "")"
        if let actor = text(event, "actor") { line += "  by \(actor)" }
        if let key = text(event, "key") { line += "  key \(key)" }
        var lines = [line]
        if let repeats = event.at(["repeats"])?.int {
            let time = self.time(event, "repeatedAt")
            lines.append("\(time)  published again under its key (\(repeats) times in all): nothing changed")
        }
        if event.at(["retractedAt"]) != nil { lines.append("\(time(event, "retractedAt"))  taken back") }
        return lines
    }

    private func summary(_ summary: JSONValue) -> [String] {
        func number(_ path: String...) -> Int64 { summary.at(path)?.int ?? 0 }
        var lines = [
            "\(number("people")) \(number("people") == 1 ? "person" : "people"): \(number("created")) new, \(number("updated")) in batches, "
                + "\(number("suppressed")) nothing; \(number("live")) were connected, "
                + "\(number("acknowledged")) acknowledged",
            "pushes: \(number("pushes", "queued")) queued, \(number("pushes", "sent")) sent, "
                + "\(number("pushes", "cancelled")) cancelled, \(number("pushes", "refused")) refused, "
                + "\(number("pushes", "gone")) to devices that are gone, \(number("pushes", "expired")) expired, "
                + "\(number("pushes", "dropped")) dropped, "
                + "\(number("pushes", "waiting")) waiting",
        ]
        if summary.at(["processed"]) == false { lines.insert("still on its way to its people", at: 0) }
        for error in summary.at(["errors"])?.array ?? [] {
            lines.append(
                "\(text(error, "provider") ?? "push") refused \(error.at(["count"])?.int ?? 0): "
                    + "\(text(error, "reason") ?? ""). \(text(error, "explanation") ?? "")")
        }
        return lines
    }

    private func decision(_ recipient: JSONValue) -> [String] {
        var line = "\(text(recipient, "user") ?? "somebody who has been erased"): \(verdict(recipient))"
        if let type = text(recipient, "type") { line += ", as \(type)" }
        if recipient.at(["live"]) == true { line += ", connected" }
        if let push = recipient.at(["push"]) { line += "; push: \(self.push(push))" }
        var lines = [line]
        for step in recipient.at(["steps"])?.array ?? [] { lines.append("  \(time(step, "at"))  \(self.step(step))") }
        for push in recipient.at(["waiting"])?.array ?? [] {
            lines.append("  \(time(push, "due"))  due: push to \(device(push))")
        }
        if let state = text(recipient, "state") {
            lines.append("  now \(state == "gone" ? "no longer in the inbox" : state)")
        }
        return lines
    }

    private func verdict(_ recipient: JSONValue) -> String {
        switch text(recipient, "decision") {
        case "created": "new notification \(text(recipient, "notification") ?? "")"
        case "batched": "taken into notification \(text(recipient, "notification") ?? "")"
        case "pushOnly": "nothing in the app, only a push"
        case "actor": "nothing, it is their own doing"
        case "unrouted": "nothing, no route of the catalog names their list"
        case "muted": "nothing, they have muted \(text(recipient, "subject") ?? "")"
        case "preferenceOff": "nothing, \(Choice(recipient).nothing)"
        case let other: other ?? ""
        }
    }

    private func push(_ push: JSONValue) -> String {
        switch text(push, "decision") {
        case "never":
            return text(push, "chosenBy") == "event" ? "none, as the publisher asked" : "none, by the type's policy"
        case "preferenceOff": return "none, \(Choice(push).nothing)"
        case "noDevice": return "none, no device may get it"
        case "expired": return "none, it would come too late"
        case "batched": return "none of its own"
        case "queued":
            let count = push.at(["devices"])?.int ?? 0
            let devices = count == 1 ? "1 device" : "\(count) devices"
            return "to \(devices), due \(time(push, "due"))\(text(push, "hold").map { Self.hold($0) } ?? "")"
        case let other: return other ?? ""
        }
    }

    private static func hold(_ hold: String) -> String {
        switch hold {
        case "grace": ", unless acknowledged by then"
        case "notBefore": ", as the publisher asked"
        case "pace": ", because the type's limit of pushes an hour is reached"
        case "batch": ", when the type's window is over"
        case "quietHours": ", after the quiet hours that they chose"
        case "snooze": ", after the snooze that they chose"
        default: ", \(hold)"
        }
    }

    private func step(_ step: JSONValue) -> String {
        let cause = text(step, "because") ?? ""
        switch text(step, "step") {
        case "sent": return "push sent to \(device(step))"
        case "folded": return "push to \(device(step)) sent as part of the push for \(text(step, "into") ?? "")"
        case "cancelled": return "push to \(device(step)) cancelled: \(cause)"
        case "dropped": return "push to \(device(step)) dropped: \(drop(step, cause))"
        case "withdrawn": return "push taken from the screen of \(device(step)): \(cause)"
        case "putOff": return "push to \(device(step)) put off until \(time(step, "until")): \(cause)"
        case "refused": return "push to \(device(step)) refused: \(text(step, "reason") ?? "")"
        case "deviceGone": return "\(device(step)) is gone, according to its provider"
        case "expired": return "push to \(device(step)) expired"
        case "retried":
            let answer = text(step, "reason") ?? text(step, "verdict") ?? ""
            return "push to \(device(step)) sent again by an operator: \(answer)"
        case "answered":
            guard text(step, "by") == "expiry" else { return "answered: \(text(step, "action") ?? "")" }
            return "not answered in time" + (text(step, "action").map { "; the default counts: \($0)" } ?? "")
        case "activity": return "Live Activity on \(device(step)) \(activity(step, cause))"
        case "patched": return "live fields changed"
        case "retracted": return "taken back, and removed from the inbox"
        case "shrunk": return "taken out of the batch"
        case let other: return other ?? ""
        }
    }

    /// - Parameter cause: why nothing was sent.
    private func activity(_ step: JSONValue, _ cause: String) -> String {
        switch text(step, "became") {
        case "sent":
            let event = ["start": "begun", "update": "updated", "end": "ended"][text(step, "event") ?? ""] ?? ""
            return step.at(["lowered"]) == true ? "\(event), at low priority: the hour's budget is spent" : event
        case "waits": return "not told yet: the app has not sent its token"
        case "joined": return "gets it with its start"
        case "replaced": return "got a later state in its place"
        case "refused": return "refused: \(text(step, "reason") ?? "")"
        default: return "not told: \(Self.activityDrops[cause] ?? cause)"
        }
    }

    private static let activityDrops = [
        "noStartToken": "the device has no token to begin one of this type",
        "startBudget": "the device has begun as many within the hour as it may", "notRunning": "none of this key runs",
        "over": "it has ended", "older": "a later event came before", "neverBegan": "it ended before it had begun",
        "expired": "it waited too long", "tooOld": "it began more than eight hours ago",
        "tooLarge": "the payload is too large", "tokenGone": "its provider no longer knows the token",
        "dismissed": "the app says that it is over",
    ]

    private func drop(_ step: JSONValue, _ cause: String) -> String {
        switch cause {
        case "muted": "they have muted \(text(step, "subject") ?? "it") since"
        case "preferenceOff": "\(Choice(step).nothing), since it came"
        case "permission": "it shows no notifications"
        default: cause
        }
    }

    private func device(_ value: JSONValue) -> String {
        "\(text(value, "device") ?? "a device") by \(text(value, "provider") ?? "its provider")"
    }

    private func choices(_ answer: JSONValue) -> [String] {
        answer.at(["choices"]).map { ["", "settings in effect:"] + Choice.lines(of: $0, clock) } ?? []
    }

    private func text(_ value: JSONValue, _ member: String) -> String? {
        value.at([member])?.string?.escapingControlCharacters
    }

    private func time(_ value: JSONValue, _ member: String) -> String { text(value, member).map(clock.text) ?? "" }
}
