/// zlib had no memory for a compressor or a decompressor.
package struct DeflateMemoryFailure: Error, Sendable, Hashable {
    /// The approximate number of bytes that it needs.
    package let neededBytes: Int
}
