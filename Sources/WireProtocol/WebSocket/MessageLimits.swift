/// The limits of accepted messages.
struct MessageLimits: Sendable {
    /// The maximum for inflating, because zlib counts its input in 32 bits.
    private static let highest = 2 << 30

    // Kept small, because every connection holds one.
    private let bytes: UInt32
    let acceptsBinary: Bool

    /// - Parameter maximumMessageBytes: values above 2 GiB count as 2 GiB.
    init(maximumMessageBytes: Int, acceptsBinary: Bool) {
        bytes = UInt32(max(0, min(maximumMessageBytes, Self.highest)))
        self.acceptsBinary = acceptsBinary
    }

    var maximumMessageBytes: Int { Int(bytes) }
}
