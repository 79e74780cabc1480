import Support
import WireProtocol

@testable import Transport

/// An HTTP server on a port that is free, for one test.
final class TestHTTPServer: Sendable {
    typealias Decide = @Sendable (HTTPRequestHead, borrowing OnShard) -> HTTPDisposition

    final class Service: HTTPService {
        private let decide: @Sendable (HTTPRequestHead, Peer, borrowing OnShard) -> HTTPDisposition

        init(_ decide: @escaping @Sendable (HTTPRequestHead, Peer, borrowing OnShard) -> HTTPDisposition) {
            self.decide = decide
        }

        func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
            decide(head, peer, on)
        }
    }

    let host: TestShard
    let address: SocketAddress

    init(
        _ poller: PollerKind = .epoll, limits: HTTPLimits = HTTPLimits(headTimeout: .patience),
        admission: Admission? = nil,
        crossOrigin: CrossOrigin? = nil, bodies: BodyRoom? = nil, answers: BodyRoom? = nil, decide: @escaping Decide
    ) throws {
        (host, address) = try Self.start(poller, .tcp(host: "127.0.0.1", port: 0)) {
            HTTPEndpoint(
                Service { head, _, on in decide(head, on) }, limits: limits, admission: admission,
                crossOrigin: crossOrigin, bodies: bodies, answers: answers)
        }
    }

    /// Answers each request with its path and the client's address.
    ///
    /// - Parameters:
    ///   - proxies: the trusted ones.
    ///   - tls: encrypts.
    init(
        _ poller: PollerKind = .epoll, at address: SocketAddress = .tcp(host: "127.0.0.1", port: 0),
        limits: HTTPLimits = HTTPLimits(headTimeout: .patience), admission: Admission? = nil,
        proxies: TrustedProxies = .none,
        usesProxyProtocol: Bool = false, tls: TLSServer? = nil
    ) throws {
        (host, self.address) = try Self.start(poller, address) {
            let service = Service { head, peer, _ in
                .answer(HTTPResponse(status: 200, body: Array("\(head.path) \(peer.address, default: "nobody")".utf8)))
            }
            return HTTPEndpoint(
                service, limits: limits, tls: tls, admission: admission, proxies: proxies,
                usesProxyProtocol: usesProxyProtocol)
        }
    }

    private static func start(
        _ poller: PollerKind, _ address: SocketAddress, makeEndpoint: @escaping @Sendable () -> HTTPEndpoint
    ) throws -> (TestShard, SocketAddress) {
        let host = try TestShard(poller)
        let socket = try Listener.open(address)
        try host.run { on in _ = Listener(socket, serving: makeEndpoint(), on: on) }
        return (host, socket.address)
    }

    func connect(receiveBufferBytes: Int32? = nil) throws -> TestSocket {
        try TestSocket(to: address, receiveBufferBytes: receiveBufferBytes, server: self)
    }

    /// Answers with the method, the path and the body, once the body is whole.
    static let echo: Decide = { _, _ in
        .collect { request, reply, on in
            let text = Array("\(request.head.method) \(request.head.path) ".utf8)
            reply.send(HTTPResponse(status: 200, body: text + request.body), on)
        }
    }
}

/// A response as a client reads it.
struct TestResponse {
    let status: Int
    /// With the line ends.
    let head: String
    let body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }

    func has(_ field: String) -> Bool { head.contains("\r\n\(field)\r\n") }
}

extension TestSocket {
    /// Reads one response, whose body must have a `Content-Length`.
    func readResponse(toHEAD: Bool = false) throws -> TestResponse {
        let head = try readText(through: "\r\n\r\n")
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        let count = length.flatMap { Int($0.dropFirst("Content-Length: ".count)) } ?? 0
        let body = toHEAD ? [] : try read(exactly: count)
        return TestResponse(status: Int(head.split(separator: " ")[1]) ?? 0, head: head, body: body)
    }
}
