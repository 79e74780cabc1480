/// The secret for making tokens, also for workers.
package struct Credential: Codable, Sendable, CustomStringConvertible {
    package var secret: String
    /// The server's configuration file, for the claims that it requires.
    package var config: String?
    /// The app of that file whose users the tokens are for; nil for the app without a name.
    package var app: String?

    package init(secret: String, config: String?, app: String? = nil) {
        (self.secret, self.config, self.app) = (secret, config, app)
    }

    package var description: String { "<secret>" }
}
