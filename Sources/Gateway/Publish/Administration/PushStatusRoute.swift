import Inbox
import JSON
import Push
import Transport
import WireProtocol

/// `GET /v1/push`: the state of the lanes to all push services.
struct PushStatusRoute {
    let dispatcher: PushDispatcher

    func serve(_ reply: HTTPReply) {
        dispatcher.status { lanes in
            reply.send(
                .object { json in
                    json.key("lanes")
                    json.array { json in
                        for lane in lanes { Self.write(lane, to: &json) }
                    }
                })
        }
    }

    static func write(_ lane: LaneStatus, to json: inout JSONWriter) {
        json.object { json in
            json.member("provider", lane.provider.name)
            json.member("configured", lane.isConfigured)
            json.member("state", state(lane.gate))
            if case .paused(_, let until) = lane.gate { json.member("pausedUntil", until.iso8601) }
            json.member("window", lane.window)
            json.member("inFlight", lane.underWay)
            json.member("atHand", lane.atHand)
            json.member("settling", lane.settling)
            if let time = lane.lastJudged { json.member("lastJudgedAt", time.iso8601) }
            if let failure = lane.lastFailure {
                json.key("lastFailure")
                json.object { json in
                    json.member("reason", failure.cause.reason)
                    json.member("at", failure.at.iso8601)
                    let verdict = Verdict.noAnswer(failure.cause, scope: failure.scope)
                    json.member("explanation", verdict.explanation(from: lane.provider))
                }
            }
            json.key("refusals")
            json.array { json in
                let refusals = lane.refusals.sorted { ($1.value.lastAt, $0.key) < ($0.value.lastAt, $1.key) }
                for (reason, refusal) in refusals {
                    json.object { json in
                        json.member("reason", reason)
                        json.member("count", refusal.count)
                        json.member("lastAt", refusal.lastAt.iso8601)
                        json.member(
                            "explanation", Verdict.refused(reason: reason).explanation(from: lane.provider))
                    }
                }
            }
        }
    }

    private static func state(_ gate: LaneGate.State) -> String {
        switch gate {
        case .open: "open"
        case .paused: "paused"
        case .probing: "probing"
        case .opening: "opening"
        }
    }
}
