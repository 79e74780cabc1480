/// One request to another server.
package struct HTTPClientRequest: Sendable {
    package var method: String
    /// Absolute, `http` or `https`.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// For the whole exchange: the wait for its turn, name look-up, connection, and the complete response.
    package var timeout: Duration
    /// Connects to this Unix socket instead of the URL's host.
    package var socketPath: String?
    /// Whether the caller wants the headers of a successful response (2xx); a client may leave out unwanted ones.
    /// Making texts of them takes longer than all other work on a response without a body.
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
    /// Leaves out address, headers and body, because each may hold a secret.
    package var description: String { "\(method), \(headers.count) headers, \(body.count) bytes" }
}

/// A complete response, whatever its status.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    /// In order of arrival, names in lower case; see ``HTTPClientRequest/wantsHeadersOfSuccess``.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first value of a header, its name in lower case.
    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// Why there is no response.
package enum HTTPClientError: Error, Hashable {
    /// The maximum of requests waits already.
    case overloaded
    /// The request may have reached the server.
    case timedOut
    /// A failure on the way, with a code and a text. ``HTTPClient`` gives libcurl's code. ``HTTP2Client`` gives the
    /// code of RFC 9113 §7 for a stream that the server reset, else 0. The request may have reached the server, unless
    /// the text says that it cannot connect or was refused.
    case transport(code: Int, message: String)
    /// The connection ended in the middle of the response: the part of its body that came.
    case cutShort(body: [UInt8])
    /// The response is longer than the settings allow.
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

    /// The beginning of the text for a request that never left.
    static let noConnection = "cannot connect: "
}

extension HTTPClientError: CustomStringConvertible {
    /// Leaves out the body of a response.
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
