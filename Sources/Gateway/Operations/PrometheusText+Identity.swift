extension PrometheusText {
    /// The providers whose keys are fetched by URL.
    mutating func identity(_ authenticator: Authenticator) {
        let providers = authenticator.providers
        func rows(_ value: (IdentityProvider) -> Int?) -> [(labels: [(name: String, value: String)], value: Int)] {
            providers.compactMap { provider in value(provider).map { ([("provider", provider.name)], $0) } }
        }
        series(
            .gauge, "belfry_identity_keys", "Keys of an identity provider that verify tokens.",
            rows { authenticator.keyCount(of: $0.name) })
        series(
            .gauge, "belfry_identity_keys_age_seconds", "How long ago they were last fetched; absent before the first.",
            rows { provider in provider.age.map { Int($0 / .seconds(1)) } })
        series(
            .counter, "belfry_identity_fetch_failures_total", "Fetches that brought no usable keys.",
            rows { $0.failures.count })
    }
}
