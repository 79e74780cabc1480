import Logging
import Push
import Transport

/// Reads a running server's files again, one request after the other: catalogs, certificate and keys. An unusable file
/// never replaces the current one.
///
/// Requests come from any thread and wait until ``run()`` serves them.
package final class Reloads: Sendable {
    private enum Request: Sendable {
        /// Read everything, and report the result.
        case everything(@Sendable (ReloadReport) -> Void)
        /// Key files of tokens may have changed, which nobody reports.
        case changedKeys
    }

    /// Further requests are refused: a reload under way may take a second.
    private static let maximumWaiting = 16

    private let node: Node
    private let hub: LiveHub
    private let certificates: [Certificate]
    private let dispatcher: PushDispatcher
    private let requests: AsyncStream<Request>
    private let waiting: AsyncStream<Request>.Continuation

    /// - Parameter certificates: those of listeners.
    package init(node: Node, hub: LiveHub, dispatcher: PushDispatcher, certificates: [Certificate]) {
        self.node = node
        self.hub = hub
        self.dispatcher = dispatcher
        self.certificates = certificates
        (requests, waiting) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumWaiting))
    }

    /// Asks for everything to be read again.
    ///
    /// - Parameter completion: runs on a thread of the program's.
    /// - Returns: false if too many wait already; then nothing is read, and the completion never runs.
    package func ask(completion: @escaping @Sendable (ReloadReport) -> Void) -> Bool {
        if case .enqueued = waiting.yield(.everything(completion)) { true } else { false }
    }

    /// Asks for the keys of tokens to be read again if their files have changed.
    package func look() { waiting.yield(.changedKeys) }

    /// Serves requests until its task is cancelled. To be called once.
    package func run() async {
        for await request in requests {
            switch request {
            case .changedKeys: _ = await reloadKeys()
            case .everything(let completion): completion(await reload())
            }
        }
    }

    private func reload() async -> ReloadReport {
        var report = reloadCatalogs()
        report.mistakes += certificates.compactMap(reload)
        report.mistakes += await reloadKeys()
        for provider in node.authenticator.providers { provider.fetchAgain() }
        report.mistakes += await reloadPushKeys()
        return report
    }

    // MARK: Each kind of file

    private func reloadCatalogs() -> ReloadReport {
        var report = ReloadReport()
        do throws(FileMistakes) {
            let catalogs = try LoadedCatalogs.read(node.settings.catalogs, apps: node.settings.namedApps)
            let earlier = node.replaceCatalogs(by: catalogs)
            hub.catalogsChanged()
            report.catalogs = catalogs.names
            report.changed = catalogs.changed(since: earlier)
            report.warnings = catalogs.warnings
            for warning in catalogs.warnings { node.logger.warning("\(warning)") }
            report.removed = earlier.names.filter { !catalogs.names.contains($0) }
            node.logger.info(
                "catalogs read again",
                metadata: [
                    "catalogs": "\(report.catalogs.joined(separator: ", "))",
                    "changed": "\(report.changed.joined(separator: ", "))",
                    "removed": "\(report.removed.joined(separator: ", "))",
                ])
        } catch {
            report.catalogs = node.catalogs.names
            report.mistakes = error.mistakes
            for mistake in error.mistakes {
                node.logger.error("the new catalogs cannot be used; the old catalogs stay in use: \(mistake)")
            }
        }
        return report
    }

    /// New connections get the new certificate, open ones keep theirs.
    private func reload(_ certificate: Certificate) -> FileMistake? {
        do {
            try certificate.tls.reload()
            node.logger.info("certificate read again", metadata: ["file": "\(certificate.file)"])
            return nil
        } catch {
            node.logger.error(
                "the new certificate cannot be used; the old certificate stays in use", metadata: ["reason": "\(error)"]
            )
            return FileMistake(file: certificate.file, message: "\(error)")
        }
    }

    private func reloadKeys() async -> [FileMistake] {
        switch await node.authenticator.reloadIfChanged() {
        case .unchanged: break
        case .replaced(let notes):
            hub.keysChanged()
            node.logger.info("keys replaced")
            for note in notes { node.logger.warning("\(note)") }
            for problem in node.authenticator.problems {
                node.logger.error("the new keys cannot be used; the old keys stay in use: \(problem)")
            }
        case .kept(let problem):
            node.logger.error("the new keys cannot be used; the old keys stay in use: \(problem)")
        }
        // A caller gets the problem even if an earlier look has logged it.
        return node.authenticator.problems.map { .init(file: $0.source, message: $0.reason) }
    }

    /// Reads the keys by which push services know us.
    private func reloadPushKeys() async -> [FileMistake] {
        var mistakes: [FileMistake] = []
        for (provider, sender) in dispatcher.senders {
            do {
                try await sender.readKey()
            } catch {
                node.logger.error(
                    "the new key of a push service cannot be used; the old key stays in use",
                    metadata: ["provider": "\(provider.name)", "reason": "\(error)"])
                mistakes.append(.init(file: "push.\(provider.name)", message: "\(error)"))
            }
        }
        return mistakes
    }
}
