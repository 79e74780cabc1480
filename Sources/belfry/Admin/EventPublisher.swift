import ArgumentParser
import Inbox
import JSON
import Transport

/// Sends events to a server's local socket and prints the answers.
struct EventPublisher {
    /// Longer than the server needs for a full portion on a slow disk.
    private static let timeout = Duration.seconds(60)

    private let socketPath: String
    private let url: String
    private let client: HTTPClient
    /// The number of answers so far, in all portions.
    private var answered = 0

    /// - Parameter app: the events'; nil if their types tell it.
    init(socketPath: String, app: AppName?) throws {
        self.socketPath = socketPath
        url = "http://localhost/v1/events" + (app.map { "?app=\($0.text)" } ?? "")
        client = try HTTPClient()
    }

    /// True if all events of the portion were accepted.
    ///
    /// Answers that came before the connection was lost are printed, too.
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
                // The last line may be incomplete.
                open -= take(body.lastIndex(of: UInt8(ascii: "\n")).map { Array(body[...$0]) } ?? []).count
            }
            Terminal.complain("\(socketPath): \(Self.advice(for: error))")
            if answered > 0 || error.mayHaveArrived { Terminal.complain(balance(open: open, after: error)) }
            throw ExitCode.failure
        }
    }

    private func post(_ body: [UInt8], as type: String) async -> Result<HTTPClientResponse, HTTPClientError> {
        let request = HTTPClientRequest(
            method: "POST", url: url, headers: [("Content-Type", type)], body: body,
            timeout: Self.timeout, socketPath: socketPath)
        return await withCheckedContinuation { continuation in
            client.send(request) { continuation.resume(returning: $0) }
        }
    }

    /// Prints and counts a response's answers.
    private mutating func take(_ body: [UInt8]) -> [JSONValue] {
        let answers = Self.answers(in: body)
        for answer in answers { Terminal.print(String(decoding: answer.encoded, as: UTF8.self)) }
        answered += answers.count
        return answers
    }

    /// Reads one answer, an array of them, or one a line.
    private static func answers(in body: [UInt8]) -> [JSONValue] {
        // Several lines are no document. An answer that is neither is told by its status.
        if let document = try? JSONValue(parsing: body) { return document.array ?? [document] }
        return body.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONValue(parsing: Array($0)) }
    }

    /// Whether the answer is a problem: those have a status (RFC 9457 §3.1), results do not.
    private static func isRefusal(_ answer: JSONValue) -> Bool { answer.object?["status"]?.int ?? 0 >= 400 }

    private static func advice(for error: HTTPClientError) -> String {
        switch error {
        case .timedOut: "the server did not answer in time"
        case .transport: "\(error); is the server running, and may you use its socket?"
        case .cutShort: "the server went away before it had answered everything"
        case .overloaded, .tooLarge, .closed: error.description
        }
    }

    /// Advice for a person who sends the rest.
    private func balance(open: Int, after error: HTTPClientError) -> String {
        let fate = error.mayHaveArrived ? "may have been taken in" : "did not get there"
        return
            "events answered: \(answered); sent and not answered: \(open), which \(fate). What follows these was not "
            + "sent. To send all of it again is safe for events that have a key: each counts once."
    }
}
