/// The faults of a sink as rules in the order of the script: for each request the first matching rule applies.
///
/// One JSON object a line; empty lines and lines that begin with `#` are skipped. `docs/sink.md` has the members.
///
/// ```
/// {"device": "a1b2", "fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 1764000000000}
/// {"request": 3, "fault": "goAway"}
/// {"provider": "fcm", "times": 2, "fault": "answer", "status": 429, "retryAfter": 1}
/// {"percent": 5, "fault": "drop", "fate": "delivered"}
/// ```
package struct SinkScript: Sendable {
    package private(set) var rules: [Rule]
    /// The number of times each rule showed its fault.
    package private(set) var hits: [Int]
    /// The number of requests that met each rule's conditions, apart from `every` and `percent`.
    private var candidates: [Int]
    private var pushes = 0
    package let seed: UInt64
    private var random: SeededGenerator

    /// - Parameter seed: decides which requests a rule with `percent` applies to.
    package init(rules: [Rule] = [], seed: UInt64 = 0) {
        self.rules = rules
        hits = rules.map { _ in 0 }
        candidates = hits
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// Counts one more request and returns its fault; nil for none.
    ///
    /// - Parameter device: the device that the request names, if any.
    package mutating func next(_ route: SinkRoute, device: String?) -> SinkFault? {
        if case .push = route { pushes += 1 }
        for index in rules.indices where fits(index, route, device: device) {
            candidates[index] += 1
            guard isChosen(index) else { continue }
            hits[index] += 1
            return rules[index].fault
        }
        return nil
    }

    private func fits(_ index: Int, _ route: SinkRoute, device: String?) -> Bool {
        let rule = rules[index]
        // A request for a token meets only rules for that route: other rules are for pushes, and their counts must not
        // be used up by it.
        guard rule.route.map({ $0 == route }) ?? (route != .token) else { return false }
        return rule.request.map { $0 == pushes } ?? true && rule.device.map { $0 == device } ?? true
            && rule.times.map { hits[index] < $0 } ?? true
    }

    private mutating func isChosen(_ index: Int) -> Bool {
        let rule = rules[index]
        if let every = rule.every, candidates[index] % every != 0 { return false }
        // Drawn only if it decides, so that other rules do not change the random sequence.
        guard let percent = rule.percent else { return true }
        return Double.random(in: 0..<100, using: &random) < percent
    }
}
