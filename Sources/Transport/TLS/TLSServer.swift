import Synchronization

/// A listener's TLS, whose certificate can be replaced while connections are open. Used from any thread.
package final class TLSServer: Sendable {
    private let settings: TLSServerSettings
    /// Survive the certificate: clients resume their sessions after a reload as before it.
    private let tickets = TLSTicketKeys()
    private let handshakes = TLSHandshakeCounts()
    private let context: Mutex<TLSContext>

    /// - Throws: when a file cannot be read, or key and certificate do not belong together; the file is named.
    package init(_ settings: TLSServerSettings) throws(TLSFailure) {
        self.settings = settings
        context = Mutex(try TLSContext(settings, tickets: tickets, handshakes: handshakes))
    }

    /// For the next connection; those that are open keep the one that they began with.
    package var current: TLSContext { context.withLock { $0 } }

    /// Reads the files again.
    ///
    /// - Throws: as the initializer; then everything stays as it was.
    package func reload() throws(TLSFailure) {
        let next = try TLSContext(settings, tickets: tickets, handshakes: handshakes)
        context.withLock { $0 = next }
    }

    /// How many handshakes have ended well, since the start.
    package var completedHandshakes: Int { handshakes.completed }
    /// How many have failed or taken too long, since the start.
    package var failedHandshakes: Int { handshakes.failed }
}
