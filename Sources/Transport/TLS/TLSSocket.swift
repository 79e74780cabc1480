import CLinux
import COpenSSL
import Glibc

/// What a session reads from and writes to: its socket. What that does not take at once waits here, so that the library
/// never stops in the middle of a record.
///
/// It could not go on from there: with a record half out, it fails at a peer's wish for new keys (RFC 8446 §4.6.3),
/// which it has to answer. Holds about a record at most, and only while the socket is full.
final class TLSSocket {
    /// A peer that takes nothing and asks for new keys again and again must not fill our memory with the answers.
    private static let maximumBytes = 64 << 10

    private let descriptor: Int32
    private var waiting: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    var holdsOutput: Bool { !waiting.isEmpty }

    enum Outcome {
        case done
        case wouldBlock
        case failed(errno: Int32)
    }

    /// Sends what waits, as far as the socket takes it.
    func drain() -> Outcome {
        guard !waiting.isEmpty else { return .done }
        let count = waiting.withUnsafeBytes { belfry_send(descriptor, $0.baseAddress, $0.count) }
        guard count >= 0 else { return Self.isTemporary(errno) ? .wouldBlock : .failed(errno: errno) }
        guard count == waiting.count else {
            waiting.removeFirst(count)
            return .wouldBlock
        }
        waiting = []
        return .done
    }

    /// - Returns: false when the socket has failed, or too much waits; errno says what it was.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var sent = 0
        if waiting.isEmpty {
            sent = belfry_send(descriptor, bytes.baseAddress, bytes.count)
            if sent < 0 {
                guard Self.isTemporary(errno) else { return false }
                sent = 0
            }
        }
        guard waiting.count + bytes.count - sent <= Self.maximumBytes else {
            errno = ENOBUFS
            return false
        }
        waiting.append(contentsOf: bytes[sent...])
        return true
    }

    private static func isTemporary(_ code: Int32) -> Bool { code == EAGAIN || code == EINTR }

    // MARK: As libssl sees it

    /// A BIO for both directions, owned by the caller; this object must outlive it. A second one would take another two
    /// hundred bytes.
    func makeBIO() -> OpaquePointer? {
        guard let bio = BIO_new(OpaquePointer(bitPattern: Self.method)) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    private static func of(_ bio: OpaquePointer?) -> TLSSocket? {
        BIO_get_data(bio).map { Unmanaged<TLSSocket>.fromOpaque($0).takeUnretainedValue() }
    }

    /// That an earlier call is to be made again says nothing about this one.
    private static let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

    /// The kind of BIO, as an address; made once and never changed.
    private static let method: UInt = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "belfry") else { return 0 }
        BIO_meth_set_read_ex(method) { bio, start, count, taken in
            guard let socket = TLSSocket.of(bio) else { return 0 }
            BIO_clear_flags(bio, TLSSocket.retryFlags)
            let result = recv(socket.descriptor, start, count, 0)
            if result < 0, TLSSocket.isTemporary(errno) {
                BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
            } else if result == 0 {
                BIO_set_flags(bio, BIO_FLAGS_IN_EOF)
            }
            guard result > 0 else { return Int32(result) }
            taken?.pointee = result
            return 1
        }
        BIO_meth_set_write_ex(method) { bio, start, count, written in
            guard let socket = TLSSocket.of(bio) else { return 0 }
            BIO_clear_flags(bio, TLSSocket.retryFlags)
            guard socket.write(UnsafeRawBufferPointer(start: start, count: count)) else { return 0 }
            written?.pointee = count
            return 1
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            // Ours, and done at once.
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0
            default: 0
            }
        }
        return UInt(bitPattern: method)
    }()
}
