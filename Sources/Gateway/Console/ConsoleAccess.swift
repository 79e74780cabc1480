import Crypto
import Foundation
import Transport
import WireProtocol

/// The rule for who may use the console. It depends on the request alone.
struct ConsoleAccess: Sendable {
    enum Verdict: Equatable {
        case allowed(ConsoleOperator)
        /// The caller has to log in, or give the token, first.
        case loginNeeded
        case refused(Problem)
    }

    /// What a request wants, which decides what it has to bring.
    enum Demand {
        /// What a page cannot send the header for, or needs before it can: who is logged in, and the live figures.
        case page
        case read
        /// It changes something.
        case action
    }

    /// Every call that changes something has to have it, and without a secret every call that reads, too. A form or a
    /// link of another site cannot send it, and a script of another site has to ask before, which this server never
    /// allows. A program that fetches any URL that it is given cannot send it either. Its value is the operator's name.
    static let header = "Belfry-Console"
    static let cookie = "belfry_console"
    /// What proxies add. A proxy on this machine would make everybody look like this machine.
    private static let proxyHeaders = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"]

    private let password: Secret?
    private let token: Secret?
    private let hasSignIn: Bool

    init(_ settings: Settings.Console) {
        password = settings.password
        token = settings.token
        hasSignIn = settings.oidc.isOn
    }

    /// Whether callers have to log in, or give the token.
    var needsLogin: Bool { takesPassword || hasSignIn }

    /// Whether a form with a password can let anybody in.
    var takesPassword: Bool { password != nil || token != nil }

    /// - Parameters:
    ///   - demand: what the request wants.
    ///   - operatorOf: who has logged in with this cookie; nil for an unknown or old one.
    func judge(
        _ head: HTTPRequestHead, from peer: Peer, for demand: Demand,
        operatorOf: (_ cookie: String) -> ConsoleOperator?
    ) -> Verdict {
        if let problem = refusal(of: head, from: peer) { return .refused(problem) }
        let name = Self.name(in: head)
        if needsLogin, let given = Self.bearer(in: head) {
            return isToken(given) ? .allowed(ConsoleOperator(name: name, way: .token)) : .refused(Self.wrongToken)
        }
        if needsLogin {
            guard let known = Self.cookie(in: head).flatMap(operatorOf) else { return .loginNeeded }
            return demand == .action ? checked(head, known) : .allowed(known)
        }
        let known = ConsoleOperator(name: name, way: .loopback)
        return demand == .page ? .allowed(known) : checked(head, known)
    }

    /// Whether a page of the console opens the socket. A page cannot send headers with it, so its origin counts.
    func allowsSocket(_ head: HTTPRequestHead) -> Bool { head.isOfSameOrigin || Self.bearer(in: head) != nil }

    /// Why nobody gets anything by this way; nil if the caller may go on.
    func refusal(of head: HTTPRequestHead, from peer: Peer) -> Problem? {
        guard !needsLogin else { return nil }
        // A connection without an address came over a Unix socket, whose file's mode decides.
        guard peer.address?.isLoopback ?? true, !Self.proxyHeaders.contains(where: { head.headers[$0] != nil }) else {
            return Self.closed
        }
        // A name that was made to lead here would let a foreign page in.
        return head.isForLoopback ? nil : Self.strangeHost
    }

    /// Whether this is the password, or the token, in a time that does not depend on them.
    func isPassword(_ text: String) -> Bool {
        let isPassword = password.map { Self.isSame(text, $0) } ?? false
        return isToken(text) || isPassword
    }

    private func isToken(_ text: String) -> Bool { token.map { Self.isSame(text, $0) } ?? false }

    private func checked(_ head: HTTPRequestHead, _ known: ConsoleOperator) -> Verdict {
        let isForeign = head.headers["Origin"] != nil && !head.isOfSameOrigin
        guard head.headers[Self.header] != nil, !isForeign else { return .refused(Self.noHeader) }
        return .allowed(known)
    }

    // MARK: Parts of a request

    private static func bearer(in head: HTTPRequestHead) -> String? {
        guard let parts = head.headers["Authorization"]?.split(separator: " "), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }

    /// The value of a cookie, usually the console's.
    static func cookie(_ name: String = cookie, in head: HTTPRequestHead) -> String? {
        for line in head.headers.values("Cookie") {
            for pair in line.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
                if parts.count == 2, parts[0] == name { return parts[1] }
            }
        }
        return nil
    }

    /// The header's value is encoded as in a URL, since headers are ASCII.
    private static func name(in head: HTTPRequestHead) -> String? { head.headers[header]?.removingPercentEncoding }

    /// Hashes have one length, and their bytes are all compared.
    private static func isSame(_ text: String, _ secret: Secret) -> Bool {
        let pairs = zip(SHA256.hash(data: Array(text.utf8)), SHA256.hash(data: Array(secret.text.utf8)))
        return pairs.reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: Problems

    private static let closed = Problem(
        status: 403, code: "console_closed",
        detail: "without console.password, token or oidc the console answers to this machine alone, and to no proxy")
    private static let strangeHost = Problem(
        status: 403, code: "forbidden_host",
        detail: "without console.password, token or oidc the console answers to 127.0.0.1, [::1] and localhost alone")
    private static let wrongToken = Problem(status: 401, code: "wrong_token", detail: "expected console.token")
    private static let noHeader = Problem(
        status: 403, code: "header_required", detail: "expected the header \(header), from a page of the console")
}
