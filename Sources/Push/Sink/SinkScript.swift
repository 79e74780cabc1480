/// The faults that a sink shows, in the order in which they were written: for each request the first rule that fits.
///
/// One JSON object a line; empty lines and lines that begin with `#` are skipped. See ``Rule`` for the members.
///
/// ```
/// {"device": "a1b2", "fault": "answer", "status": 410, "reason": "Unregistered", "timestamp": 1764000000000}
/// {"request": 3, "fault": "goAway"}
/// {"times": 2, "fault": "answer", "status": 429, "reason": "TooManyRequests", "retryAfter": 1}
/// ```
package struct SinkScript: Sendable {
    /// When a fault shows. Without `request` and `device` it fits always.
    package struct Rule: Sendable, Hashable {
        /// Only the n-th request to the sink, from 1.
        package var request: Int?
        /// Only requests to this device.
        package var device: String?
        /// At most so often; nil for ever.
        package var times: Int?
        package var fault: SinkFault

        package init(request: Int? = nil, device: String? = nil, times: Int? = nil, fault: SinkFault) {
            self.request = request
            self.device = device
            self.times = times
            self.fault = fault
        }
    }

    package private(set) var rules: [Rule]
    private var requests = 0

    package init(rules: [Rule] = []) { self.rules = rules }

    /// Counts one more request, which names `device`, and tells what goes wrong with it; nil if nothing does.
    package mutating func next(device: String?) -> SinkFault? {
        requests += 1
        guard let index = rules.firstIndex(where: { fits($0, device: device) }) else { return nil }
        if let times = rules[index].times { rules[index].times = times - 1 }
        return rules[index].fault
    }

    private func fits(_ rule: Rule, device: String?) -> Bool {
        (rule.request.map { $0 == requests } ?? true)
            && (rule.device.map { $0 == device } ?? true)
            && (rule.times.map { $0 > 0 } ?? true)
    }

    /// The next fault for a request to the APNs stand-in.
    package mutating func next(for request: SinkRequest) -> SinkFault? { next(device: request.apnsDevice) }
}
