/// What both ends of a connection agreed on for permessage-deflate (RFC 7692 §7.1).
///
/// One byte, because it lies in every connection. The rest is the same for all: neither end keeps a context between
/// messages, and we inflate with the largest window, which reads every smaller one.
package struct DeflateAgreement: Sendable, Hashable {
    private let bits: UInt8

    /// The window that our compressor may use, as a power of two: 9...15.
    package var windowBits: Int { Int(bits) }

    package init(windowBits: Int) {
        precondition(Deflater.windows.contains(windowBits), "zlib makes no raw deflate of \(windowBits) window bits")
        bits = UInt8(windowBits)
    }
}
