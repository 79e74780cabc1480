import Inbox
import Push

/// A trail in sentences for the person it is about.
enum ExplainWords {
    static func text(of decision: TrailDecision) -> String {
        switch decision {
        case .created(let push): "It came into your inbox. \(text(of: push))"
        case .grew(let push): "It was added to what you had not read yet. \(text(of: push))"
        case .pushOnly(let push): "It does not come into your inbox. \(text(of: push))"
        case .isActor: "Nothing came: you did it yourself."
        case .unrouted: "Nothing came: it is not for you."
        case .muted(let subject): "Nothing came: you have muted \(subject)."
        case .preferenceOff(let chooser): "Nothing came: \(off(by: chooser))."
        }
    }

    private static func text(of push: PushDecision) -> String {
        switch push {
        case .never(let byEvent):
            byEvent ? "It has no push: its sender wanted none." : "It has no push: none of its kind has."
        case .preferenceOff(let chooser): "It has no push: \(off(by: chooser))."
        case .noDevice: "It has no push: you have no device that shows one."
        case .expired: "It has no push: it would have come too late."
        case .batched: "It has no push of its own: there was one for what came first."
        case .queued(let devices, _, let hold):
            "A push to \(devices == 1 ? "your device" : "your \(devices) devices") was planned\(text(of: hold))."
        }
    }

    private static func text(of hold: PushDecision.Hold) -> String {
        switch hold {
        case .none: " at once"
        case .grace: " in case that you did not see it here first"
        case .notBefore: " for the time that its sender asked for"
        case .pace: " for later, as only so many an hour are sent"
        case .batch: " for when more of the same had been gathered"
        case .quietHours: " for the end of your quiet hours"
        case .snooze: " for the end of your snooze"
        }
    }

    /// - Parameter device: the app's own id of it; nil for a step without a device.
    static func text(of step: TrailStep, on device: String?) -> String {
        let device = device ?? "your device"
        return switch step {
        case .cancelled(let cause): "No push went to \(device): \(text(of: cause))."
        case .dropped(let drop): "No push went to \(device): \(text(of: drop))."
        case .withdrawn(let cause): "The push was taken off the screen of \(device): \(text(of: cause))."
        case .sent: "A push went to \(device)."
        case .folded: "A later push to \(device) told of it, too."
        case .putOff(_, let delay): "The push to \(device) waits: \(text(of: delay))."
        case .refused: "The push service of \(device) refused the push."
        case .deviceGone: "The push service does not know \(device) any more."
        case .expired: "The push to \(device) was given up: it was too late for it."
        case .retried(.accepted): "The push to \(device) was sent again, and its push service took it."
        case .retried: "The push to \(device) was sent again, and its push service did not take it."
        case .answered(let answer):
            answer.way == .expiry
                ? "The time to answer its question ended." : "Its question was answered: \(answer.action ?? "")."
        case .activity(let activity): text(of: activity, on: device)
        case .patched: "What it says was brought up to date."
        case .retracted: "It was taken back."
        case .shrunk: "A part of it was taken back."
        }
    }

    private static func text(of activity: TrailActivity, on device: String) -> String {
        switch activity {
        case .sent(.start, _): "It began a Live Activity on \(device)."
        case .sent(.update, _): "It brought the Live Activity on \(device) up to date."
        case .sent(.end, _): "It ended the Live Activity on \(device)."
        case .waits: "It waits until your app can show it in the Live Activity on \(device)."
        case .joined, .replaced: "The Live Activity on \(device) shows it with what came later."
        case .dropped(.startBudget): "It began no Live Activity on \(device): there were many within the hour."
        case .dropped(.dismissed), .dropped(.over), .dropped(.tooOld), .dropped(.tokenGone):
            "The Live Activity on \(device) was over."
        case .dropped: "No Live Activity on \(device) shows it."
        case .refused: "The push service of \(device) refused to show it in a Live Activity."
        }
    }

    private static func text(of cause: TrailStep.Cause) -> String {
        switch cause {
        case .acknowledged: "you had it on your screen"
        case .read: "you had read it"
        case .removed: "it was removed"
        case .retracted: "it was taken back"
        }
    }

    private static func text(of drop: TrailStep.Drop) -> String {
        switch drop {
        case .muted(let subject): "you have muted \(subject) since"
        case .preferenceOff(let chooser): "\(off(by: chooser)), since it came"
        case .permission: "it shows no notifications"
        }
    }

    private static func text(of delay: TrailStep.Delay) -> String {
        switch delay {
        case .provider: "its push service gave no answer"
        case .device: "its push service takes nothing for it at the moment"
        case .tokenLost: "it has registered anew"
        case .quietHours: "you have quiet hours"
        case .snooze: "you have a snooze"
        }
    }

    private static func off(by chooser: Chooser?) -> String {
        switch chooser {
        case .type: "you have switched its kind off"
        case .category: "you have switched its category off"
        case .app: "it is off until you switch it on"
        case .catalog: "it is off for everybody"
        case nil: "it is switched off"
        }
    }
}
