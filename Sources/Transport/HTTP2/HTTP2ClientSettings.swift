/// How much an ``HTTP2Client`` takes on, whom it trusts, and how long it is patient.
package struct HTTP2ClientSettings: Sendable {
    /// Two, so that a connection that dies silently does not take everything with it. The second one opens when the
    /// first has no stream left.
    package var connectionsPerOrigin = 2
    /// Also where the server allows more, or any number.
    package var streamsPerConnection = 1_000
    /// Requests of one origin that wait for a stream; one more is refused.
    package var waitingRequests = 10_000
    /// How many servers may be remembered at once; a request to one more is refused. Whoever registers a browser's
    /// subscription names a server.
    package var origins = 1_000
    /// Names, values and body of one response.
    package var responseBytes = 1 << 20
    /// PEM file of the certificates to trust in place of the system's.
    package var caFile: String?
    /// From the name look-up to the server's first words.
    package var connectTimeout = Duration.seconds(10)
    /// A connection without requests is asked whether it is still there after so long without a word of the peer.
    package var pingInterval = Duration.seconds(30)
    /// The same while a request waits for its answer.
    package var silence = Duration.seconds(5)
    /// A peer that says nothing at all for so long after a PING is gone.
    package var pingTimeout = Duration.seconds(10)
    /// A connection without requests is closed after so long.
    package var idleTimeout = Duration.seconds(600)
    /// After the first failure to connect; each further one doubles it.
    package var firstPause = Duration.milliseconds(250)
    package var longestPause = Duration.seconds(30)

    package init() {}
}
