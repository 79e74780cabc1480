/// A response whose body is there whole, and the pieces of one whose body is not.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    /// Without `Content-Length` and `Transfer-Encoding`, which encoding adds.
    package var headers: HTTPHeaders
    package var body: [UInt8]

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes to send (RFC 9112 §4).
    ///
    /// - Parameter omitsBody: for an answer to HEAD, which tells the length all the same. Statuses that have no body
    ///   (RFC 9110 §6.4.1) lose it in any case.
    package func encoded(isKeepAlive: Bool, omitsBody: Bool = false) -> [UInt8] {
        let hasBody = Self.hasBody(status: status)
        let length = hasBody ? HTTPHeaders.Field(name: "Content-Length", value: String(body.count)) : nil
        var bytes = Self.head(status: status, headers: headers, framing: length, isKeepAlive: isKeepAlive)
        if hasBody, !omitsBody { bytes.append(contentsOf: body) }
        return bytes
    }

    /// Tells a client that waits that its body is wanted (RFC 9110 §15.2.1).
    package static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    // MARK: Bodies of unknown length, for HTTP/1.1 clients

    package static func chunkedHead(status: Int, headers: HTTPHeaders, isKeepAlive: Bool = true) -> [UInt8] {
        let framing = HTTPHeaders.Field(name: "Transfer-Encoding", value: "chunked")
        return head(status: status, headers: headers, framing: framing, isKeepAlive: isKeepAlive)
    }

    /// Nothing for no bytes: an empty chunk would end the body.
    package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        var chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8)
        chunk.reserveCapacity(chunk.count + bytes.count + 2)
        chunk.append(contentsOf: bytes)
        chunk.append(contentsOf: "\r\n".utf8)
        return chunk
    }

    package static let lastChunk = Array("0\r\n\r\n".utf8)

    // MARK: Head

    private static func hasBody(status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }

    private static func head(
        status: Int, headers: HTTPHeaders, framing: HTTPHeaders.Field?, isKeepAlive: Bool
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        bytes.append(contentsOf: String(status).utf8)
        bytes.append(.space)
        bytes.append(contentsOf: reasonPhrase(of: status).utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        for field in headers.fields where !isOurs(field.name) { field.write(to: &bytes) }
        framing?.write(to: &bytes)
        // One field for all options: a 426 names Upgrade in it (RFC 9110 §7.8).
        bytes.append(contentsOf: "Connection: ".utf8)
        for option in headers.elements(of: "Connection") {
            bytes.append(contentsOf: option.utf8)
            bytes.append(contentsOf: ", ".utf8)
        }
        bytes.append(contentsOf: (isKeepAlive ? "keep-alive\r\n\r\n" : "close\r\n\r\n").utf8)
        return bytes
    }

    /// Whether encoding writes this field itself.
    private static func isOurs(_ name: String) -> Bool {
        switch name.utf8.count {
        case 10: name.equalsIgnoringCase("Connection")
        case 14: name.equalsIgnoringCase("Content-Length")
        case 17: name.equalsIgnoringCase("Transfer-Encoding")
        default: false
        }
    }
}
