package import Transport

/// One stream of publications.
package struct PublishPlan: Sendable {
    /// Who gets a publication.
    package enum Audience: Sendable, Hashable {
        /// All sessions.
        case everybody
        /// One of so many users, drawn anew each time. `isOnline`: each of them has a session.
        case oneOf(Int, isOnline: Bool)
        /// So many users in turn, who are not online.
        case inTurn(Int)
    }

    /// How a publication reaches the server.
    package enum Carrier: Sendable {
        /// A request each, on connections that are kept.
        case requests(HTTPPublication)
        /// Lines of one long request each (Belfry's `application/x-ndjson`), of which so many wait for their answer.
        case lines(HTTPPublication, underway: Int)
        /// A message on a WebSocket each, which nothing answers.
        case messages(Template, isBinary: Bool, SessionPlan)
    }

    package var name: String
    package var audience: Audience
    package var carrier: Carrier
    /// The users' names are this and a number.
    package var userPrefix: String
    /// Publications a second; nil: as fast as the answers come.
    package var rate: Double?
    /// So many connections publish side by side.
    package var publishers = 1
    /// So many publications at most may have been sent and not come to everybody; nil: any number.
    package var inFlight: Int?
    package var payloadBytes = 200

    package init(name: String, audience: Audience, carrier: Carrier, userPrefix: String) {
        (self.name, self.audience, self.carrier, self.userPrefix) = (name, audience, carrier, userPrefix)
    }

    /// How many sessions get each publication, of so many that are ready.
    package func frames(perPublicationTo ready: Int) -> Int {
        switch audience {
        case .everybody: ready
        case .oneOf(_, let isOnline): isOnline ? 1 : 0
        case .inTurn: 0
        }
    }
}

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

    /// The whole of a request.
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

    /// One line of such a request, a chunk of its own (RFC 9112 §7.1).
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
