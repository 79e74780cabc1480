import Crypto
import Inbox

/// The logins that wait for the provider's answer (OpenID Connect Core 1.0 §3.1.2). No I/O: time and chance are
/// arguments.
struct SignInMachine: Sendable {
    static let lifetime = Duration.seconds(600)
    /// With more, the oldest one ends.
    static let maximumCount = 1_000

    /// What the browser brings back from the provider (§3.1.2.5, §3.1.2.6).
    struct Answer: Sendable, Equatable {
        var state: String?
        var code: String?
        var error: String?
        /// RFC 9207 §2.
        var issuer: String?
        /// What the browser's cookie has.
        var browser: String?
    }

    /// A code that may be exchanged for tokens, and what the ID token has to say then.
    struct Exchange: Sendable, Equatable {
        let code: String
        let verifier: String
        let nonce: String
    }

    private struct Waiting {
        let nonce: String
        let verifier: String
        let browser: SHA256.Digest
        let namesIssuer: Bool
        let end: Timestamp
    }

    private let issuer: String
    /// By the hash of the state, so that the time of a look-up tells nothing of it.
    private var waiting: [SHA256.Digest: Waiting] = [:]

    init(issuer: String) { self.issuer = issuer }

    var count: Int { waiting.count }

    /// - Parameter namesIssuer: whether the provider promises to name itself in each answer (RFC 9207 §3).
    mutating func begin(_ secrets: SignInSecrets, namesIssuer: Bool, at now: Timestamp) {
        waiting = waiting.filter { $0.value.end > now }
        if waiting.count >= Self.maximumCount, let oldest = waiting.min(by: { $0.value.end < $1.value.end }) {
            waiting[oldest.key] = nil
        }
        waiting[Self.hash(secrets.state)] = Waiting(
            nonce: secrets.nonce, verifier: secrets.verifier, browser: Self.hash(secrets.browser),
            namesIssuer: namesIssuer, end: now + Self.lifetime)
    }

    /// Takes an answer, at most one for each login.
    mutating func take(_ answer: Answer, at now: Timestamp) throws(SignInProblem) -> Exchange {
        let state = Self.hash(answer.state ?? "")
        guard let login = waiting[state], now < login.end else { throw SignInProblem(.unknownLogin) }
        // RFC 9700 §4.7: an answer that somebody else has obtained would sign this browser in as them. The login stays,
        // so that a foreign page cannot end it.
        guard let browser = answer.browser, Self.hash(browser) == login.browser else {
            throw SignInProblem(.otherBrowser)
        }
        waiting[state] = nil
        // RFC 9207 §2.4, before anything else of the answer is believed.
        guard answer.issuer == issuer || answer.issuer == nil && !login.namesIssuer else {
            throw SignInProblem(.wrongIssuer)
        }
        if let error = answer.error { throw SignInProblem(.refused, code: error) }
        guard let code = answer.code else { throw SignInProblem(.incompleteAnswer) }
        return Exchange(code: code, verifier: login.verifier, nonce: login.nonce)
    }

    private static func hash(_ text: String) -> SHA256.Digest { SHA256.hash(data: Array(text.utf8)) }
}
