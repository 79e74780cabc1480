import Deliveries
import Inbox
import Store

/// A step of the trail as its row's columns tell it; the same words as in the other engine.
struct TrailStepColumns: Hashable {
    var kind: String
    var detail: String?
    /// A time, or a notification's number. For `withdrawn`, when the push was accepted.
    var place: Int64?

    init(kind: String, detail: String? = nil, place: Int64? = nil) {
        (self.kind, self.place) = (kind, place)
        // Anything may stand in a provider's own words, and in a muted subject. PostgreSQL takes no U+0000.
        self.detail = detail.map { $0.utf8.contains(0) ? String($0.unicodeScalars.filter { $0 != "\0" }) : $0 }
    }

    init(_ step: TrailStep) {
        switch step {
        case .cancelled(let cause): self.init(kind: "cancelled", detail: cause.rawValue)
        case .dropped(let drop): self.init(kind: "dropped", detail: Self.detail(drop))
        case .withdrawn(let cause): self.init(kind: "withdrawn", detail: cause.rawValue)
        case .sent: self.init(kind: "sent")
        case .folded(let notification): self.init(kind: "folded", place: notification)
        case .putOff(let time, let delay):
            self.init(kind: "putOff", detail: delay.rawValue, place: time.milliseconds)
        case .refused(let reason): self.init(kind: "refused", detail: reason)
        case .deviceGone: self.init(kind: "deviceGone")
        case .expired: self.init(kind: "expired")
        case .retried(let retry): self.init(kind: "retried", detail: retry.description)
        case .answered(let answer): self.init(kind: "answered", detail: answer.description)
        case .activity(let activity): self.init(kind: "activity", detail: activity.description)
        case .patched: self.init(kind: "patched")
        case .retracted: self.init(kind: "retracted")
        case .shrunk: self.init(kind: "shrunk")
        }
    }

    /// Nil for columns that no step has.
    var step: TrailStep? {
        switch kind {
        case "cancelled": detail.flatMap(TrailStep.Cause.init(rawValue:)).map(TrailStep.cancelled)
        case "dropped": detail.flatMap(Self.drop).map(TrailStep.dropped)
        case "withdrawn": detail.flatMap(TrailStep.Cause.init(rawValue:)).map(TrailStep.withdrawn)
        case "sent": .sent
        case "folded": place.map { .folded(into: $0) }
        case "putOff":
            if let delay = detail.flatMap(TrailStep.Delay.init(rawValue:)), let place {
                .putOff(until: Timestamp(milliseconds: place), delay)
            } else {
                nil
            }
        case "refused": detail.map { .refused(reason: $0) }
        case "deviceGone": .deviceGone
        case "expired": .expired
        case "retried": detail.flatMap(TrailRetry.init).map(TrailStep.retried)
        case "answered": detail.flatMap(TrailAnswer.init).map(TrailStep.answered)
        case "activity": detail.flatMap(TrailActivity.init).map(TrailStep.activity)
        case "patched": .patched
        case "retracted": .retracted
        case "shrunk": .shrunk
        default: nil
        }
    }

    // MARK: Drops

    private static func detail(_ drop: TrailStep.Drop) -> String {
        switch drop {
        case .muted(let subject): "muted \(subject)"
        case .preferenceOff(let chooser): "preferenceOff" + (chooser.map { " \($0.rawValue)" } ?? "")
        case .permission: "permission"
        }
    }

    /// Nil for a text that is no reason.
    private static func drop(_ detail: String) -> TrailStep.Drop? {
        let words = detail.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return switch (words[0], words.dropFirst().first) {
        case ("permission", nil): .permission
        case ("preferenceOff", let chooser): .preferenceOff(chooser.flatMap(Chooser.init(rawValue:)))
        case ("muted", let subject?): .muted(subject)
        default: nil
        }
    }
}
