/// Why there is no access token. Holds no secrets.
package struct GoogleAccessTokenError: Error, Hashable, CustomStringConvertible {
    /// The reason for each push that needs a token.
    package let noAnswer: NoAnswer
    /// Whether a retry cannot help, so that the operator must act.
    package let isPermanent: Bool

    /// The service account's key made no signature.
    package static let unsigned = GoogleAccessTokenError(
        "no access token: the service account's key cannot sign", .credential, isPermanent: false)
    static let unreadable = GoogleAccessTokenError(
        "Google's token service answered without a token", .tokenService, isPermanent: false)

    package var description: String { noAnswer.reason }

    private init(_ reason: String, _ obstacle: NoAnswer.Obstacle, isPermanent: Bool) {
        noAnswer = NoAnswer(reason: reason, obstacle: obstacle)
        self.isPermanent = isPermanent
    }

    /// - Parameter cause: why the token service did not reply.
    package init(_ cause: NoAnswer) {
        self.init("Google's token service did not answer: \(cause.reason)", .tokenConnection, isPermanent: false)
    }

    /// - Parameter error: OAuth's error code (RFC 6749 §5.2).
    init(status: Int, error: String?) {
        let isPermanent = (400..<500).contains(status) && status != 408 && status != 429
        let obstacle = isPermanent ? NoAnswer.Obstacle.credential : .tokenService
        switch error {
        case "invalid_grant":
            self.init(
                "invalid_grant: Google does not take the service account's signature; its key was deleted, the account "
                    + "was disabled, or this machine's clock is wrong", obstacle, isPermanent: isPermanent)
        case "invalid_client":
            self.init("invalid_client: Google does not know the service account", obstacle, isPermanent: isPermanent)
        case let word? where (1...64).contains(word.utf8.count) && word.allSatisfy({ $0.isASCII && $0.isWordPart }):
            self.init("Google's token service refused: \(word)", obstacle, isPermanent: isPermanent)
        default:
            self.init("Google's token service answered HTTP \(status)", obstacle, isPermanent: isPermanent)
        }
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || self == "_" }
}
