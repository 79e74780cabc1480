import Inbox
import JSON
import Push
import Store

extension TrailedRecipient {
    func write(to json: inout JSONWriter) {
        json.object { json in
            if let user { json.member("user", user.name) }
            decision.writeMembers(to: &json)
            if let type { json.member("type", type) }
            json.member("live", wasLive)
            if let notification { json.member("notification", notification.text) }
            if let state { json.member("state", state.rawValue) }
            guard notification != nil else { return }
            json.key("steps")
            json.array { json in
                for step in steps { json.object { step.writeMembers(in: notification, to: &$0) } }
            }
            json.key("waiting")
            json.array { json in
                for push in waiting { json.object { push.writeMembers(to: &$0) } }
            }
        }
    }
}

extension TrailedRecipient.Waiting {
    func writeMembers(to json: inout JSONWriter) {
        json.member("provider", provider.name)
        json.member("device", device)
        json.member("due", due.iso8601)
    }
}

extension TrailDecision {
    /// Writes `decision` and its details.
    func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .created(let push):
            json.member("decision", "created")
            push.write(to: &json)
        case .grew(let push):
            json.member("decision", "batched")
            push.write(to: &json)
        case .pushOnly(let push):
            json.member("decision", "pushOnly")
            push.write(to: &json)
        case .isActor: json.member("decision", "actor")
        case .unrouted: json.member("decision", "unrouted")
        case .muted(let subject):
            json.member("decision", "muted")
            json.member("subject", subject)
        case .preferenceOff(let chooser):
            json.member("decision", "preferenceOff")
            chooser?.writeMembers(to: &json)
        }
    }
}

extension Chooser {
    /// Writes `chosenBy`, and for a person the subject of the `choice`.
    func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .type, .category:
            json.member("chosenBy", "person")
            json.member("choice", rawValue)
        case .app, .catalog: json.member("chosenBy", rawValue)
        }
    }
}

extension PushDecision {
    /// Writes the member `push`.
    fileprivate func write(to json: inout JSONWriter) {
        json.key("push")
        json.object { json in
            switch self {
            case .never(let byEvent):
                json.member("decision", "never")
                json.member("chosenBy", byEvent ? "event" : "catalog")
            case .preferenceOff(let chooser):
                json.member("decision", "preferenceOff")
                chooser?.writeMembers(to: &json)
            case .noDevice: json.member("decision", "noDevice")
            case .expired: json.member("decision", "expired")
            case .batched: json.member("decision", "batched")
            case .queued(let devices, let due, let hold):
                json.member("decision", "queued")
                json.member("devices", devices)
                json.member("due", due.iso8601)
                if hold != .none { json.member("hold", hold.rawValue) }
            }
        }
    }
}

extension TrailedRecipient.Step {
    /// - Parameter notification: the step's own.
    func writeMembers(in notification: NotificationID?, to json: inout JSONWriter) {
        json.member("at", at.iso8601)
        step.writeMembers(in: notification, to: &json)
        if let provider { json.member("provider", provider.name) }
        if let device { json.member("device", device) }
    }
}

extension TrailActivity {
    /// Writes `became`, and what belongs to it.
    fileprivate func writeMembers(to json: inout JSONWriter) {
        switch self {
        case .sent(let event, let isLowered):
            json.member("became", "sent")
            json.member("event", event.rawValue)
            if isLowered { json.member("lowered", true) }
        case .waits: json.member("became", "waits")
        case .joined: json.member("became", "joined")
        case .replaced: json.member("became", "replaced")
        case .dropped(let drop):
            json.member("became", "dropped")
            json.member("because", drop.rawValue)
        case .refused(let reason):
            json.member("became", "refused")
            json.member("reason", reason)
        }
    }
}

extension TrailStep {
    fileprivate func writeMembers(in notification: NotificationID?, to json: inout JSONWriter) {
        switch self {
        case .cancelled(let cause):
            json.member("step", "cancelled")
            json.member("because", cause.rawValue)
        case .dropped(let drop):
            json.member("step", "dropped")
            switch drop {
            case .muted(let subject):
                json.member("because", "muted")
                json.member("subject", subject)
            case .preferenceOff(let chooser):
                json.member("because", "preferenceOff")
                chooser?.writeMembers(to: &json)
            case .permission: json.member("because", "permission")
            }
        case .withdrawn(let cause):
            json.member("step", "withdrawn")
            json.member("because", cause.rawValue)
        case .sent: json.member("step", "sent")
        case .folded(let number):
            json.member("step", "folded")
            if let notification {
                json.member("into", NotificationID(inbox: notification.inbox, sequence: number).text)
            }
        case .putOff(let time, let delay):
            json.member("step", "putOff")
            json.member("until", time.iso8601)
            json.member("because", delay.rawValue)
        case .refused(let reason):
            json.member("step", "refused")
            json.member("reason", reason)
        case .deviceGone: json.member("step", "deviceGone")
        case .expired: json.member("step", "expired")
        case .retried(let retry):
            json.member("step", "retried")
            json.member("verdict", retry.verdict)
            if case .refused(let reason) = retry { json.member("reason", reason) }
        case .answered(let answer):
            json.member("step", "answered")
            json.member("action", answer.action.map(JSONValue.string) ?? .null)
            json.member("by", answer.way.rawValue)
        case .activity(let activity):
            json.member("step", "activity")
            activity.writeMembers(to: &json)
        case .patched: json.member("step", "patched")
        case .retracted: json.member("step", "retracted")
        case .shrunk: json.member("step", "shrunk")
        }
    }
}
