import Inbox
import JSON
import Push
import Transport

/// What all connections to a sink share: the script, the stand-in and the printer. Confined to the sink's shard.
final class Sink {
    /// What becomes of a request.
    enum Decision {
        case answer(PushReply)
        case answerLater(PushReply, Duration)
        case reset
        case goAway
        case silence
    }

    private var script: SinkScript
    private let standIn = APNsStandIn()
    private let now: @Sendable () -> Timestamp
    private let print: SinkServer.Printer
    /// Kept for as long as the sink accepts.
    var listener: Listener?

    init(script: SinkScript, now: @escaping @Sendable () -> Timestamp, print: @escaping SinkServer.Printer) {
        self.script = script
        self.now = now
        self.print = print
    }

    func decide(_ request: SinkRequest) -> Decision {
        let id = UUIDText.random()
        switch script.next(for: request) {
        case .answer(let answer):
            let reply = APNsStandIn.reply(answer, to: request, id: id)
            report(request, status: reply.status, fault: "answer", reply, nil)
            return .answer(reply)
        case .noAnswer:
            report(request, status: nil, fault: "noAnswer", nil, nil)
            return .silence
        case .reset:
            report(request, status: nil, fault: "reset", nil, nil)
            return .reset
        case .goAway:
            report(request, status: nil, fault: "goAway", nil, nil)
            return .goAway
        case .delay(let delay): return .answerLater(judge(request, id), delay)
        case nil: return .answer(judge(request, id))
        }
    }

    private func judge(_ request: SinkRequest, _ id: String) -> PushReply {
        let token = ProviderTokenCheck.check(request.header("authorization"), at: now())
        let outcome = standIn.receive(request, token: token, id: id)
        report(request, status: outcome.reply.status, fault: nil, outcome.reply, outcome.shown)
        return outcome.reply
    }

    private func report(
        _ request: SinkRequest, status: Int?, fault: String?, _ reply: PushReply?, _ shown: ShownPush?
    ) {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("at", now().iso8601)
            json.member("provider", "apns")
            if let device = request.apnsDevice { json.member("device", device) }
            if let status { json.member("status", status) }
            if let fault { json.member("fault", fault) }
            if let reply, reply.status != 200, !reply.body.isEmpty { json.member("reply", raw: reply.body) }
            for name in ["apns-collapse-id", "apns-priority", "apns-push-type", "apns-topic"] {
                guard let value = request.header(name) else { continue }
                json.key(dynamic: name)
                json.value(value)
            }
            if let shown { shown.write(to: &json) }
        }
        print(json.bytes)
    }
}

extension ShownPush {
    /// Writes the members of what the phone shows.
    fileprivate func write(to json: inout JSONWriter) {
        json.member("title", title.map(JSONValue.string) ?? .null)
        json.member("body", body.map(JSONValue.string) ?? .null)
        json.member("badge", badge.map(JSONValue.int) ?? .null)
        json.member("thread", thread.map(JSONValue.string) ?? .null)
        json.member("data", .object(data))
    }
}
