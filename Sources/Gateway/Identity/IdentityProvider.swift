import Dispatch
import Inbox
import JSON
import Logging
import Synchronization
import Transport

/// One provider of identities, whose keys are fetched by URL: carries out what its ``KeyRefresh`` decides.
package final class IdentityProvider: Sendable {
    /// For one document. A connect does not wait for it.
    private static let timeout = Duration.seconds(5)
    private static let documentBytes = 1 << 20

    /// As the settings call it.
    package let name: String
    package let rules: TokenRules
    private let refresh: Mutex<KeyRefresh>
    private let http: HTTPClient
    /// The last failure in the log.
    private let told = Mutex<FetchFault?>(nil)
    let failures = Counter()
    private let wishes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    /// - Parameter caFile: a PEM file of certificates to trust, in place of the system's.
    package init(name: String, rules: TokenRules, plan: KeyRefresh.Plan, caFile: String? = nil) throws {
        (self.name, self.rules) = (name, rules)
        refresh = Mutex(KeyRefresh(plan, at: .now))
        var settings = HTTPClientSettings()
        settings.responseBytes = Self.documentBytes
        settings.caFile = caFile
        http = try HTTPClient(settings, label: "belfry.identity.\(name)")
        (wishes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: From any thread

    /// Whether a token with an unknown key may turn out to be good: see ``KeyRefresh/unknownKey(_:at:)``.
    ///
    /// - Parameter key: the name in the token; nil if it has none.
    func mayKnow(_ key: String?) -> Bool {
        let (mayBeGood, isSooner) = refresh.withLock { $0.unknownKey(key.hashValue, at: .now) }
        if isSooner { wake.yield() }
        return mayBeGood
    }

    /// Fetches the keys soon, whatever their age.
    func fetchAgain() {
        if refresh.withLock({ $0.wanted(at: .now) }) { wake.yield() }
    }

    /// How old the keys in use are; nil without any.
    var age: Duration? { refresh.withLock { refresh in refresh.fetched.map { $0.duration(to: .now) } } }

    // MARK: Fetching

    /// Fetches keys whenever they are due, until its task is cancelled. To be called once.
    ///
    /// - Parameter changed: runs whenever other keys are in use than before.
    func run(_ authenticator: Authenticator, _ logger: Logger, changed: @Sendable () -> Void) async {
        var timer: KeyRefresh.Instant?
        wake.yield()
        for await _ in wishes {
            let due = await work(authenticator, logger, changed: changed)
            guard due != timer else { continue }
            timer = due
            let delay = max(KeyRefresh.Instant.now.duration(to: due), .zero)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds) + 1)) { [wake] in
                wake.yield()
            }
        }
        await withCheckedContinuation { done in http.close { done.resume() } }
    }

    /// Takes every step that is due; one call at a time.
    ///
    /// - Returns: when the next one is.
    @discardableResult
    func work(
        _ authenticator: Authenticator, _ logger: Logger, changed: @Sendable () -> Void = {}
    ) async -> KeyRefresh.Instant {
        while true {
            switch refresh.withLock({ $0.next(at: .now) }) {
            case .wait(let moment): return moment
            case .fetch(let url):
                let answer = await get(url)
                let fault = refresh.withLock { refresh in
                    switch answer {
                    case .success(let document): return refresh.received(document, at: .now, chance: Self.chance)
                    case .failure(let fault):
                        refresh.failed(fault, at: .now, chance: Self.chance)
                        return fault
                    }
                }
                if let fault { tell(fault, at: url, logger) }
            case .install(let keys):
                do throws(KeyProblem) {
                    let result = try await authenticator.install(keys, of: name)
                    let failed = refresh.withLock { refresh in
                        defer { refresh.installed(at: .now, chance: Self.chance) }
                        return refresh.failures
                    }
                    if failed > 0 { logger.info("the identity provider answers again", metadata: about) }
                    guard case .replaced(let notes) = result else { continue }
                    logger.info("keys fetched", metadata: about)
                    for note in notes { logger.info("\(note)") }
                    changed()
                } catch {
                    let fault = FetchFault.answer(error.reason)
                    refresh.withLock { $0.failed(fault, at: .now, chance: Self.chance) }
                    tell(fault, at: error.source, logger)
                }
            }
        }
    }

    private func get(_ url: String) async -> Result<FetchedDocument, FetchFault> {
        let request = HTTPClientRequest(
            method: "GET", url: url, headers: [("accept", "application/json")], timeout: Self.timeout)
        let result = await withCheckedContinuation { done in http.send(request) { done.resume(returning: $0) } }
        return result.map { FetchedDocument(status: $0.status, headers: $0.headers, body: $0.body) }
            .mapError { .noAnswer($0.description) }
    }

    private static var chance: Double { .random(in: 0..<1) }

    private var about: Logger.Metadata { ["provider": "\(name)"] }

    /// A failure is told when it is new: a provider may be down for hours.
    private func tell(_ fault: FetchFault, at url: String, _ logger: Logger) {
        failures.add()
        let (count, hasKeys) = refresh.withLock { ($0.failures, $0.fetched != nil) }
        let consequence = hasKeys ? "the keys in use stay" : "its tokens cannot be verified yet"
        let isNews = told.withLock { exchange(&$0, with: fault) } != fault || count == 1
        logger.log(
            level: isNews ? .warning : .debug, "the keys of an identity provider cannot be fetched; \(consequence)",
            metadata: ["provider": "\(name)", "url": "\(url)", "reason": "\(fault)"])
    }
}
