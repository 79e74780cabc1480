import ArgumentParser
import JSON
import Transport

/// Sends events to a server's local socket and prints what it answers.
struct EventPublisher {
    /// Longer than the server takes for a full portion on a slow disk.
    private static let timeout = Duration.seconds(60)

    private let socketPath: String
    private let client: HTTPClient
    /// So far, in all portions.
    private var answered = 0

    init(socketPath: String) throws {
        self.socketPath = socketPath
        client = try HTTPClient()
    }

    /// True if all events of the portion were accepted.
    ///
    /// What the server answered before its connection was lost is printed, too.
    mutating func publish(_ portion: EventInput.Portion) async throws -> Bool {
        let result =
            switch portion {
            case .lines(let bytes): await post(bytes, as: "application/x-ndjson")
            case .document(let bytes): await post(bytes, as: "application/json")
            }
        switch result {
        case .success(let response):
            let answers = take(response.body)
            if answers.isEmpty { Terminal.complain("the server answered with status \(response.status)") }
            return response.status < 300 && !answers.isEmpty && !answers.contains(where: Self.isRefusal)
        case .failure(let error):
            var open = portion.count
            if case .cutShort(let body) = error {
                // The last line may be half of one.
                open -= take(body.lastIndex(of: UInt8(ascii: "\n")).map { Array(body[...$0]) } ?? []).count
            }
            Terminal.complain("\(socketPath): \(Self.advice(for: error))")
            if answered > 0 || error.mayHaveArrived { Terminal.complain(balance(open: open, after: error)) }
            throw ExitCode.failure
        }
    }

    private func post(_ body: [UInt8], as type: String) async -> Result<HTTPClientResponse, HTTPClientError> {
        let request = HTTPClientRequest(
            method: "POST", url: "http://localhost/v1/events", headers: [("Content-Type", type)], body: body,
            timeout: Self.timeout, socketPath: socketPath)
        return await withCheckedContinuation { continuation in
            client.send(request) { continuation.resume(returning: $0) }
        }
    }

    /// Prints a response's answers, and counts them.
    private mutating func take(_ body: [UInt8]) -> [JSONValue] {
        let answers = Self.answers(in: body)
        for answer in answers { Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        answered += answers.count
        return answers
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
        case .timedOut: "the server did not answer in time"
        case .transport: "\(error); is the server running, and may you use its socket?"
        case .cutShort: "the server went away before it had answered everything"
        case .overloaded, .tooLarge, .closed: error.description
        }
    }

    /// What whoever sends the rest has to know.
    private func balance(open: Int, after error: HTTPClientError) -> String {
        let fate = error.mayHaveArrived ? "may have been taken in" : "did not get there"
        return
            "events answered: \(answered); sent and not answered: \(open), which \(fate). What follows these was not "
            + "sent. To send all of it again is safe for events that have a key: each counts once."
    }
}
