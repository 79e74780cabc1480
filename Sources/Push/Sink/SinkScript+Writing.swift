import Inbox
package import JSON

extension SinkScript {
    /// Writes an array of the rules, each with its `hits`.
    package func write(to json: inout JSONWriter) {
        json.array { json in
            for (rule, hits) in zip(rules, hits) {
                json.object { json in
                    rule.write(to: &json)
                    json.member("hits", hits)
                }
            }
        }
    }
}

extension SinkScript.Rule {
    fileprivate func write(to json: inout JSONWriter) {
        if let route { json.member("provider", route.name) }
        if let request { json.member("request", request) }
        if let device { json.member("device", device) }
        if let times { json.member("times", times) }
        if let every { json.member("every", every) }
        if let percent {
            json.key("percent")
            json.value(percent)
        }
        json.member("fault", fault.name)
        fault.write(to: &json)
    }
}

extension SinkFault {
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .answer(let answer):
            json.member("status", answer.status)
            if let reason = answer.reason { json.member("reason", reason) }
            if let timestamp = answer.timestamp { json.member("timestamp", timestamp.milliseconds) }
            if let delay = answer.retryAfter { json.member("retryAfter", delay.components.seconds) }
            if !answer.headers.isEmpty {
                json.key("headers")
                json.object { json in
                    for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) {
                        json.key(dynamic: name)
                        json.value(value)
                    }
                }
            }
            if let body = answer.body { json.member("body", body) }
        case .noAnswer(let fate), .reset(let fate), .drop(let fate): json.member("fate", fate.rawValue)
        case .goAway(let last): json.member("lastStream", last.rawValue)
        case .refuseStream: break
        case .delay(let delay): json.member("milliseconds", delay.milliseconds)
        }
    }
}
