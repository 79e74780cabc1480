/// How the network may cut the same bytes.
enum Chunking: CaseIterable {
    case whole
    case byteByByte
    /// In pieces of 1 to 40 bytes. The bytes themselves choose, so that an input alone reproduces what it did.
    case random

    func cut(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        switch self {
        case .whole: return [bytes[...]]
        case .byteByByte: return bytes.indices.map { bytes[$0...$0] }
        case .random:
            var random = SeededRandom(
                seed: bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
            var chunks: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = 1 + random.next(below: 40)
                chunks.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            return chunks
        }
    }
}

extension Collection<UInt8> {
    /// These bytes in a block of memory of their own, so that the address sanitizer sees each step beyond them.
    func withOwnMemory<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { memory.deallocate() }
        memory.copyBytes(from: self)
        return body(UnsafeRawBufferPointer(memory))
    }
}
