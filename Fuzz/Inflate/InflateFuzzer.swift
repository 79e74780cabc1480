import CZlib

@testable import WireProtocol

/// Compressed messages of a hostile peer: inflated in one way only, as plain zlib does it, and never beyond the limit.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzInflate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count).bytes
    guard let inflater = try? Inflater() else { fatalError("no memory for an inflater") }
    let whole = inflater.message(in: [input[...]], maximumBytes: 40 << 10)
    for chunking in Chunking.allCases {
        claimEqual(
            inflater.message(in: chunking.cut(input), maximumBytes: 40 << 10), whole, "the cuts change what is inflated"
        )
    }
    guard case .success(let message) = whole else { return 0 }
    claimEqual(PlainZlib.inflate(input + Deflater.trailer, windowBits: 15), message, "zlib inflates something else")
    claimEqual(
        inflater.message(in: [input[...]], maximumBytes: message.count), whole, "a message as large as the limit fails")
    guard !message.isEmpty else { return 0 }
    claimEqual(
        inflater.message(in: [input[...]], maximumBytes: message.count - 1), .failure(.messageTooBig),
        "a message larger than the limit")
    return 0
}
