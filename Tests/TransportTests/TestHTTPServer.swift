import WireProtocol

@testable import Transport

/// An HTTP server on a port that is free, for one test.
final class TestHTTPServer: Sendable {
    typealias Decide = @Sendable (HTTPRequestHead, borrowing OnShard) -> HTTPDisposition

    private final class Service: HTTPService {
        private let decide: Decide
        init(_ decide: @escaping Decide) { self.decide = decide }
        func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
            decide(head, on)
        }
    }

    let host: TestShard
    let address: SocketAddress

    init(_ poller: PollerKind = .epoll, limits: HTTPLimits = HTTPLimits(), decide: @escaping Decide) throws {
        host = try TestShard(poller)
        let socket = try Listener.open(.tcp(host: "127.0.0.1", port: 0))
        address = socket.address
        try host.run { on in
            let service = Service(decide)
            _ = Listener(socket, on: on) { descriptor, on in
                HTTPConnection.open(descriptor, service: service, isLocal: false, limits: limits, on)
            }
        }
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
