@testable import WireProtocol

/// The header that a proxy puts before a connection's bytes: read in one way only, and not one byte beyond it.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzProxyHeader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count).bytes
    let whole = outcome(of: input, cut: .whole)
    for chunking in [Chunking.byteByByte, .random] {
        claimEqual(outcome(of: input, cut: chunking), whole, "the cuts change what is read")
    }
    guard case .success(let reading?) = whole else { return 0 }
    let length = 16 + Int(input[14]) << 8 + Int(input[15])
    claimEqual(reading.bytesTaken, length, "a header of another length than it says")
    claim(input.starts(with: [13, 10, 13, 10, 0, 13, 10] + Array("QUIT\n".utf8)), "a header without the signature")
    claim(input[12] >> 4 == 2, "a header of another version")
    switch (input[12] & 0xF, input[13] >> 4, reading.header) {
    case (0, _, .local): break
    case (1, 1, .proxied(let address?)): claim(address.isV4, "an IPv4 address that is none")
    case (1, 2, .proxied(_?)): break
    case (1, 0, .proxied(nil)), (1, 3..., .proxied(nil)): break
    case (_, _, _): fatalError("a header of another kind than it says: \(reading.header)")
    }
    return 0
}

private struct Reading: Equatable {
    let header: ProxyHeader
    let bytesTaken: Int
}

/// - Returns: nil while bytes are missing.
private func outcome(of bytes: [UInt8], cut chunking: Chunking) -> Result<Reading?, ProxyViolation> {
    var reader = ProxyHeaderReader()
    var bytesTaken = 0
    do throws(ProxyViolation) {
        for chunk in chunking.cut(bytes) {
            let step = chunk.withOwnMemory { chunk in
                Result { () throws(ProxyViolation) in try reader.take(chunk) }
            }
            let (header, taken) = try step.get()
            claim(taken <= chunk.count, "more was taken than came")
            bytesTaken += taken
            if let header { return .success(Reading(header: header, bytesTaken: bytesTaken)) }
            claim(taken == chunk.count && reader.bytesWanted > 0, "bytes of the header were left")
        }
        return .success(nil)
    } catch {
        return .failure(error)
    }
}
