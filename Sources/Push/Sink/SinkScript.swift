/// The faults that a sink shows, in the order in which they were written: for each request the first rule that fits.
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
    /// How often each rule showed its fault.
    package private(set) var hits: [Int]
    /// How many requests met each rule's conditions, but for the count and the chance.
    private var candidates: [Int]
    private var pushes = 0
    package let seed: UInt64
    private var random: SeededGenerator

    /// - Parameter seed: draws the share of requests that rules with a `percent` meet.
    package init(rules: [Rule] = [], seed: UInt64 = 0) {
        self.rules = rules
        hits = rules.map { _ in 0 }
        candidates = hits
        self.seed = seed
        random = SeededGenerator(seed: seed)
    }

    /// Counts one more request and tells what goes wrong with it; nil if nothing does.
    ///
    /// - Parameter device: as the request names it, if it does.
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
        // A request for a token meets only rules that name it: others are meant for pushes, and would be used up by
        // what is none.
        guard rule.route.map({ $0 == route }) ?? (route != .token) else { return false }
        return rule.request.map { $0 == pushes } ?? true && rule.device.map { $0 == device } ?? true
            && rule.times.map { hits[index] < $0 } ?? true
    }

    private mutating func isChosen(_ index: Int) -> Bool {
        let rule = rules[index]
        if let every = rule.every, candidates[index] % every != 0 { return false }
        // Drawn only where it decides, so that rules before and after do not change each other's luck.
        guard let percent = rule.percent else { return true }
        return Double.random(in: 0..<100, using: &random) < percent
    }
}
