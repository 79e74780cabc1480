import Dispatch
import Synchronization

@testable import Transport

/// A network whose answers a test gives.
final class ScriptedHTTP: HTTPSender {
    struct Call: Sendable {
        let request: HTTPClientRequest
        let answer: @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    }

    let completionQueue = SerialQueue.dispatch(DispatchQueue(label: "test.http"))
    /// The sent requests, one by one.
    let calls: AsyncStream<Call>
    private let report: AsyncStream<Call>.Continuation

    init() { (calls, report) = AsyncStream.makeStream() }

    func send(
        _ request: HTTPClientRequest,
        completion: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) { report.yield(Call(request: request, answer: completion)) }

    /// Answers a call with a whole response.
    static func respond(to call: Call, _ status: Int, _ body: String = "") {
        call.answer(.success(HTTPClientResponse(status: status, headers: [], body: Array(body.utf8))))
    }

    func close(completion: @escaping @Sendable () -> Void) { completion() }
}
