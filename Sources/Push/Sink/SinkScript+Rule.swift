extension SinkScript {
    /// When a fault shows: all conditions must hold, and without any it shows always.
    package struct Rule: Sendable, Hashable {
        /// Only requests to this service; nil for pushes to any.
        package var route: SinkRoute?
        /// Only the n-th push to the sink, from 1.
        package var request: Int?
        /// Only requests to this device.
        package var device: String?
        /// At most so often; nil for ever.
        package var times: Int?
        /// Only every n-th of those that meet the conditions above.
        package var every: Int?
        /// Only this share of them, by chance: more than 0, at most 100.
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
