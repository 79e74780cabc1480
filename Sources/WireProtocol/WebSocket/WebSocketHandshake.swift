/// The server's side of the opening handshake (RFC 6455 §4.2).
package enum WebSocketHandshake {
    package struct Acceptance: Sendable, Hashable {
        package let subprotocol: String?
        /// The agreement on compression; nil for none.
        package let deflate: DeflateAgreement?
        /// The bytes of the 101 response.
        package let response: [UInt8]
    }

    /// Whether a request asks for a WebSocket, in a valid way or not.
    package static func isUpgrade(_ head: HTTPRequestHead) -> Bool {
        head.headers.hasToken("websocket", in: "Upgrade")
    }

    /// - Parameters:
    ///   - deflate: accepts permessage-deflate if the client offers it; nil declines.
    ///   - choose: gets the client's subprotocols, the preferred one first; returns one of them or nil.
    /// - Throws: the response that refuses.
    package static func accept(
        _ head: HTTPRequestHead, deflate: DeflateSettings? = nil, choosing choose: ([String]) -> String?
    ) throws(HandshakeFailure) -> Acceptance {
        guard head.method == "GET" || head.method == "HEAD" else {
            throw HandshakeFailure(405, ["Allow": "GET, HEAD"], "a WebSocket begins with GET")
        }
        // RFC 6455 §4.1: only a GET can ask, so HEAD gets the answer of a GET that does not ask.
        guard head.method == "GET", isUpgrade(head) else {
            let upgrade: HTTPHeaders = [
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": HandshakeKey.version,
            ]
            throw HandshakeFailure(426, upgrade, "this is a WebSocket: ask for Upgrade: websocket")
        }
        guard head.minorVersion > 0, head.headers.hasToken("upgrade", in: "Connection") else {
            throw HandshakeFailure(400, [:], "Upgrade needs HTTP/1.1 and Connection: Upgrade")
        }
        guard head.headers.values("Sec-WebSocket-Version") == [HandshakeKey.version] else {
            let version: HTTPHeaders = [
                "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": HandshakeKey.version,
            ]
            throw HandshakeFailure(426, version, "the only version known here is \(HandshakeKey.version)")
        }
        let keys = head.headers.values("Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Base64.isSixteenBytes(key) else {
            throw HandshakeFailure(400, [:], "Sec-WebSocket-Key is not 16 bytes in base64")
        }
        let offered = head.headers.elements(of: "Sec-WebSocket-Protocol")
        guard offered.allSatisfy(\.utf8.isToken) else {
            throw HandshakeFailure(400, [:], "Sec-WebSocket-Protocol names something that is not a token")
        }
        let compression = try negotiate(deflate, head)
        let chosen = choose(offered)
        // RFC 6455 §4.2.2: a client must fail if the server chooses a subprotocol that was not offered.
        precondition(chosen.map(offered.contains) != false, "chose a subprotocol that was not offered")
        return Acceptance(
            subprotocol: chosen, deflate: compression?.agreement,
            response: response(to: key, subprotocol: chosen, extensions: compression?.responseValue))
    }

    private static func negotiate(
        _ deflate: DeflateSettings?, _ head: HTTPRequestHead
    ) throws(HandshakeFailure) -> (agreement: DeflateAgreement, responseValue: String)? {
        guard let deflate else { return nil }
        do {
            return try DeflateNegotiation.accept(
                offers: head.headers.values("Sec-WebSocket-Extensions"), settings: deflate)
        } catch {
            throw HandshakeFailure(400, [:], error.reason)
        }
    }

    private static func response(to key: String, subprotocol: String?, extensions: String?) -> [UInt8] {
        var headers: HTTPHeaders = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": HandshakeKey.accept(for: key),
        ]
        if let subprotocol { headers.add("Sec-WebSocket-Protocol", subprotocol) }
        if let extensions { headers.add("Sec-WebSocket-Extensions", extensions) }
        var bytes = Array("HTTP/1.1 101 Switching Protocols\r\n".utf8)
        headers.write(to: &bytes)
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }
}

/// A handshake that cannot be accepted.
package struct HandshakeFailure: Error, Sendable {
    package let response: HTTPResponse

    fileprivate init(_ status: Int, _ headers: HTTPHeaders, _ detail: String) {
        var response = Problem(status: status, code: "bad_handshake", detail: detail).response
        for field in headers.fields { response.headers.add(field) }
        self.response = response
    }
}
