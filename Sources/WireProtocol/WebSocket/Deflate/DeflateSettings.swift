/// How this process compresses messages (RFC 7692).
package struct DeflateSettings: Sendable, Hashable {
    /// Messages shorter than this go uncompressed.
    package let thresholdBytes: Int
    /// 1 (fastest) to 9 (smallest).
    package let level: Int
    /// The largest window of this end's compressor, as a power of two: 9...15.
    package let windowBits: Int

    package init(thresholdBytes: Int, level: Int, windowBits: Int) {
        precondition(thresholdBytes >= 0, "a threshold counts bytes")
        precondition(Deflater.levels.contains(level), "zlib knows no compression level \(level)")
        precondition(Deflater.windows.contains(windowBits), "zlib makes no raw deflate of \(windowBits) window bits")
        self.thresholdBytes = thresholdBytes
        self.level = level
        self.windowBits = windowBits
    }
}
