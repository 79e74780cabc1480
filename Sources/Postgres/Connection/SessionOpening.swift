import CPostgres
import Glibc

/// Opens a session with the first host of an address that takes writes.
///
/// libpq tries hosts one after the other, and without its blocking calls gives each as long as the system does. A host
/// that is switched off would then take minutes. So each host is a session of libpq's of its own, with its own deadline.
struct SessionOpening {
    let address: PostgresAddress
    let options: PostgresOptions

    /// Blocks for no longer than the connect time-out, and the system's own time for looking names up: libpq does that
    /// within a call.
    func open() throws(PostgresFailure) -> OpaquePointer {
        let end = ContinuousClock.now + options.connectTimeout
        var failures: [PostgresFailure] = []
        for (place, host) in address.hosts.enumerated() {
            let now = ContinuousClock.now
            let share = (end - now) / (address.hosts.count - place)
            do throws(PostgresFailure) {
                return try open(host, until: now + share)
            } catch {
                failures.append(error)
            }
        }
        // A standby that answers tells less than the primary that does not.
        throw failures.first { $0.meaning != .readOnly } ?? failures[0]
    }

    /// For the system's part of connecting. A packet that got lost is repeated after one second, then two, then four: an
    /// attempt from the beginning finds a path sooner that is there again.
    private static let patience = Duration.milliseconds(750)

    private func open(
        _ host: PostgresAddress.Host, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> OpaquePointer {
        let words = address.keywords(for: host, options)
        while true {
            guard let session = Self.start(words) else { throw PostgresFailure(.cannotConnect, "out of memory") }
            do throws(PostgresFailure) {
                if try connect(session, until: deadline) { return session }
            } catch {
                PQfinish(session)
                throw error
            }
            PQfinish(session)
        }
    }

    /// - Returns: false if the host has not answered at all for a while.
    private func connect(
        _ session: OpaquePointer, until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> Bool {
        let answer = min(deadline, .now + Self.patience)
        // Otherwise notices go to stderr.
        _ = PQsetNoticeProcessor(session, { _, _ in }, nil)
        // The code is told nowhere but in the text.
        _ = PQsetErrorVerbosity(session, PQERRORS_VERBOSE)
        var step = PQstatus(session) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while step != PGRES_POLLING_OK {
            guard step != PGRES_POLLING_FAILED else {
                throw PostgresFailure(connecting: String(cString: PQerrorMessage(session)))
            }
            let events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
            // The socket may be another one after each step.
            let isAnswered = PQstatus(session) != CONNECTION_STARTED
            guard
                SocketWait.wait(for: PQsocket(session), events, until: isAnswered ? deadline : answer) != nil
            else {
                if !isAnswered, .now < deadline { return false }
                throw PostgresFailure(.cannotConnect, "no session within the time-out", isConnectionOver: true)
            }
            step = PQconnectPoll(session)
        }
        _ = PQsetErrorVerbosity(session, PQERRORS_TERSE)
        _ = PQsetErrorContextVisibility(session, PQSHOW_CONTEXT_NEVER)
        guard PQsetnonblocking(session, 1) == 0, PQenterPipelineMode(session) == 1 else {
            throw PostgresFailure(connecting: String(cString: PQerrorMessage(session)))
        }
        return true
    }

    private static func start(_ words: [(String, String)]) -> OpaquePointer? {
        let texts = words.flatMap { [strdup($0.0), strdup($0.1)] }
        defer { for text in texts { free(text) } }
        let keywords = stride(from: 0, to: texts.count, by: 2).map { UnsafePointer(texts[$0]) } + [nil]
        let values = stride(from: 1, to: texts.count, by: 2).map { UnsafePointer(texts[$0]) } + [nil]
        return PQconnectStartParams(keywords, values, 0)
    }
}
