/// How much an HTTP client takes on, and whom it trusts.
package struct HTTPClientSettings: Sendable {
    /// Two, so that a connection that dies silently does not take everything with it. The second one opens when the
    /// first has no stream left.
    package var connectionsPerHost = 2
    /// Not above what servers allow: FCM's and nghttp2's limit is 100. More would wait inside libcurl, which is slow.
    package var streamsPerConnection = 100
    /// Requests that wait for a stream; one more is refused.
    package var waitingRequests = 10_000
    package var responseBytes = 1 << 20
    /// PEM file of the certificates to trust in place of the system's.
    package var caFile: String?

    package init() {}
}
