@testable import WireProtocol

/// Our own compressed messages: inflate to what they were, alone, within the window that was agreed on.
///
/// The first byte chooses level, window, and whether the message is long; the rest is the message.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzDeflate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (selector, rest) = FuzzInput(start, count).selectorAndRest
    let level = 1 + Int(selector) % 9
    let windowBits = 9 + Int(selector) / 9 % 7
    // Longer than the smallest windows, with repetitions at every distance.
    let isLong = selector >= 128
    let message = isLong ? Array([[UInt8]](repeating: rest, count: 8).joined()) : rest
    guard let deflater = try? Deflater(level: level, windowBits: windowBits), let inflater = try? Inflater() else {
        fatalError("no memory for zlib")
    }
    let compressed = deflater.compressed(message)
    claimEqual(deflater.compressed(message), compressed, "the second message refers to the first")
    claim(compressed.count <= message.count + message.count / 64 + 64, "compression that makes much more of it")
    claimEqual(
        inflater.message(in: [compressed[...]], maximumBytes: message.count), .success(message),
        "a message that changes on the way")
    claimEqual(
        PlainZlib.inflate(compressed + Deflater.trailer, windowBits: Int32(windowBits)), message,
        "a message that a receiver with the agreed window cannot read")
    return 0
}

extension Deflater {
    fileprivate func compressed(_ message: [UInt8]) -> [UInt8] {
        var output: [UInt8] = [1, 2, 3]
        message.withOwnMemory { compress($0, into: &output) }
        claim(output.starts(with: [1, 2, 3]), "what was there is gone")
        return Array(output.dropFirst(3))
    }
}
