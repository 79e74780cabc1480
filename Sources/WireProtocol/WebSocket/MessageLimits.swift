/// Which messages are taken.
struct MessageLimits: Sendable {
    /// More cannot be inflated: zlib counts its input in 32 bits.
    private static let highest = 2 << 30

    // Every connection keeps these, so they lie in as few bytes as they need.
    private let bytes: UInt32
    let acceptsBinary: Bool

    /// - Parameter maximumMessageBytes: above 2 GiB it is 2 GiB.
    init(maximumMessageBytes: Int, acceptsBinary: Bool) {
        bytes = UInt32(max(0, min(maximumMessageBytes, Self.highest)))
        self.acceptsBinary = acceptsBinary
    }

    var maximumMessageBytes: Int { Int(bytes) }
}
