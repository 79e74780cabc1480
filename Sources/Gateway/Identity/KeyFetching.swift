import Logging
import Synchronization

/// Fetches the keys of all providers while the server runs.
final class KeyFetching: Sendable {
    private let authenticator: Authenticator
    private let logger: Logger
    private let tasks = Mutex<[Task<Void, Never>]>([])

    init(_ authenticator: Authenticator, logger: Logger) { (self.authenticator, self.logger) = (authenticator, logger) }

    /// Fetches each provider's keys once, all at the same time. A provider that does not answer takes ten seconds.
    ///
    /// - Parameter needed: the providers without whose keys nothing may start.
    func begin(needed: Set<String>) async throws(ServerError) {
        await withTaskGroup { group in
            for provider in authenticator.providers {
                group.addTask { [authenticator, logger] in _ = await provider.work(authenticator, logger) }
            }
        }
        if let missing = authenticator.providers.first(where: { $0.age == nil && needed.contains($0.name) }) {
            throw ServerError(
                "\(missing.rules.settingsPath): its keys cannot be fetched, and neededAtStart is set; the log has the reason"
            )
        }
    }

    /// Goes on until ``stop()``. To be called once, after ``begin(needed:)``.
    ///
    /// - Parameter changed: runs on any thread whenever other keys are in use than before.
    func start(changed: @escaping @Sendable () -> Void) {
        tasks.withLock { tasks in
            tasks = authenticator.providers.map { provider in
                Task { [authenticator, logger] in await provider.run(authenticator, logger, changed: changed) }
            }
        }
    }

    func stop() {
        tasks.withLock { tasks in
            for task in tasks { task.cancel() }
            tasks = []
        }
    }
}
