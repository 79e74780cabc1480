import CLinux
import Gateway
import Glibc
import Push
import Transport

/// One request over HTTP/1.1 and TLS, on a connection of its own that ends with it.
struct HTTP1Call {
    private let bytes: [UInt8]
    private let caFile: String
    private let port: UInt16

    struct CannotConnect: Error {}

    init(_ request: PushRequest, to sink: TestSink) throws {
        guard case .tcp(_, let port) = sink.server.address, let caFile = sink.settings["WEBPUSH_CA_FILE"] else {
            throw CannotConnect()
        }
        (self.port, self.caFile) = (port, caFile)
        let path = request.url.dropFirst(sink.base.count)
        var head = "\(request.method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(request.body.count)\r\n\r\n"
        bytes = Array(head.utf8) + request.body
    }

    /// All that the sink sends until it closes.
    func answer() async throws -> String {
        let tls = try TLSClientContext(caFile: caFile, applicationProtocols: ["http/1.1"])
        let shards = try ShardGroup(count: 1, poller: .epoll)
        let descriptor = try connect()
        let answer = await withCheckedContinuation { (continuation: CheckedContinuation<[UInt8], Never>) in
            shards.shards[0].post { on in
                let connection = try? Connection(descriptor: descriptor, tls: tls, host: "localhost", on: on) {
                    Reader($0) { continuation.resume(returning: $0) }
                }
                // Without a connection the reader is told nothing: but then there is no memory left at all.
                connection?.send(bytes, on)
            }
        }
        await withCheckedContinuation { continuation in shards.stop { continuation.resume() } }
        return String(decoding: answer, as: UTF8.self)
    }

    private func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            close(descriptor)
            throw CannotConnect()
        }
        return descriptor
    }

    private final class Reader: ConnectionHandler {
        private unowned let connection: Connection
        private let completion: ([UInt8]) -> Void
        private var answer: [UInt8] = []

        init(_ connection: Connection, completion: @escaping ([UInt8]) -> Void) {
            self.connection = connection
            self.completion = completion
        }

        func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
            answer.append(contentsOf: bytes)
        }
        func peerFinished(_ on: borrowing OnShard) { connection.close(on) }
        func deadlineReached(_ on: borrowing OnShard) {}
        func outputBlocked(_ on: borrowing OnShard) {}
        func outputDrained(_ on: borrowing OnShard) {}
        func closed(_ on: borrowing OnShard) { completion(answer) }
    }
}
