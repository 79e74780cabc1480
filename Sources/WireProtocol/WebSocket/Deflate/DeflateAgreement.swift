/// The agreement of both ends of a connection on permessage-deflate (RFC 7692 §7.1).
///
/// One byte, because every connection holds one. The other terms are the same for all: neither end keeps a context
/// between messages, and this end inflates with the largest window, which reads every smaller one.
package struct DeflateAgreement: Sendable, Hashable {
    private let bits: UInt8

    /// The window that this end's compressor may use, as a power of two: 9...15.
    package var windowBits: Int { Int(bits) }

    package init(windowBits: Int) {
        precondition(Deflater.windows.contains(windowBits), "zlib makes no raw deflate of \(windowBits) window bits")
        bits = UInt8(windowBits)
    }
}
