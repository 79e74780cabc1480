/// Octets that stay in their place in memory until others replace them. nghttp2 gets their address, and an unchanged
/// text need not be copied again.
final class HTTP2StableText {
    private var room: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ octets: UnsafeBufferPointer<UInt8>) {
        room = .allocate(capacity: octets.count)
        replace(with: octets)
    }

    convenience init(_ text: String) {
        self.init(UnsafeBufferPointer(start: nil, count: 0))
        replace(with: text)
    }

    deinit { room.deallocate() }

    /// The address of the octets; valid until the next ``replace(with:)``.
    var start: UnsafeMutablePointer<UInt8>? { room.baseAddress }

    /// Compares octet by octet, because `==` takes two spellings of a letter for the same.
    func holds(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
        UnsafeBufferPointer(start: room.baseAddress, count: count).holdsSame(as: octets)
    }

    func holds(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(holds)
    }

    func replace(with octets: UnsafeBufferPointer<UInt8>) {
        makeRoom(octets.count)
        if let ours = room.baseAddress, let theirs = octets.baseAddress {
            ours.update(from: theirs, count: octets.count)
        }
        count = octets.count
    }

    func replace(with text: String) {
        var text = text
        text.withUTF8(replace)
    }

    private func makeRoom(_ count: Int) {
        guard count > room.count else { return }
        room.deallocate()
        room = .allocate(capacity: max(count, 2 * room.count))
    }
}
