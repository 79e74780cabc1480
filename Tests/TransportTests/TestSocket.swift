import CLinux
import Glibc
import Support

@testable import Transport

/// The plain, blocking end of a connection; no call lasts longer than a test is patient.
final class TestSocket: Sendable {
    struct UnexpectedEnd: Error {}

    let descriptor: Int32
    private let server: (any AnyObject & Sendable)?

    /// - Parameters:
    ///   - receiveBufferBytes: how much the kernel takes for us while nobody reads; nil for its own choice.
    ///   - server: lives as long as this client.
    init(
        to address: SocketAddress, receiveBufferBytes: Int32? = nil, server: (any AnyObject & Sendable)? = nil
    ) throws {
        self.server = server
        descriptor = try address.resolve { (family, pointer, length) throws(SystemCallError) in
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { throw SystemCallError("socket", errno: errno) }
            if var receiveBufferBytes {
                setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBufferBytes, 4)
            }
            Self.limitWaiting(descriptor)
            guard connect(descriptor, pointer, length) == 0 else {
                let error = SystemCallError("connect", errno: errno, subject: address.description)
                Glibc.close(descriptor)
                throw error
            }
            return descriptor
        }
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        server = nil
        Self.limitWaiting(descriptor)
    }

    /// Two ends joined in this process.
    ///
    /// - Parameter kind: by default, one `read` at an end returns what one `send` at the other wrote, and never more. A
    ///   connection that is told of news only may then leave a second message unread until a third one comes.
    /// - Returns: our end, and a nonblocking descriptor for a ``Connection``, which is to own it.
    static func pair(_ kind: __socket_type = SOCK_SEQPACKET) throws -> (TestSocket, Int32) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemCallError("socketpair", errno: errno) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        return (TestSocket(ends[0]), ends[1])
    }

    /// Two blocking ends joined in this process.
    static func blockingPair() throws -> (TestSocket, TestSocket) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemCallError("socketpair", errno: errno) }
        return (TestSocket(ends[0]), TestSocket(ends[1]))
    }

    deinit { Glibc.close(descriptor) }

    private static func limitWaiting(_ descriptor: Int32) {
        var limit = timeval(tv_sec: Int(Duration.patience.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    // MARK: Output

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw SystemCallError("send", errno: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends as much as the kernel takes for one who does not read, and returns how many bytes that was.
    func sendUntilFull() -> Int {
        var most = Int32.max / 2
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &most, socklen_t(MemoryLayout<Int32>.size))
        let piece = [UInt8](repeating: 7, count: 16 << 10)
        var sent = 0
        while case let count = Glibc.send(descriptor, piece, piece.count, Int32(MSG_DONTWAIT)), count > 0 {
            sent += count
        }
        return sent
    }

    /// Half-closes: the other end reads to an end and may still write.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the end of this object a reset.
    func resetAtEnd() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    // MARK: Input

    /// The bytes of one call, at most `limit`; empty at the end.
    func read(atMost limit: Int = 64 << 10) throws -> [UInt8] {
        var failure: Int32?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let received = recv(descriptor, buffer.baseAddress, limit, 0)
            if received < 0 { failure = errno }
            count = max(received, 0)
        }
        if let failure { throw SystemCallError("recv", errno: failure) }
        return bytes
    }

    func read(exactly count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            let more = try read(atMost: min(count - bytes.count, 256 << 10))
            guard !more.isEmpty else { throw UnexpectedEnd() }
            bytes += more
        }
        return bytes
    }

    func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = try read(), !more.isEmpty { bytes += more }
        return bytes
    }

    /// Reads byte by byte, so that nothing behind `end` is lost.
    func readText(through end: String) throws -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { bytes += try read(exactly: 1) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
