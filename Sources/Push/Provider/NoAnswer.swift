/// Why a push got no answer from its push service: no request reached it, nothing came back, or it does not take our
/// key.
package struct NoAnswer: Error, Hashable {
    /// What stands in the way of a reply, and so what an operator has to look at.
    package enum Obstacle: Sendable, Hashable {
        /// The way to the push service.
        case connection
        /// The way to the service that hands out access tokens.
        case tokenConnection
        /// That service, which answers without a token: it errs, or has too much to do.
        case tokenService
        /// What proves who sends: our key cannot sign, or the account is not taken.
        case credential
        /// What proves who sends: the push service does not take it. The reason is its word for that.
        case refusedKey
    }

    /// For people and for logs: holds no address of a device, no key and no text of a push.
    package let reason: String
    package let obstacle: Obstacle

    package init(reason: String, obstacle: Obstacle = .connection) {
        self.reason = reason
        self.obstacle = obstacle
    }
}
