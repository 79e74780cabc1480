import Tracing

extension Settings {
    /// Spans for a collector; off without an endpoint.
    package struct Traces: Sendable, Equatable {
        /// The URL of an OTLP/HTTP collector; nil for no traces.
        package var endpoint: String?
        /// Which share of notifications and publishes is traced, from 0 to 1.
        package var sample = Share(0.01)
        /// Headers of each request to the collector, which may hold a key: `NAME=VALUE`, separated by commas.
        package var headers: Secret?
        /// What the collector calls this installation.
        package var service = "belfry"

        package init() {}
    }

    static let traceFields: [SettingField] = [
        .optional(
            "traces.endpoint", \.traces.endpoint, expecting: Collector.urlExpectation,
            where: { Collector.url($0) != nil }),
        .one("traces.sample", \.traces.sample),
        .optional(
            "traces.headers", \.traces.headers, expecting: Collector.headersExpectation,
            where: { Collector.headers($0.text) != nil }),
        .one("traces.service", \.traces.service, expecting: "a name of 1 to 255 characters") { 1...255 ~= $0.count },
    ]
}
