/// The limits, the trusted certificates and the timeouts of an ``HTTP2Client``.
package struct HTTP2ClientSettings: Sendable {
    /// Two, so that a connection that dies silently does not stop all requests. The second one opens when the first has
    /// no free stream left.
    package var connectionsPerOrigin = 2
    /// A limit even if the server allows more.
    package var streamsPerConnection = 1_000
    /// The most requests of one origin that wait for a stream; further ones are refused.
    package var waitingRequests = 10_000
    /// The most servers that are remembered at once; a request to a further one is refused. Each browser's subscription
    /// names a server of the browser's choice.
    package var origins = 1_000
    /// The most bytes of one response: names, values and body.
    package var responseBytes = 1 << 20
    /// A PEM file of certificates to trust, in place of the system's.
    package var caFile: String?
    /// From the name look-up to the server's first bytes.
    package var connectTimeout = Duration.seconds(10)
    /// A connection without requests sends a PING after this time without a byte from the peer.
    package var pingInterval = Duration.seconds(30)
    /// The same time, while a request waits for its answer.
    package var silence = Duration.seconds(5)
    /// A peer that sends nothing for this time after a PING counts as gone.
    package var pingTimeout = Duration.seconds(10)
    /// A connection without requests is closed after this time.
    package var idleTimeout = Duration.seconds(600)
    /// The pause after the first failure to connect; each further failure doubles it.
    package var firstPause = Duration.milliseconds(250)
    package var longestPause = Duration.seconds(30)

    package init() {}
}
