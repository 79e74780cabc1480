import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// Figures that are made when somebody asks: the plan of a drain, the quality of counts and pushes, the nodes.
struct ConsoleFigures: Sendable {
    let node: Node
    let edge: Edge
    let shards: [Shard]

    /// What would happen if the node left now; or what happens, if it leaves.
    func drain(_ reply: HTTPReply) {
        let settings = node.settings.drain
        let sessions = node.metrics.sessions.level
        let measured = edge.admission.acceptRate()
        let plan = DrainPlan(
            sessionCount: sessions, rate: settings.rate, measuredRate: measured, deadline: settings.deadline)
        let isHurried =
            plan.rate > Double(settings.rate > 0 ? settings.rate : max(measured, Int(DrainPlan.slowestRate)))
        reply.send(
            .object { json in
                json.member("isLeaving", !node.isReady)
                json.member("currentRate", node.metrics.drainRate.level)
                json.member("sessions", sessions)
                json.member("connections", shards.reduce(0) { $0 + $1.connectionCount })
                json.member("pushesInFlight", node.metrics.pushesInFlight.level)
                json.member("setRate", settings.rate)
                json.member("measuredRate", measured)
                json.member("deadlineSeconds", settings.deadline.components.seconds)
                json.member("rate", Int64(plan.rate.rounded()))
                json.member(
                    "rateFrom",
                    isHurried
                        ? "as fast as drain.deadline demands"
                        : settings.rate > 0
                            ? "as drain.rate says"
                            : measured > Int(DrainPlan.slowestRate)
                                ? "as fast as this node has taken clients in" : "the slowest pace there is")
                json.key("firstSeconds")
                json.figure(Float(plan.slot(0) / .seconds(1)))
                json.key("lastSeconds")
                json.figure(Float(plan.slot(max(0, sessions - 1)) / .seconds(1)))
            })
    }

    /// Whether counts are exact, and pushes were worth sending.
    func quality(_ reply: HTTPReply) {
        node.store.statistics(at: node.now()) {
            [metrics = node.metrics, providers = node.settings.services.providers] in
            let counts = (try? $0.get())?.counts
            let accepted = providers.reduce(0) { sum, provider in
                sum + (metrics.pushes(of: provider).countsByVerdict.first { $0.verdict == "accepted" }?.count ?? 0)
            }
            let seen = metrics.seenMeter.current
            reply.send(
                .object { json in
                    if let counts {
                        json.key("drift")
                        json.object { json in
                            json.member("value", counts.unreadDrift)
                            json.member("countedAt", counts.began.iso8601)
                            json.member("inboxes", counts.inboxes)
                            json.member("notifications", counts.notifications)
                        }
                    }
                    json.key("pushes")
                    json.object { json in
                        json.member("accepted", accepted)
                        json.member("saved", metrics.pushesSaved.count)
                        json.member("unneeded", seen.unneeded)
                    }
                    json.key("seen")
                    json.object { json in
                        json.member("count", seen.count)
                        json.member("medianSeconds", seen.median.map { .int($0) } ?? .null)
                        json.key("buckets")
                        json.array { json in
                            for (label, count) in zip(Self.labels, seen.buckets) {
                                json.object { json in
                                    json.member("label", label)
                                    json.member("count", count)
                                }
                            }
                        }
                    }
                })
        }
    }

    /// For the buckets of ``SeenTimes``.
    private static let labels = [
        "within 10 s", "within a minute", "within 10 minutes", "within an hour", "within 6 hours", "within a day",
        "later",
    ]

    /// All nodes that share the store; this one alone if none does.
    func nodes(_ reply: HTTPReply) {
        let completion = reply.then { [name = node.settings.nodeName] (nodes: [NodeLease]?) in
            reply.send(
                .object { json in
                    json.key("nodes")
                    json.array { json in
                        for node in nodes ?? [] {
                            json.object { json in
                                json.member("name", node.name)
                                json.member("isThis", node.name == name)
                                json.member("isAlive", node.isAlive)
                                json.member("hasLeft", node.hasLeft)
                                json.member("leaseEnd", node.leaseEnd.iso8601)
                                json.member("people", node.people)
                            }
                        }
                    }
                })
        }
        node.store.nodes(completion: completion)
    }
}
