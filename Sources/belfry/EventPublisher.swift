import ArgumentParser
import JSON
import Transport

/// Sends events to a server's local socket and prints what it answers.
struct EventPublisher {
    /// Longer than the server takes for a full portion on a slow disk.
    private static let timeout = Duration.seconds(60)

    private let socketPath: String
    private let client: HTTPClient

    init(socketPath: String) throws {
        self.socketPath = socketPath
        client = try HTTPClient()
    }

    /// True if all events of the portion were accepted.
    func publish(_ portion: EventInput.Portion) async throws -> Bool {
        let response: HTTPClientResponse
        switch portion {
        case .lines(let bytes): response = try await post(bytes, as: "application/x-ndjson")
        case .document(let bytes): response = try await post(bytes, as: "application/json")
        }
        let answers = Self.answers(in: response.body)
        for answer in answers { Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        if answers.isEmpty { Terminal.complain("the server answered with status \(response.status)") }
        return response.status < 300 && !answers.isEmpty && !answers.contains(where: Self.isRefusal)
    }

    private func post(_ body: [UInt8], as type: String) async throws -> HTTPClientResponse {
        let request = HTTPClientRequest(
            method: "POST", url: "http://localhost/v1/events", headers: [("Content-Type", type)], body: body,
            timeout: Self.timeout, socketPath: socketPath)
        let result = await withCheckedContinuation { continuation in
            client.send(request) { continuation.resume(returning: $0) }
        }
        switch result {
        case .success(let response): return response
        case .failure(let error):
            Terminal.complain("\(socketPath): \(Self.advice(for: error))")
            throw ExitCode.failure
        }
    }

    /// One answer, an array of them, or one a line.
    private static func answers(in body: [UInt8]) -> [JSONValue] {
        // Several lines are no document, and a server's answer that is neither is told by its status.
        if let document = try? JSONValue(parsing: body) { return document.array ?? [document] }
        return body.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONValue(parsing: Array($0)) }
    }

    /// Problems carry their status (RFC 9457 §3.1); results have none.
    private static func isRefusal(_ answer: JSONValue) -> Bool { answer.object?["status"]?.int ?? 0 >= 400 }

    private static func advice(for error: HTTPClientError) -> String {
        switch error {
        case .timedOut: "the server did not answer in time; the events may have been accepted"
        case .transport(_, let message): "\(message); is the server running, and may you use its socket?"
        case .overloaded, .tooLarge, .closed: "the exchange was cut short; the events may have been accepted"
        }
    }
}
