import Testing

@testable import WireProtocol

struct MaskingTests {
    /// RFC 6455 §5.3, word for word.
    func slowlyMasked(_ bytes: [UInt8], key: UInt32, offset: Int) -> [UInt8] {
        let octets = [24, 16, 8, 0].map { UInt8(key >> UInt32($0) & 0xFF) }
        return bytes.indices.map { bytes[$0] ^ octets[(offset + $0) % 4] }
    }

    func masked(_ bytes: [UInt8], key: UInt32, offset: Int) -> [UInt8] {
        var bytes = bytes
        bytes.withUnsafeMutableBytes { Masking.apply(key, to: $0, offset: offset) }
        return bytes
    }

    @Test(arguments: 0...9, [0x3761_84B2, 0x0102_0304, 0xFF00_00FF, 0] as [UInt32])
    func `masks like its slow twin at every offset and length`(_ offset: Int, key: UInt32) {
        for count in 0...67 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
            let result = masked(bytes, key: key, offset: offset)
            #expect(result == slowlyMasked(bytes, key: key, offset: offset), "\(count) bytes")
            #expect(masked(result, key: key, offset: offset) == bytes)
        }
    }

    @Test(arguments: 0...8)
    func `reads and writes where words do not begin, and nothing around`(_ start: Int) {
        let bytes = [UInt8](0...63)
        var target = bytes
        target.withUnsafeMutableBytes { target in
            Masking.apply(0x0A0B_0C0D, to: UnsafeMutableRawBufferPointer(rebasing: target[start..<60]))
        }
        var expected = bytes
        expected.replaceSubrange(start..<60, with: slowlyMasked(Array(bytes[start..<60]), key: 0x0A0B_0C0D, offset: 0))
        #expect(target == expected)
    }
}
