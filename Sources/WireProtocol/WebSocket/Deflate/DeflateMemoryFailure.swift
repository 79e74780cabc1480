/// zlib found no memory for a compressor or a decompressor.
package struct DeflateMemoryFailure: Error, Sendable, Hashable {
    /// How many bytes it needs, about.
    package let neededBytes: Int
}
