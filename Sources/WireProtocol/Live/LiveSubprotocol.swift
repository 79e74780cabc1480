/// The names of the live protocol in the WebSocket handshake.
package enum LiveSubprotocol {
    package static let name = "belfry.v1"

    /// The beginning of a subprotocol with a token: browsers cannot set `Authorization`, so they offer their token this
    /// way.
    package static let bearerPrefix = "bearer."

    /// The token in the first offer with the prefix.
    package static func bearerToken(in offered: [String]) -> String? {
        offered.first { $0.hasPrefix(bearerPrefix) }.map { String($0.dropFirst(bearerPrefix.count)) }
    }
}
