import Synchronization

/// A listener's TLS. Its certificate can be replaced while connections are open. Used from any thread.
package final class TLSServer: Sendable {
    private let settings: TLSServerSettings
    /// Kept over reloads, so that clients can resume their sessions.
    private let tickets = TLSTicketKeys()
    private let handshakes = TLSHandshakeCounts()
    private let context: Mutex<TLSContext>

    /// - Throws: if a file cannot be read, or key and certificate do not match; the error names the file.
    package init(_ settings: TLSServerSettings) throws(TLSFailure) {
        self.settings = settings
        context = Mutex(try TLSContext(settings, tickets: tickets, handshakes: handshakes))
    }

    /// The context for the next connection; open connections keep the one they began with.
    package var current: TLSContext { context.withLock { $0 } }

    /// Reads the files again.
    ///
    /// - Throws: the errors of the initializer; nothing has changed then.
    package func reload() throws(TLSFailure) {
        let next = try TLSContext(settings, tickets: tickets, handshakes: handshakes)
        context.withLock { $0 = next }
    }

    /// When the certificate for new connections ends, in seconds since 1970; nil if it does not say so.
    package var certificateEnd: Int? { current.certificateEnd }

    /// The number of completed handshakes since the start.
    package var completedHandshakes: Int { handshakes.completed }
    /// The number of handshakes that have failed or timed out since the start.
    package var failedHandshakes: Int { handshakes.failed }
}
