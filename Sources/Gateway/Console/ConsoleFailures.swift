import Inbox
import JSON
import Push
import Store
import Transport
import WireProtocol

/// The pushes that failed for good on this node, and another try for some of them.
struct ConsoleFailures: Sendable {
    let node: Node
    let dispatcher: PushDispatcher

    func list(_ reply: HTTPReply) {
        let logs = node.metrics.failedPushes
        let all = logs.flatMap(\.all).sorted { $1.at < $0.at }
        reply.send(
            .object { json in
                json.member("capacity", PushFailureLog.capacity * logs.count)
                json.key("failures")
                json.array { json in for entry in all { json.object { Self.write(entry, to: &$0) } } }
            })
    }

    private static func write(_ entry: PushFailureLog.Entry, to json: inout JSONWriter) {
        let device = entry.job.device
        json.member("id", "\(device.provider.name)-\(entry.number)")
        json.member("at", entry.at.iso8601)
        json.member("provider", device.provider.name)
        json.member("kind", entry.kind.rawValue)
        json.member("reason", entry.reason)
        json.member("advice", entry.advice)
        json.member("user", entry.job.user.name)
        if !entry.job.user.app.isUnnamed { json.member("app", entry.job.user.app.text) }
        json.member("device", device.id)
        if let notification = entry.job.message.notification { json.member("notification", notification.text) }
        json.member("canRetry", entry.canRetry)
        if let verdict = entry.retriedAs { json.member("retriedAs", verdict) }
        if !entry.canRetry { json.member("why", why(entry)) }
    }

    private static func why(_ entry: PushFailureLog.Entry) -> String {
        switch entry.kind {
        case .gone: "its device is gone"
        case .expired: "it is too old"
        case .refused: "there is nothing to show"
        }
    }

    /// Sends the push once more, past the queue, unless it was seen or removed meanwhile. Answers once the trail tells of
    /// it.
    ///
    /// - Parameter id: such as `apns-7`.
    func retry(_ id: String, _ reply: HTTPReply) throws(Problem) {
        guard let (log, entry) = find(id), let notification = entry.job.message.notification else { throw .notFound }
        guard entry.canRetry else { throw Self.notPossible(Self.why(entry)) }
        guard let sender = dispatcher.senders[entry.job.device.provider] else {
            throw Self.notPossible("the settings name no \(entry.job.device.provider.name)")
        }
        let user = entry.job.user
        let firstName: @Sendable (Timestamp) -> String = { EventName.make(at: $0, chance: (0, 0)) }
        let completion = reply.then { (trail: NotificationTrail?) in
            let state = trail?.entries.flatMap(\.decisions).compactMap(\.state).last
            guard state == .unseen else {
                return reply.send(Self.notPossible("the notification was seen, read or removed meanwhile").response)
            }
            let completion = reply.then { (devices: [Device]) in
                let old = entry.job.device
                guard
                    let device = devices.first(where: {
                        ($0.id, $0.app, $0.provider) == (old.id, old.app, old.provider)
                    })
                else {
                    return reply.send(Self.notPossible("its device is gone").response)
                }
                var message = entry.job.message
                message.expiry = node.now() + node.settings.push.expiry
                sender.send(message, to: device, at: node.now()) { verdict in
                    let (retry, word) = Self.retry(for: verdict)
                    log.retried(entry.number, as: word)
                    // The push is out, whether or not the trail could tell of it.
                    node.store.note(retry, of: entry.job, at: node.now()) { _ in
                        reply.send(
                            .object { json in
                                json.member("verdict", word)
                                json.member("explanation", verdict.explanation(from: device.provider))
                            })
                    }
                }
            }
            node.store.devices(of: user, completion: completion)
        }
        node.store.trail(of: notification, user: user, firstName: firstName, completion: completion)
    }

    private func find(_ id: String) -> (PushFailureLog, PushFailureLog.Entry)? {
        let parts = id.split(separator: "-")
        guard parts.count == 2, let number = Int(parts[1]) else { return nil }
        for log in node.metrics.failedPushes {
            if let entry = log.entry(number), entry.job.device.provider.name == parts[0] { return (log, entry) }
        }
        return nil
    }

    /// - Returns: also the verdict in a word, or in the service's own words.
    private static func retry(for verdict: Verdict) -> (TrailRetry, word: String) {
        switch verdict {
        case .accepted: (.accepted, TrailRetry.accepted.verdict)
        case .deviceGone: (.gone, TrailRetry.gone.verdict)
        case .busy: (.busy, TrailRetry.busy.verdict)
        case .refused(let reason): (.refused(reason: reason), reason)
        }
    }

    private static func notPossible(_ why: String) -> Problem {
        Problem(status: 409, code: "retry_not_possible", detail: "the push cannot be tried again: \(why)")
    }
}
