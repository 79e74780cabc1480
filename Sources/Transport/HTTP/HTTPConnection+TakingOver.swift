import WireProtocol

extension HTTPConnection {
    /// Takes over an open connection whose two sides have agreed on HTTP/1.1 by ALPN (RFC 7301).
    ///
    /// The opener of the connection was responsible for admission, proxies and TLS.
    /// - Parameter bytes: the bytes so far, as in ``ConnectionHandler/received(_:_:)``.
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
