import CLinux
import Glibc
import WireProtocol

extension HTTPConnection {
    /// How long a refused client may take for its request; after that, the answer is sent without one.
    static let refusedTimeout = Duration.seconds(2)

    /// Serves an accepted socket, and owns it from now on.
    package static func open(_ descriptor: Int32, at endpoint: HTTPEndpoint, _ on: borrowing OnShard) {
        let address = endpoint.isLocal ? nil : IPAddress(peerOf: descriptor)
        let isProxy = endpoint.proxies.trusts(address)
        // A header from another peer could claim any address, and a connection without a header could not be read.
        guard isProxy || !endpoint.usesProxyProtocol else {
            Glibc.close(descriptor)
            return
        }
        let process = endpoint.isLocal ? belfry_peer_credentials(descriptor) : nil
        var terms = Terms(
            peer: Peer(userID: process?.user, groupID: process?.group, isLocal: endpoint.isLocal, address: address),
            isBehindProxy: isProxy)
        switch endpoint.admission?.admit(isProxy ? nil : address, at: on.now) {
        case nil: break
        case .success(let lease): terms.lease = lease
        case .failure(let failure):
            guard let place = failure.place else {
                return ReserveDescriptor.close(descriptor, answering: lastWord(failure.reason, at: endpoint))
            }
            (terms.lease, terms.refusal) = (place, failure.reason)
        }
        if endpoint.usesProxyProtocol {
            receiveProxyHeader(descriptor, terms, endpoint, on)
        } else {
            // Without memory for one more socket it is closed, which is all that can be done.
            let connection = try? Connection(descriptor: descriptor, tls: endpoint.tls?.current, on: on) { connection in
                HTTPConnection(connection, endpoint: endpoint, terms: terms)
            }
            begin(connection, endpoint, terms, on)
        }
    }

    /// The facts about a connection before its first request.
    struct Terms {
        var peer: Peer
        /// The peer is a proxy whose statements about the client count.
        var isBehindProxy: Bool
        var refusal: AdmissionRefusal?
        /// Held until the connection closes.
        var lease: AnyObject?
    }

    private static func receiveProxyHeader(
        _ descriptor: Int32, _ terms: Terms, _ endpoint: HTTPEndpoint, _ on: borrowing OnShard
    ) {
        ProxyReception.begin(descriptor, timeout: endpoint.limits.headTimeout, on) { id, header, on in
            var terms = terms
            if case .proxied(let client) = header {
                terms.peer = terms.peer.at(client)
                // The client may be a proxy too, and it may tell a further client.
                terms.isBehindProxy = endpoint.proxies.trusts(client)
                if !terms.isBehindProxy { terms.refusal = terms.refusal ?? terms.identify(as: client) }
            }
            let connection = Connection(taking: id, tls: endpoint.tls?.current, on: on) { connection in
                HTTPConnection(connection, endpoint: endpoint, terms: terms)
            }
            begin(connection, endpoint, terms, on)
        }
    }

    private static func begin(
        _ connection: Connection?, _ endpoint: HTTPEndpoint, _ terms: Terms, _ on: borrowing OnShard
    ) {
        if let lease = terms.lease { connection?.lease = .held(lease) }
        connection?.setDeadline(
            on.now + (terms.refusal == nil ? endpoint.limits.headTimeout : refusedTimeout), on)
    }

    /// Counts a client that gets no descriptor, and returns its answer.
    static func turnAway(from endpoint: HTTPEndpoint) -> [UInt8] {
        endpoint.admission?.count(.tooManyConnections)
        return lastWord(.tooManyConnections, at: endpoint)
    }

    /// The answer without a wait for the request; empty over TLS, because a handshake costs more than the answer is
    /// worth.
    private static func lastWord(_ reason: AdmissionRefusal, at endpoint: HTTPEndpoint) -> [UInt8] {
        endpoint.tls == nil ? reason.problem(jitter: .random(in: 0..<1)).response.encoded(isKeepAlive: false) : []
    }
}

extension HTTPConnection.Terms {
    /// Counts the connection for the client that a proxy has named.
    func identify(as client: IPAddress?) -> AdmissionRefusal? { (lease as? AdmissionLease)?.identify(as: client) }
}
