/// The names of the live protocol in the WebSocket handshake.
package enum LiveSubprotocol {
    package static let name = "belfry.v1"

    /// Browsers cannot set `Authorization`, so they offer their token as a subprotocol that begins so.
    package static let bearerPrefix = "bearer."

    /// What stands behind the prefix in the first offer that has it.
    package static func bearerToken(in offered: [String]) -> String? {
        offered.first { $0.hasPrefix(bearerPrefix) }.map { String($0.dropFirst(bearerPrefix.count)) }
    }
}
