import Inbox
import Synchronization
import Transport
import WireProtocol

/// ``ConsoleLogins`` for many threads, with the cookies that stand for them.
final class ConsoleSessions: Sendable {
    private let logins = Mutex(ConsoleLogins())

    /// - Returns: the value of `Set-Cookie` that lets the browser in.
    func begin(_ owner: ConsoleOperator, isSecure: Bool, at now: Timestamp) -> String {
        let cookie = RandomName.make(prefix: "", length: 40)
        logins.withLock { $0.begin(cookie, of: owner, at: now) }
        return Self.cookie(cookie, seconds: ConsoleLogins.lifetime.components.seconds, isSecure: isSecure)
    }

    /// Nil for an unknown cookie, and for one that is too old.
    func owner(of cookie: String, at now: Timestamp) -> ConsoleOperator? {
        logins.withLock { $0.owner(of: cookie, at: now) }
    }

    /// - Returns: the value of `Set-Cookie` that removes the cookie.
    func end(for head: HTTPRequestHead) -> String {
        ConsoleAccess.cookie(in: head).map { cookie in logins.withLock { $0.end(cookie) } }
        return Self.cookie("", seconds: 0, isSecure: Self.isSecure(head))
    }

    /// Whether a page has come over TLS. Behind a proxy only its origin tells of it.
    static func isSecure(_ head: HTTPRequestHead) -> Bool { head.headers["Origin"]?.hasPrefix("https://") == true }

    private static func cookie(_ value: String, seconds: Int64, isSecure: Bool) -> String {
        "\(ConsoleAccess.cookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
