import JSON

@testable import WireProtocol

/// A client's frames of the live protocol: read as the plain reader does; what is understood survives being written,
/// what is not gets an answer.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzClientFrame(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count).bytes
    let outcome = read(input)
    if let value = try? JSONValue(parsing: input) {
        claimEqual(outcome, PlainFrameReader.read(value), "a frame is read differently by us and the plain reader")
    }
    switch outcome {
    case .success(let frame):
        if let id = frame.id { claim((try? JSONValue(parsing: id)) != nil, "an id that is no JSON") }
        // Of an unknown type nothing but its name is kept.
        claimEqual(read(frame.encoded), .success(frame), "a frame that changes when written")
    case .failure(let problem):
        guard case .object(let answer) = try? JSONValue(parsing: answer(to: problem)) else {
            fatalError("an answer that is no JSON object")
        }
        claimEqual(answer["type"]?.string, "error", "an answer of another type")
        claimEqual(answer["id"], problem.id.flatMap { try? JSONValue(parsing: $0) }, "an answer to another frame")
    }
    return 0
}

private func answer(to problem: ClientFrameProblem) -> [UInt8] {
    ServerFrame.error(id: problem.id, problem.code, message: problem.message)
}

private func read(_ bytes: [UInt8]) -> Result<ClientFrame, ClientFrameProblem> {
    bytes.withOwnMemory { bytes in
        Result { () throws(ClientFrameProblem) in try ClientFrame(parsing: bytes) }
    }
}
