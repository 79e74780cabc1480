import Inbox
import Logging
import Transport

/// The parts that senders are made with.
struct SenderTools: Sendable {
    let poller: PollerKind
    let logger: Logger
    let now: @Sendable () -> Timestamp

    /// For a service of one or two hosts that take many requests at once.
    func http2(_ name: String, caFile: String?) throws -> ProviderClient {
        var settings = HTTP2ClientSettings()
        settings.caFile = caFile
        return ProviderClient(name: name, http: try HTTP2Client(settings, poller: poller), logger: logger)
    }

    /// For services of any kind, and any number of hosts.
    func anyHTTP(
        _ name: String, caFile: String?, timeout: Duration = ProviderClient.timeout
    ) throws -> ProviderClient {
        var settings = HTTPClientSettings()
        settings.caFile = caFile
        let client = try HTTPClient(settings, label: "belfry.\(name)")
        return ProviderClient(name: name, http: client, logger: logger, timeout: timeout)
    }
}
