extension Settings {
    /// Who may use the operators' console. Without a password and a token, only this machine may.
    package struct Console: Sendable, Equatable {
        static let minimumSecretCharacters = 12

        /// What people give in the browser.
        package var password: Secret?
        /// What programs give as `Authorization: Bearer`.
        package var token: Secret?

        package init() {}

        static func isLongEnough(_ secret: Secret) -> Bool { secret.text.count >= minimumSecretCharacters }
    }
}
