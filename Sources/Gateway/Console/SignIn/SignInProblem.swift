/// Why a provider's answer lets nobody in. The login page has a sentence for each; see `docs/console.md`.
struct SignInProblem: Error, Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        /// Nobody waits for this answer: it is too late, comes a second time, or is made up.
        case unknownLogin = "unknown_login"
        /// Another browser, or another tab, has begun this login.
        case otherBrowser = "other_browser"
        /// The answer does not name the issuer that was asked (RFC 9207).
        case wrongIssuer = "wrong_issuer"
        /// The answer has neither a code nor an error.
        case incompleteAnswer = "incomplete_answer"
        /// The provider did not sign the person in, with its error.
        case refused
        /// The provider did not take the code, with its error.
        case codeRefused = "code_refused"
        case providerAway = "provider_away"
        /// The provider's answer cannot be understood.
        case providerFault = "provider_fault"
        /// The ID token is not taken, with what is wrong.
        case tokenRefused = "token_refused"
        /// The provider's keys are being fetched.
        case keysPending = "keys_pending"
        /// The person is not among those whom the settings let in.
        case notAllowed = "not_allowed"
        /// The provider does not say that the e-mail address is the person's.
        case emailNotVerified = "email_not_verified"
        /// Nothing in the token can stand in the audit log as a name.
        case noName = "no_name"
        case tooMany = "too_many"
        /// The file with the client's secret cannot be read.
        case noSecret = "no_secret"
    }

    let kind: Kind
    /// The provider's error, or what is wrong with its token: letters, digits and a few marks.
    let code: String?
    /// For the log alone. It quotes nothing of codes, tokens and secrets.
    let words: String?

    init(_ kind: Kind, code: String? = nil, words: String? = nil) {
        (self.kind, self.words) = (kind, words)
        self.code = code.flatMap { Self.isPlain($0) ? $0 : nil }
    }

    /// RFC 6749 §4.1.2.1 allows nearly any text as an error, which then would stand on the page.
    private static func isPlain(_ code: String) -> Bool {
        (1...40).contains(code.utf8.count)
            && code.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The query of the login page that tells it.
    var query: String { "refused=\(kind.rawValue)" + (code.map { "&code=\($0)" } ?? "") }
}
