package import Transport

/// The request that carries a publication.
package struct HTTPPublication: Sendable {
    package var address: SocketAddress
    /// For the `Host` field.
    package var host: String
    package var method = "POST"
    package var path: Template
    package var headers: [SessionPlan.Header] = []
    package var body: Template

    package init(address: SocketAddress, host: String, path: Template, body: Template) {
        (self.address, self.host, self.path, self.body) = (address, host, path, body)
    }

    /// The bytes of a request.
    func request(_ values: Template.Values) -> [UInt8] {
        let body = body.rendered(values)
        var bytes = head(values, framing: "Content-Length: \(body.count)", capacity: 200 + body.count)
        bytes.append(contentsOf: body)
        return bytes
    }

    /// The head of a request whose lines follow as chunks.
    func streamHead(_ values: Template.Values) -> [UInt8] {
        head(values, framing: "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked", capacity: 300)
    }

    /// One line of such a request, as a chunk of its own (RFC 9112 §7.1).
    func line(_ values: Template.Values) -> [UInt8] {
        let body = body.rendered(values)
        var bytes = Array("\(String(body.count + 1, radix: 16))\r\n".utf8)
        bytes.append(contentsOf: body)
        bytes.append(contentsOf: "\n\r\n".utf8)
        return bytes
    }

    private func head(_ values: Template.Values, framing: String, capacity: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity)
        bytes.append(contentsOf: "\(method) ".utf8)
        path.append(values, to: &bytes)
        bytes.append(contentsOf: " HTTP/1.1\r\nHost: \(host)\r\n\(framing)\r\n".utf8)
        for field in headers {
            bytes.append(contentsOf: "\(field.name): ".utf8)
            field.value.append(values, to: &bytes)
            bytes.append(contentsOf: "\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }
}
