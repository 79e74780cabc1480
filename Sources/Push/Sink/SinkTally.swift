import JSON

/// Counts the requests to the sink: enough to prove that each device showed each notification.
package struct SinkTally: Sendable {
    private struct Shown: Hashable {
        let device: String
        let collapseID: String
    }

    private let keepsShown: Bool
    package private(set) var requests = 0
    /// Requests with an effect on phones.
    package private(set) var accepted = 0
    /// Accepted requests without text: badges, withdrawals, wake-ups.
    package private(set) var silent = 0
    private var statuses: [SinkRoute: [Int: Int]] = [:]
    private var unanswered: [SinkRoute: Int] = [:]
    private var faults: [String: Int] = [:]
    private var shown: [SinkRoute: [Shown: Int]] = [:]

    /// - Parameter keepsShown: whether to remember each collapse id of each device while the tally lives.
    package init(keepsShown: Bool) { self.keepsShown = keepsShown }

    package mutating func count(_ record: SinkRecord) {
        requests += 1
        if let reply = record.reply {
            statuses[record.route, default: [:]][reply.status, default: 0] += 1
        } else {
            unanswered[record.route, default: 0] += 1
        }
        if let fault = record.fault { faults[fault, default: 0] += 1 }
        guard !record.shown.isEmpty else { return }
        accepted += 1
        if !record.shown.contains(where: \.isVisible) { silent += 1 }
        guard keepsShown else { return }
        for push in record.shown where push.isVisible {
            let key = Shown(device: push.device, collapseID: push.collapseID ?? "")
            shown[record.route, default: [:]][key, default: 0] += 1
        }
    }

    /// How often a device showed a push with this collapse id.
    package func timesShown(_ route: SinkRoute, device: String, collapseID: String) -> Int {
        shown[route]?[Shown(device: device, collapseID: collapseID)] ?? 0
    }

    /// One object. `shown` is provider → device → collapse id → count; pushes without an id have the empty id.
    package var json: [UInt8] {
        var json = JSONWriter(capacity: 4_096)
        json.object { json in
            json.member("requests", requests)
            json.member("accepted", accepted)
            json.member("silent", silent)
            json.key("statuses")
            json.object { json in
                for (route, counts) in Self.sorted(statuses) {
                    json.key(dynamic: route.name)
                    json.object { json in
                        for (status, count) in counts.sorted(by: { $0.key < $1.key }) {
                            json.key(dynamic: String(status))
                            json.value(count)
                        }
                    }
                }
            }
            json.key("unanswered")
            json.object { json in
                for (route, count) in Self.sorted(unanswered) {
                    json.key(dynamic: route.name)
                    json.value(count)
                }
            }
            json.key("faults")
            json.object { json in
                for (name, count) in faults.sorted(by: { $0.key < $1.key }) {
                    json.key(dynamic: name)
                    json.value(count)
                }
            }
            if keepsShown { writeShown(to: &json) }
        }
        return json.bytes
    }

    private static func sorted<Value>(_ counts: [SinkRoute: Value]) -> [(key: SinkRoute, value: Value)] {
        counts.sorted { $0.key.name < $1.key.name }
    }

    private func writeShown(to json: inout JSONWriter) {
        json.member("pairs", shown.values.reduce(0) { $0 + $1.count })
        json.member("shownAgain", shown.values.reduce(0) { $0 + $1.values.count { $0 > 1 } })
        json.key("shown")
        json.object { json in
            for (route, pairs) in Self.sorted(shown) {
                json.key(dynamic: route.name)
                json.object { json in
                    for (device, pairs) in Dictionary(grouping: pairs, by: \.key.device) {
                        json.key(dynamic: device)
                        json.object { json in
                            for (pair, count) in pairs {
                                json.key(dynamic: pair.collapseID)
                                json.value(count)
                            }
                        }
                    }
                }
            }
        }
    }
}
