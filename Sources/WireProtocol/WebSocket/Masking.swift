/// The masking of client payloads (RFC 6455 §5.3), which undoes itself.
///
/// Eight bytes at a time, because every byte that a client ever sends passes here.
enum Masking {
    /// Copies `source` to `target`, which must have room, masking it.
    ///
    /// - Parameters:
    ///   - key: as a big-endian number.
    ///   - offset: how many bytes of the payload came before `source`.
    static func copy(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer, key: UInt32, offset: Int = 0
    ) {
        precondition(target.count >= source.count)
        // The key's byte for the first byte of `source` comes lowest, and so first in memory as little-endian.
        let turn = UInt32(offset & 3) * 8
        let half = key.byteSwapped >> turn | key.byteSwapped << ((32 - turn) & 31)
        let word = UInt64(half) << 32 | UInt64(half)
        let wordEnd = source.count & ~7
        for index in stride(from: 0, to: wordEnd, by: 8) {
            let masked = source.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word.littleEndian
            target.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
        }
        for index in wordEnd..<source.count {
            target[index] = source[index] ^ UInt8(truncatingIfNeeded: half >> UInt32((index & 3) * 8))
        }
    }
}
