import WireProtocol

extension HTTPConnection {
    /// Goes on with a connection whose two sides have agreed on HTTP/1.1 only after it was there, by ALPN (RFC 7301).
    ///
    /// The endpoint's admission, proxies and TLS were the business of who opened the connection.
    /// - Parameter bytes: what has come so far, as in ``ConnectionHandler/received(_:_:)``.
    package static func takeOver(
        _ connection: Connection, at endpoint: HTTPEndpoint, received bytes: UnsafeMutableRawBufferPointer,
        _ on: borrowing OnShard
    ) {
        let peer = Peer(userID: nil, isLocal: endpoint.isLocal, address: nil)
        let handler = HTTPConnection(
            connection, endpoint: endpoint, terms: Terms(peer: peer, isBehindProxy: false))
        connection.handler = handler
        connection.setDeadline(on.now + endpoint.limits.headTimeout, on)
        handler.received(bytes, on)
    }
}
