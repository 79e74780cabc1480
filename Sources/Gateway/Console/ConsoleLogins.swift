import Crypto
import Inbox

/// The logins of browsers, in memory: they end with the process.
struct ConsoleLogins: Sendable {
    static let lifetime = Duration.seconds(12 * 3_600)
    /// With more, the oldest one ends.
    static let maximumCount = 100

    private struct Login {
        let owner: ConsoleOperator
        let end: Timestamp
    }

    /// By the hash of the cookie, so that the time of a look-up tells nothing of it.
    private var logins: [SHA256.Digest: Login] = [:]

    init() {}

    /// - Parameter cookie: random, at least 16 bytes of chance.
    mutating func begin(_ cookie: String, of owner: ConsoleOperator, at now: Timestamp) {
        logins = logins.filter { $0.value.end > now }
        if logins.count >= Self.maximumCount, let oldest = logins.min(by: { $0.value.end < $1.value.end }) {
            logins[oldest.key] = nil
        }
        logins[Self.hash(cookie)] = Login(owner: owner, end: now + Self.lifetime)
    }

    /// Nil for an unknown cookie, and for one that is too old.
    func owner(of cookie: String, at now: Timestamp) -> ConsoleOperator? {
        guard let login = logins[Self.hash(cookie)], now < login.end else { return nil }
        return login.owner
    }

    mutating func end(_ cookie: String) { logins[Self.hash(cookie)] = nil }

    private static func hash(_ cookie: String) -> SHA256.Digest { SHA256.hash(data: Array(cookie.utf8)) }
}
