/// Why a server's answer is no WebSocket.
package enum ClientHandshakeFailure: Error, Sendable, Hashable {
    /// The server answered with another status. `headers` may hold `Retry-After`, and the received part of the body may
    /// tell the reason.
    case refused(status: Int, headers: HTTPHeaders, body: [UInt8] = [])
    case malformed(HTTPViolation)
    /// 101 without `Upgrade: websocket` and `Connection: Upgrade`.
    case notUpgraded
    /// `Sec-WebSocket-Accept` does not match the client's key.
    case wrongAccept
    /// A subprotocol that was not offered.
    case unexpectedSubprotocol
    /// An extension, although none was offered.
    case unexpectedExtension
    case badCompression(DeflateResponseViolation)
}

/// The client's side of the opening handshake (RFC 6455 §4.1).
package struct WebSocketClientHandshake: Sendable {
    package struct Acceptance: Sendable, Hashable {
        package let subprotocol: String?
        /// The agreement on compression; nil for none.
        package let deflate: DeflateAgreement?
        /// The bytes behind the response, which belong to the WebSocket.
        package let remainder: [UInt8]
    }

    private static let maximumHeadBytes = 16 << 10
    /// The limit for the body of a refusal; the rest is not waited for.
    private static let maximumBodyBytes = 16 << 10

    private let key: String
    private let subprotocols: [String]
    private let deflate: DeflateSettings?
    /// The bytes to send first.
    package let request: [UInt8]
    private var reader = HTTPHeadReader<[UInt8]>()
    private var buffer = ReceiveBuffer()
    /// A refusal while the rest of its body may come.
    private var refusing: HTTPResponseHead?

    /// - Parameters:
    ///   - authority: host and port, for the `Host` field.
    ///   - path: with the query.
    ///   - headers: further fields, such as `Authorization`.
    ///   - deflate: offers permessage-deflate.
    ///   - nonce: 16 random bytes.
    package init(
        authority: String, path: String, subprotocols: [String], headers: HTTPHeaders,
        deflate: DeflateSettings? = nil, nonce: [UInt8]
    ) {
        precondition(nonce.count == 16, "RFC 6455 §4.1 asks for 16 bytes")
        key = Base64.encode(nonce)
        self.subprotocols = subprotocols
        self.deflate = deflate
        var fields: HTTPHeaders = [
            "Host": authority, "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Version": HandshakeKey.version, "Sec-WebSocket-Key": key,
        ]
        if !subprotocols.isEmpty { fields.add("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", ")) }
        if deflate != nil { fields.add("Sec-WebSocket-Extensions", DeflateNegotiation.offer) }
        for field in headers.fields { fields.add(field) }
        var request = Array("GET ".utf8) + PercentEncoding.escapingInvisible(path) + Array(" HTTP/1.1\r\n".utf8)
        fields.write(to: &request)
        self.request = request + Array("\r\n".utf8)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(bytes) }

    /// Returns the acceptance once the server's answer is complete; nil while bytes are missing.
    package mutating func next() throws(ClientHandshakeFailure) -> Acceptance? {
        while refusing == nil, let head = try nextHead() {
            // Interim responses may come first (RFC 9110 §15.2).
            if (100...199).contains(head.status), head.status != 101 { continue }
            guard head.status == 101 else {
                refusing = head
                break
            }
            try checkUpgrade(head.headers)
            return Acceptance(
                subprotocol: try subprotocol(in: head.headers), deflate: try compression(in: head.headers),
                remainder: buffer.takeAll())
        }
        if let refusing, let refusal, buffer.count >= Self.bodyBytes(of: refusing) { throw refusal }
        return nil
    }

    /// The number of body bytes to wait for. Without a length, the end of a refusal's body is unknown.
    private static func bodyBytes(of refusal: HTTPResponseHead) -> Int {
        let length = refusal.headers.values("Content-Length").first.flatMap { Int($0) } ?? 0
        return min(max(length, 0), maximumBodyBytes)
    }

    /// The server's refusal with the received part of its body, for a connection that ends early; nil without a
    /// refusal.
    package var refusal: ClientHandshakeFailure? {
        refusing.map { head in
            let body = buffer.front(min(buffer.count, Self.bodyBytes(of: head)))
            return .refused(status: head.status, headers: head.headers, body: body)
        }
    }

    private mutating func nextHead() throws(ClientHandshakeFailure) -> HTTPResponseHead? {
        do throws(HTTPViolation) {
            let lines = try reader.next(from: &buffer, maximumBytes: Self.maximumHeadBytes) { Array($0) }
            guard let lines else { return nil }
            return try HTTPResponseHead(startLine: lines.startLine, headers: lines.headers)
        } catch {
            throw .malformed(error)
        }
    }

    private func checkUpgrade(_ headers: HTTPHeaders) throws(ClientHandshakeFailure) {
        guard headers.hasToken("websocket", in: "Upgrade"), headers.hasToken("upgrade", in: "Connection") else {
            throw .notUpgraded
        }
        guard headers.values("Sec-WebSocket-Accept") == [HandshakeKey.accept(for: key)] else { throw .wrongAccept }
    }

    private func subprotocol(in headers: HTTPHeaders) throws(ClientHandshakeFailure) -> String? {
        let chosen = headers.values("Sec-WebSocket-Protocol")
        guard chosen.count < 2, chosen.allSatisfy(subprotocols.contains) else { throw .unexpectedSubprotocol }
        return chosen.first
    }

    private func compression(in headers: HTTPHeaders) throws(ClientHandshakeFailure) -> DeflateAgreement? {
        let response = headers.values("Sec-WebSocket-Extensions")
        guard let deflate else {
            guard response.isEmpty else { throw .unexpectedExtension }
            return nil
        }
        do {
            return try DeflateNegotiation.read(response: response, settings: deflate)
        } catch {
            throw .badCompression(error)
        }
    }
}
