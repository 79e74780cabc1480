/// Why a push service did not judge a push: no request reached it, no reply came back, or it refuses this server's key.
package struct NoAnswer: Error, Hashable {
    /// The obstacle that an operator must look at.
    package enum Obstacle: Sendable, Hashable {
        /// The connection to the push service.
        case connection
        /// The connection to the service that issues access tokens.
        case tokenConnection
        /// The token service answers without a token: it fails or is overloaded.
        case tokenService
        /// The own credential: the key cannot sign, or the token service refuses the account.
        case credential
        /// The push service refuses the credential. The reason is its own word.
        case refusedKey
    }

    /// For people and logs: holds no address of a device, no key and no text of a push.
    package let reason: String
    package let obstacle: Obstacle

    package init(reason: String, obstacle: Obstacle = .connection) {
        self.reason = reason
        self.obstacle = obstacle
    }
}
