/// The masking of client payloads (RFC 6455 §5.3); masking twice restores the bytes.
///
/// Up to 32 bytes at a time, because every byte from a client passes here.
enum Masking {
    /// Masks `bytes` in place.
    ///
    /// - Parameters:
    ///   - key: as a big-endian number.
    ///   - offset: the number of payload bytes before these.
    static func apply(_ key: UInt32, to bytes: UnsafeMutableRawBufferPointer, offset: Int = 0) {
        // The key's byte for the first byte is lowest, and so first in little-endian memory.
        let turn = UInt32(offset & 3) * 8
        let half = key.byteSwapped >> turn | key.byteSwapped << ((32 - turn) & 31)
        let word = (UInt64(half) << 32 | UInt64(half)).littleEndian
        let words = SIMD4<UInt64>(repeating: word)
        var index = 0
        while index + 32 <= bytes.count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self) ^ words
            bytes.storeBytes(of: masked, toByteOffset: index, as: SIMD4<UInt64>.self)
            index += 32
        }
        while index + 8 <= bytes.count {
            let masked = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
            bytes.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: half >> UInt32((index & 3) * 8))
            index += 1
        }
    }
}
