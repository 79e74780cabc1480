import Glibc

/// Octets that stay in their place in memory until others replace them: nghttp2 is shown where they are, and a text that is
/// the same as the last time need not be copied again.
final class HTTP2StableText {
    private var room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ text: String) {
        room = .allocate(capacity: text.utf8.count)
        replace(with: text)
    }

    deinit { room.deallocate() }

    /// Where they are; good until the next ``replace(with:)``.
    var start: UnsafeMutablePointer<UInt8>? { room.baseAddress }

    /// Octet by octet, and not as `==`, for which two spellings of a letter are the same.
    func holds(_ text: some StringProtocol) -> Bool {
        let isSame = text.utf8.withContiguousStorageIfAvailable { other in
            guard other.count == count else { return false }
            guard count > 0, let ours = room.baseAddress, let theirs = other.baseAddress else { return true }
            return memcmp(ours, theirs, count) == 0
        }
        return isSame ?? text.utf8.elementsEqual(room.prefix(count))
    }

    func replace(with text: some StringProtocol) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable { other in
            makeRoom(other.count)
            if let ours = room.baseAddress, let theirs = other.baseAddress {
                ours.update(from: theirs, count: other.count)
            }
            count = other.count
        }
        if isDone == nil { replace(with: String(decoding: Array(text.utf8), as: UTF8.self)) }
    }

    private func makeRoom(_ count: Int) {
        guard count > room.count else { return }
        room.deallocate()
        room = .allocate(capacity: max(count, 2 * room.count))
    }
}
