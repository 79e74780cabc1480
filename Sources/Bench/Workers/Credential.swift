/// With what tokens are made, for workers that make them too.
package struct Credential: Codable, Sendable, CustomStringConvertible {
    package var secret: String
    /// The server's configuration file, for the claims that it demands.
    package var config: String?

    package init(secret: String, config: String?) {
        (self.secret, self.config) = (secret, config)
    }

    package var description: String { "<secret>" }
}
