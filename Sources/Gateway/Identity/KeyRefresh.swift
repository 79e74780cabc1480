package import JSON
import Push

/// Decides when a provider's keys are fetched, and what becomes of its answers. No I/O.
///
/// Its owner takes one ``Step`` after the other and tells the result, before it asks for the next step.
package struct KeyRefresh: Sendable {
    package typealias Instant = ContinuousClock.Instant

    package enum Step: Sendable, Equatable {
        /// Get this URL, and tell ``received(_:at:chance:)`` or ``failed(_:at:chance:)``.
        case fetch(String)
        /// Take these members of a key set, and tell ``installed(at:chance:)`` or ``failed(_:at:chance:)``.
        case install([JSONValue])
        /// Nothing is due before this moment.
        case wait(until: Instant)
    }

    /// When and where keys are fetched.
    package struct Plan: Sendable, Hashable {
        package var issuer: ProviderURL
        /// Where the keys are; nil to ask the issuer.
        package var keysURL: ProviderURL?
        /// Keys are used at least this long before they are fetched again, and at most that long, whatever the
        /// provider's headers say.
        package var minimumAge = Duration.seconds(30)
        package var maximumAge = Duration.seconds(3_600)

        package init(issuer: ProviderURL, keysURL: ProviderURL? = nil) {
            (self.issuer, self.keysURL) = (issuer, keysURL)
        }
    }

    /// Tokens with unknown keys, which anybody can make, lead to one fetch in this time at most.
    package static let patience = Duration.seconds(30)
    /// The issuer's own settings change hardly ever.
    static let discoveryAge = Duration.seconds(24 * 3_600)
    /// How many unknown names of keys are remembered.
    static let rememberedNames = 64

    private enum Phase: Sendable {
        case resting
        case discovering
        case fetching(ProviderURL)
        case installing([JSONValue], lifetime: Duration)
    }

    private let plan: Plan
    private var phase = Phase.resting
    /// When the next round of fetches begins.
    private var due: Instant
    /// When the last one began.
    private var began: Instant?
    /// What the issuer said about its keys' place, and until when that counts.
    private var discovered: (url: ProviderURL, end: Instant)?
    /// Rounds that failed since the last one that did not.
    package private(set) var failures = 0
    /// When the round began that brought the keys in use; nil without any.
    package private(set) var fetched: Instant?
    /// The names of unknown keys, by hash, and when each was first asked for; oldest first.
    private var asked: [(name: Int, since: Instant)] = []

    package init(_ plan: Plan, at now: Instant) {
        self.plan = plan
        due = now
    }

    // MARK: Steps

    package mutating func next(at now: Instant) -> Step {
        switch phase {
        case .resting:
            guard now >= due else { return .wait(until: due) }
            began = now
            if let discovered, discovered.end <= now { self.discovered = nil }
            phase = (plan.keysURL ?? discovered?.url).map(Phase.fetching) ?? .discovering
            return next(at: now)
        case .discovering: return .fetch(plan.issuer.discovery)
        case .fetching(let url): return .fetch(url.text)
        case .installing(let keys, _): return .install(keys)
        }
    }

    /// - Parameter chance: uniform in `0..<1`.
    /// - Returns: why the answer is of no use, which then is a failure; nil if it is of use.
    mutating func received(_ answer: FetchedDocument, at now: Instant, chance: Double) -> FetchFault? {
        do throws(FetchFault) {
            switch phase {
            case .discovering:
                let url = try answer.keysURL(of: plan.issuer)
                discovered = (url, now + Self.discoveryAge)
                phase = .fetching(url)
            case .fetching: phase = .installing(try answer.keys(), lifetime: CacheLifetime.of(answer.headers))
            case .resting, .installing: break
            }
            return nil
        } catch {
            failed(error, at: now, chance: chance)
            return error
        }
    }

    /// The keys that were fetched are in use.
    package mutating func installed(at now: Instant, chance: Double) {
        guard case .installing(_, let lifetime) = phase else { return }
        (phase, failures, fetched) = (.resting, 0, began)
        let age = min(max(lifetime, plan.minimumAge), plan.maximumAge)
        // Earlier than it has to be, and not at the same moment as other nodes.
        due = now + age * (0.8 + 0.15 * chance)
    }

    /// The round ends without keys. Those in use stay.
    mutating func failed(_ fault: FetchFault, at now: Instant, chance: Double) {
        // The keys may have moved.
        if case .discovering = phase {} else if fault.isAnswer { discovered = nil }
        phase = .resting
        failures += 1
        due = now + Backoff.delay(afterFailures: failures, jitter: chance)
    }

    // MARK: Wishes

    /// A token names a key that is not among those in use. The next round begins as soon as the patience allows.
    ///
    /// Whether the provider has such a key shows in a round that began after the name was first seen. Until then nobody
    /// can say that the token is wrong.
    ///
    /// - Parameter name: the key's name, hashed.
    /// - Returns: whether the token may turn out to be good, and whether ``next(at:)`` is due sooner than it was.
    package mutating func unknownKey(_ name: Int, at now: Instant) -> (mayBeGood: Bool, isSooner: Bool) {
        let since = asked.first { $0.name == name }?.since
        if since == nil {
            if asked.count == Self.rememberedNames { asked.removeFirst() }
            asked.append((name, now))
        }
        let isSooner = hurry(to: max(now, began.map { $0 + Self.patience } ?? now))
        let isRefused = if let since, let fetched { fetched >= since && failures == 0 } else { false }
        return (!isRefused, isSooner)
    }

    /// The operator wants the keys to be fetched now.
    ///
    /// - Returns: whether ``next(at:)`` is due sooner than it was.
    package mutating func wanted(at now: Instant) -> Bool {
        if case .resting = phase { discovered = nil }
        return hurry(to: now)
    }

    private mutating func hurry(to moment: Instant) -> Bool {
        guard case .resting = phase, moment < due else { return false }
        due = moment
        return true
    }
}
