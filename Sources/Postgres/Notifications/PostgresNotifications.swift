import Dispatch
import Glibc
import Synchronization

/// Listens to channels over a connection of its own, and makes that anew when it is lost.
///
/// All events come on its own queue, in order. It lives until ``stop()``.
package final class PostgresNotifications: Sendable {
    package enum Event: Sendable {
        /// It listens from now on. Anything may have been told before, and was missed.
        case listening
        case received([PostgresNotification])
        /// There is no connection. It is tried again, and ``listening`` tells when that succeeded.
        case lost(PostgresFailure)
    }

    private struct State: ~Copyable {
        var connection: PostgresConnection?
        var source: (any DispatchSourceRead)?
        var pace = ReconnectPace()
        var isStopped = false
    }

    private let address: PostgresAddress
    private let options: PostgresOptions
    private let channels: [String]
    private let tell: @Sendable (Event) -> Void
    private let queue = DispatchQueue(label: "belfry.postgres.notifications")
    /// Touched on the queue alone. The mutex says so to the compiler, and nobody ever waits for it.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - channels: as they are written in ``PostgresConnection/notify(_:_:)``.
    ///   - tell: called on a queue of its own. While it runs, nothing is read.
    package init(
        _ address: PostgresAddress, _ options: PostgresOptions = .init(), channels: [String],
        tell: @escaping @Sendable (Event) -> Void
    ) {
        (self.address, self.options, self.channels, self.tell) = (address, options, channels, tell)
    }

    /// Begins to connect, and returns at once.
    package func start() { queue.async { self.connect() } }

    /// Ends it; `completion` is called on its queue, and no event comes after that.
    package func stop(_ completion: @escaping @Sendable () -> Void = {}) {
        queue.async {
            self.state.withLock { state in
                state.isStopped = true
                Self.close(&state)
            }
            completion()
        }
    }

    // MARK: On the queue

    private func connect() {
        let event: Event? = state.withLock { state in
            guard !state.isStopped else { return nil }
            do throws(PostgresFailure) {
                let connection = try PostgresConnection(address, options)
                for channel in channels { try connection.listen(to: channel) }
                try connection.settle()
                state.source = try source(of: connection.socket)
                state.connection = connection
                state.pace.connected(at: .now)
                return .listening
            } catch {
                return lose(&state, error)
            }
        }
        if let event { tell(event) }
    }

    private func read() {
        var events: [Event] = []
        state.withLock { state in
            guard let connection = state.connection else { return }
            var came: [PostgresNotification] = []
            do throws(PostgresFailure) {
                try connection.takeNotifications(into: &came)
            } catch {
                events = [lose(&state, error)]
            }
            if !came.isEmpty { events.insert(.received(came), at: 0) }
        }
        for event in events { tell(event) }
    }

    /// Closes what there is, and comes back later.
    private func lose(_ state: inout State, _ failure: PostgresFailure) -> Event {
        Self.close(&state)
        let rest = state.pace.failed(at: .now, jitter: .random(in: 0..<1))
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(rest.milliseconds))) { self.connect() }
        return .lost(failure)
    }

    private static func close(_ state: inout State) {
        state.source?.cancel()
        state.source = nil
        state.connection?.close()
        state.connection = nil
    }

    /// Watches a copy of the descriptor, which is closed when Dispatch does not look any more: libpq closes its own at
    /// once.
    private func source(of socket: Int32) throws(PostgresFailure) -> any DispatchSourceRead {
        let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else {
            throw PostgresFailure(.connectionLost, String(cString: strerror(errno)), isConnectionOver: true)
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
        source.setEventHandler { self.read() }
        source.setCancelHandler { _ = Glibc.close(copy) }
        source.activate()
        return source
    }
}
