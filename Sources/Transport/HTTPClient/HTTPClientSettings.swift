/// The limits and the trusted certificates of an HTTP client.
package struct HTTPClientSettings: Sendable {
    /// Two, so that a connection that dies silently does not stop all requests. The second one opens when the first has
    /// no free stream left.
    package var connectionsPerHost = 2
    /// At most what servers allow: FCM's and nghttp2's limit is 100. More would wait inside libcurl, which is slow.
    package var streamsPerConnection = 100
    /// The most requests that wait for a stream; further ones are refused.
    package var waitingRequests = 10_000
    package var responseBytes = 1 << 20
    /// A PEM file of certificates to trust, in place of the system's.
    package var caFile: String?

    package init() {}
}
