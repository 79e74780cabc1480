import Inbox

/// Gathers what one transaction decides about whom, so that it is written in as few rows as it takes.
struct TrailRecorder {
    /// Somebody about whom was decided.
    struct Recipient: Hashable {
        let inbox: Int64
        /// Of their notification; nil if they got none.
        let notification: Int64?
    }

    /// A decision that several people share.
    struct Verdict: Hashable {
        let decision: TrailDecision
        /// The name of the notification type; nil where it did not come to that.
        let type: String?
    }

    /// By event id.
    private(set) var verdicts: [String: [Verdict: [Recipient]]] = [:]

    mutating func note(_ decision: TrailDecision, type: String?, of event: String, to recipient: Recipient) {
        verdicts[event, default: [:]][Verdict(decision: decision, type: type), default: []].append(recipient)
    }
}
