/// The secret for making tokens, also for workers.
package struct Credential: Codable, Sendable, CustomStringConvertible {
    package var secret: String
    /// The server's configuration file, for the claims that it requires.
    package var config: String?

    package init(secret: String, config: String?) {
        (self.secret, self.config) = (secret, config)
    }

    package var description: String { "<secret>" }
}
