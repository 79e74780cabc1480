import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `GET /v1/webhooks`, `GET /v1/webhooks/{endpoint}` and `POST /v1/webhooks/{endpoint}/replay`.
struct WebhookRoutes {
    private static let mostLetters = 100

    let node: Node
    /// The only app whose endpoints the caller may see; nil for all.
    let app: AppName?

    /// How the endpoints do.
    func list(_ reply: HTTPReply) {
        let endpoints = zip(node.webhooks?.endpoints ?? [], node.webhooks?.counters ?? []).filter {
            isVisible($0.0.name)
        }
        node.store.webhookCounts { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let counts): reply.send(Self.answer(endpoints, counts))
            }
        }
    }

    private static func answer(
        _ endpoints: [(WebhookEndpoint, WebhookCounters)], _ counts: [String: WebhookCount]
    ) -> HTTPResponse {
        .object { json in
            json.key("endpoints")
            json.array { json in
                for (endpoint, counters) in endpoints {
                    let count = counts[endpoint.name] ?? WebhookCount()
                    json.object { json in
                        json.member("name", endpoint.name)
                        json.member("url", endpoint.url)
                        json.member("sent", counters.sent.count)
                        json.member("failed", counters.failed.count)
                        json.member("waiting", count.waiting)
                        json.member("dead", count.dead)
                        if counters.gone.level > 0 { json.member("gone", true) }
                    }
                }
            }
        }
    }

    /// The newest dead letters.
    func letters(of endpoint: String, _ reply: HTTPReply) throws(Problem) {
        try check(endpoint)
        node.store.deadLetters(of: endpoint, limit: Self.mostLetters) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let letters):
                reply.send(
                    .object { json in
                        json.key("deadLetters")
                        json.array { json in for letter in letters { Self.write(letter, to: &json) } }
                    })
            }
        }
    }

    private static func write(_ letter: DeadLetter, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", letter.id)
            json.member("deadSince", letter.buriedAt.iso8601)
            json.member("tries", letter.failures)
            json.member("reason", letter.reason)
            json.member("payload", raw: letter.body)
        }
    }

    /// Has all dead letters sent again.
    func replay(_ endpoint: String, _ reply: HTTPReply) throws(Problem) {
        try check(endpoint)
        node.store.reviveWebhooks(of: endpoint, at: node.now()) { [sender = node.webhooks] result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(let count):
                sender?.resume(endpoint)
                reply.send(.object { json in json.member("replayed", count) })
            }
        }
    }

    private func check(_ endpoint: String) throws(Problem) {
        guard isVisible(endpoint) else {
            throw Problem(status: 404, code: "unknown_endpoint", detail: "the settings name no such endpoint")
        }
    }

    private func isVisible(_ endpoint: String) -> Bool {
        guard let settings = node.settings.webhooks.endpoints[endpoint] else { return false }
        return app == nil || settings.app == app?.text
    }
}
