import Inbox
import JSON
import Push
import Store

extension TrailReport {
    /// - Parameters:
    ///   - isProcessed: whether all people have been dealt with.
    ///   - devices: those of the one person asked about.
    ///   - choices: that person's.
    func write(
        isProcessed: Bool, devices: [Device]? = nil, choices: TrailChoices? = nil, to json: inout JSONWriter
    ) {
        json.object { json in
            json.key("event")
            event.write(to: &json)
            json.key("summary")
            summary.write(isProcessed: isProcessed, to: &json)
            json.key("recipients")
            json.array { json in
                for recipient in recipients { recipient.write(to: &json) }
            }
            if let devices {
                json.key("devices")
                json.array { json in
                    for device in devices { device.write(to: &json) }
                }
            }
            if let choices {
                json.key("choices")
                choices.write(to: &json)
            }
            if let next { json.member("next", next) }
        }
    }
}

extension PersonalTrail {
    /// - Parameter choices: the person's.
    func write(_ choices: TrailChoices, to json: inout JSONWriter) {
        json.object { json in
            json.key("entries")
            json.array { json in
                for entry in entries { entry.write(to: &json) }
            }
            json.key("choices")
            choices.write(to: &json)
            if let next { json.member("next", next) }
        }
    }
}

extension PersonalTrail.Entry {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.key("event")
            event.write(to: &json)
            json.key("decisions")
            json.array { json in
                for decision in decisions { decision.write(to: &json) }
            }
        }
    }
}

extension TrailedEvent {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("type", type)
            json.member("publisher", AppName.name(ofKey: publisher))
            if let key { json.member("key", key) }
            if let actor { json.member("actor", actor) }
            if let occurredAt { json.member("occurredAt", occurredAt.iso8601) }
            json.member("acceptedAt", acceptedAt.iso8601)
            if repeats > 0 { json.member("repeats", repeats) }
            if let repeatedAt { json.member("repeatedAt", repeatedAt.iso8601) }
            if let retractedAt { json.member("retractedAt", retractedAt.iso8601) }
            guard !items.isEmpty else { return }
            json.key("feeds")
            json.array { json in
                for item in items {
                    json.object { json in
                        json.member("feed", AppName.name(ofKey: item.feed))
                        json.member("offset", item.offset)
                    }
                }
            }
        }
    }
}

extension TrailReport.Summary {
    func write(isProcessed: Bool, to json: inout JSONWriter) {
        json.object { json in
            json.member("processed", isProcessed)
            json.member("people", people)
            json.member("created", created)
            json.member("updated", grown)
            json.member("suppressed", suppressed)
            json.member("live", live)
            json.member("acknowledged", acknowledged)
            json.member("seen", seen)
            json.member("read", read)
            json.key("pushes")
            json.object { json in
                json.member("queued", pushes.queued)
                json.member("sent", pushes.sent)
                json.member("cancelled", pushes.cancelled)
                json.member("refused", pushes.refused)
                json.member("gone", pushes.gone)
                json.member("expired", pushes.expired)
                json.member("dropped", pushes.dropped)
                json.member("waiting", pushes.waiting)
            }
            json.key("errors")
            json.array { json in
                for failure in failures { failure.write(to: &json) }
            }
            if !isWhole { json.member("partial", true) }
        }
    }
}

extension TrailReport.Failure {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            if let provider { json.member("provider", provider.name) }
            json.member("reason", reason)
            json.member("count", count)
            if let provider {
                json.member("explanation", Verdict.refused(reason: reason).explanation(from: provider))
            }
        }
    }
}
