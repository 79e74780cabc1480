import CLinux
import COpenSSL
import Glibc

/// The socket that a session reads from and writes to. Bytes that the socket does not take at once wait here, so that
/// the library never stops in the middle of a record.
///
/// With half a record sent, the library fails when a peer asks for new keys (RFC 8446 §4.6.3), because it must answer.
/// Holds at most about a record, and only while the socket is full.
final class TLSSocket {
    /// A limit for answers to a peer that takes nothing and asks for new keys again and again.
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

    /// Sends waiting bytes, as far as the socket takes them.
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

    /// - Returns: false if the socket has failed, or too much waits; errno tells which.
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

    // MARK: The view of libssl

    /// A BIO for both directions, owned by the caller; this object must outlive it. A second BIO would take two hundred
    /// bytes more.
    func makeBIO() -> OpaquePointer? {
        guard let bio = BIO_new(OpaquePointer(bitPattern: Self.method)) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    private static func of(_ bio: OpaquePointer?) -> TLSSocket? {
        BIO_get_data(bio).map { Unmanaged<TLSSocket>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The flags of an earlier call, which do not apply to this one.
    private static let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY

    /// The method of the BIO, as a number; made once and never changed.
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
            // Always succeeds: ``drain()`` sends waiting bytes.
            case BIO_CTRL_FLUSH: 1
            case BIO_CTRL_EOF: BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0
            default: 0
            }
        }
        return UInt(bitPattern: method)
    }()
}
