@testable import WireProtocol

/// `Sec-WebSocket-Extensions` of either side, a field a line: what a server answers, a client of ours understands.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzDeflateNegotiation(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: FuzzInput(start, count).bytes, as: UTF8.self)
    let fields = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for windowBits in [9, 15] {
        let settings = DeflateSettings(thresholdBytes: 0, level: 1, windowBits: windowBits)
        let choice = accept(fields, settings)
        // RFC 9110 §5.3.
        claimEqual(accept([fields.joined(separator: ", ")], settings), choice, "two lines differ from one list")
        if case .success(let choice?) = choice { judge(choice, settings) }
        if let agreement = try? DeflateNegotiation.read(response: fields, settings: settings) {
            claim((9...windowBits).contains(agreement.windowBits), "a window that was not set")
        }
    }
    return 0
}

private struct Choice: Equatable {
    let agreement: DeflateAgreement
    let responseValue: String
}

private func accept(_ offers: [String], _ settings: DeflateSettings) -> Result<Choice?, ExtensionListViolation> {
    Result { () throws(ExtensionListViolation) in
        try DeflateNegotiation.accept(offers: offers, settings: settings).map {
            Choice(agreement: $0.agreement, responseValue: $0.responseValue)
        }
    }
}

private func judge(_ choice: Choice, _ settings: DeflateSettings) {
    claim((9...settings.windowBits).contains(choice.agreement.windowBits), "a window that was not set")
    let largest = DeflateSettings(thresholdBytes: 0, level: 1, windowBits: 15)
    let reading = Result { () throws(DeflateResponseViolation) in
        try DeflateNegotiation.read(response: [choice.responseValue], settings: largest)
    }
    // The server's window limits the server; of the client's it says nothing.
    claimEqual(reading, .success(DeflateAgreement(windowBits: 15)), "an answer that a client cannot take")
}
