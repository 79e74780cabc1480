/// The bytes of one run, as libFuzzer hands them over.
struct FuzzInput {
    let bytes: [UInt8]

    /// - Parameter start: nil where `count` is 0.
    init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        bytes = Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The first byte, for targets that choose their settings by it, and the rest; zero and nothing for no input.
    var selectorAndRest: (selector: UInt8, rest: [UInt8]) { (bytes.first ?? 0, Array(bytes.dropFirst())) }
}
