import CLinux
import COpenSSL
import Glibc

/// The end of a session that writes: what the socket does not take at once waits here, so that the library never stops in
/// the middle of a record.
///
/// It could not go on from there: with a record half out, it fails at a peer's wish for new keys (RFC 8446 §4.6.3), which
/// it has to answer. Holds about a record at most, and only while the socket is full.
final class TLSOutput {
    /// A peer that takes nothing and asks for new keys again and again must not fill our memory with the answers.
    private static let maximumBytes = 64 << 10

    private let descriptor: Int32
    private var waiting: [UInt8] = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    var isEmpty: Bool { waiting.isEmpty }

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

    /// A BIO that writes here, owned by the caller; this object must outlive it.
    func makeBIO() -> OpaquePointer? {
        guard let bio = BIO_new(OpaquePointer(bitPattern: Self.method)) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    /// The kind of BIO, as an address; made once and never changed.
    private static let method: UInt = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "belfry") else { return 0 }
        BIO_meth_set_write_ex(method) { bio, start, count, written in
            guard let bio, let this = BIO_get_data(bio) else { return 0 }
            let output = Unmanaged<TLSOutput>.fromOpaque(this).takeUnretainedValue()
            guard output.write(UnsafeRawBufferPointer(start: start, count: count)) else { return 0 }
            written?.pointee = count
            return 1
        }
        // Asked for flushing only, which is ours.
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return UInt(bitPattern: method)
    }()
}
