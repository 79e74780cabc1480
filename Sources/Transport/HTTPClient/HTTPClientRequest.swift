/// One request that we send to another server.
package struct HTTPClientRequest: Sendable {
    package var method: String
    /// Absolute, `http` or `https`.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// For all of it: waiting for its turn, name look-up, connection, and the whole response.
    package var timeout: Duration
    /// Connects to this Unix socket in place of the URL's host.
    package var socketPath: String?
    /// Whether the headers of a response are wanted that tells of success (2xx); a client may leave out those that are
    /// not. To make texts of them takes longer than everything else about a response without a body.
    package var wantsHeadersOfSuccess: Bool

    package init(
        method: String, url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        timeout: Duration,
        socketPath: String? = nil, wantsHeadersOfSuccess: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.socketPath = socketPath
        self.wantsHeadersOfSuccess = wantsHeadersOfSuccess
    }
}

extension HTTPClientRequest: CustomStringConvertible {
    /// Leaves out address, headers and body: each may hold a secret.
    package var description: String { "\(method), \(headers.count) headers, \(body.count) bytes" }
}

/// A whole response, whatever its status.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    /// In the order in which they came, names in lower case; see ``HTTPClientRequest/wantsHeadersOfSuccess``.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first value of a header, its name in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no response.
package enum HTTPClientError: Error, Hashable {
    /// As many requests as the settings allow wait already.
    case overloaded
    /// The request may have reached the server.
    case timedOut
    /// Anything on the way, with a code and words for it: libcurl's from ``HTTPClient``; from ``HTTP2Client`` the code
    /// of RFC 9113 §7 for a stream that the server reset, else 0. The request may have reached the server, except where
    /// it says that it cannot connect or that it was refused.
    case transport(code: Int, message: String)
    /// The connection ended in the middle of the response: what came of its body.
    case cutShort(body: [UInt8])
    /// The response has more bytes than the settings allow.
    case tooLarge
    /// The client was closed.
    case closed
}

extension HTTPClientError {
    /// Whether the request may have reached the server.
    package var mayHaveArrived: Bool {
        switch self {
        case .overloaded: false
        case .transport(_, let message): !message.hasPrefix(Self.noConnection)
        case .timedOut, .cutShort, .tooLarge, .closed: true
        }
    }

    /// What the words begin with for a request that never left.
    static let noConnection = "cannot connect: "
}

extension HTTPClientError: CustomStringConvertible {
    /// Leaves out what came of a response.
    package var description: String {
        switch self {
        case .overloaded: "too many requests wait already"
        case .timedOut: "no answer in time"
        case .transport(_, let message): message
        case .cutShort: "the connection ended in the middle of the answer"
        case .tooLarge: "the answer is too large"
        case .closed: "this program closed the connection"
        }
    }
}
