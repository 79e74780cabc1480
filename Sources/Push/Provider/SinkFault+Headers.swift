extension SinkFault.Answer {
    /// The headers that any service answers with beside its own.
    var headers: [(name: String, value: String)] {
        retryAfter.map { [("retry-after", String($0.components.seconds))] } ?? []
    }
}
