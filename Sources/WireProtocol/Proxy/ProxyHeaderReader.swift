/// Reads the binary header that a proxy puts before a connection's bytes: the PROXY protocol, version 2 (HAProxy,
/// "proxy-protocol.txt", §2.2), however the network cuts it.
///
/// Takes exactly the bytes of the header: those behind it are the client's, perhaps TLS.
package struct ProxyHeaderReader: Sendable {
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// The beginning of the text form (§2.1).
    private static let version1 = Array("PROXY ".utf8)
    private static let fixedBytes = 16
    /// Room for the longest address, a Unix socket's 216 bytes, and for many fields behind it (type, length, value),
    /// with clients' certificates. 64 KiB are possible, but no header in use is that long.
    private static let maximumBytes = 4 << 10

    private var bytes: [UInt8] = []

    package init() {}

    /// The most bytes to read next; 0 once the header is complete.
    package var bytesWanted: Int { length - bytes.count }

    /// The length of the whole header, as far as it is known.
    private var length: Int {
        bytes.count < Self.fixedBytes ? Self.fixedBytes : Self.fixedBytes + Int(bytes[14]) << 8 + Int(bytes[15])
    }

    /// Takes at most ``bytesWanted`` bytes from the front of `more`.
    ///
    /// - Returns: the header once it is complete, and the number of bytes taken.
    /// - Throws: as soon as the header cannot become valid.
    package mutating func take(
        _ more: UnsafeRawBufferPointer
    ) throws(ProxyViolation) -> (header: ProxyHeader?, taken: Int) {
        var taken = 0
        while bytesWanted > 0, taken < more.count {
            let piece = more[taken..<min(more.count, taken + bytesWanted)]
            bytes.append(contentsOf: piece)
            taken += piece.count
            try judge()
        }
        return (bytesWanted == 0 ? try header() : nil, taken)
    }

    /// Checks the bytes so far, before more are read.
    private func judge() throws(ProxyViolation) {
        guard bytes.starts(with: Self.signature.prefix(bytes.count)) else {
            // Told apart only after enough bytes, so that the cuts do not change the error.
            guard bytes.starts(with: Self.version1.prefix(bytes.count)) else { throw .missing }
            guard bytes.count < Self.version1.count else { throw .version1 }
            return
        }
        guard bytes.count >= Self.fixedBytes else { return }
        guard bytes[12] >> 4 == 2 else { throw .unknownVersion }
        guard bytes[12] & 0xF <= 1 else { throw .unknownCommand }
        guard length <= Self.maximumBytes else { throw .tooLong }
    }

    private func header() throws(ProxyViolation) -> ProxyHeader {
        // LOCAL: addresses in the header must be ignored.
        guard bytes[12] & 0xF == 1 else { return .local }
        let block = bytes[Self.fixedBytes...]
        switch bytes[13] >> 4 {
        case 1:
            guard block.count >= 12 else { throw .tooShort }
            return .proxied(IPAddress(v4: UInt32(truncatingIfNeeded: Self.number(block.prefix(4)))))
        case 2:
            guard block.count >= 36 else { throw .tooShort }
            return .proxied(
                IPAddress(high: Self.number(block.prefix(8)), low: Self.number(block.dropFirst(8).prefix(8))))
        case 3:
            guard block.count >= 216 else { throw .tooShort }
            return .proxied(nil)
        case _:
            return .proxied(nil)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
