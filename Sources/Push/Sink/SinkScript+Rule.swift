extension SinkScript {
    /// When a fault shows: all conditions must hold; a rule without conditions always applies.
    package struct Rule: Sendable, Hashable {
        /// Only requests of this route; nil for all pushes.
        package var route: SinkRoute?
        /// Only the n-th push to the sink, from 1.
        package var request: Int?
        /// Only requests to this device.
        package var device: String?
        /// The most times the fault shows; nil for no limit.
        package var times: Int?
        /// Only every n-th request that meets the conditions above.
        package var every: Int?
        /// Only this share of these requests, by chance: more than 0, at most 100.
        package var percent: Double?
        package var fault: SinkFault

        package init(
            route: SinkRoute? = nil, request: Int? = nil, device: String? = nil, times: Int? = nil, every: Int? = nil,
            percent: Double? = nil, fault: SinkFault
        ) {
            self.route = route
            self.request = request
            self.device = device
            self.times = times
            self.every = every
            self.percent = percent
            self.fault = fault
        }
    }
}
