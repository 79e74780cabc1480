package import Logging
import Push
package import Transport

/// Carries requests to one push service, and its replies back.
package final class ProviderClient: Sendable {
    /// Longer than any service takes, and shorter than a job's lease.
    package static let timeout = Duration.seconds(20)

    private let name: String
    private let http: any HTTPSender
    private let logger: Logger
    private let timeout: Duration

    /// - Parameters:
    ///   - name: the service's, for the log.
    ///   - http: for this provider alone, so that it cannot hold up another.
    package init(
        name: String, http: any HTTPSender, logger: Logger, timeout: Duration = ProviderClient.timeout
    ) {
        self.name = name
        self.http = http
        self.logger = logger
        self.timeout = timeout
    }

    var completionQueue: SerialQueue { http.completionQueue }

    /// Sends a request once. The completion runs once, on ``completionQueue``.
    func send(_ request: PushRequest, completion: @escaping @Sendable (Result<PushReply, NoAnswer>) -> Void) {
        let call = HTTPClientRequest(
            method: request.method, url: request.url, headers: request.headers, body: request.body,
            timeout: timeout,
            // Headers matter only for failures: the reason, and when to try again.
            wantsHeadersOfSuccess: false)
        http.send(call) { [self] result in completion(reply(result)) }
    }

    /// An empty batch, to be filled with requests and sent.
    ///
    /// - Parameter base: the URL before each request's path, with the scheme.
    func batch(method: String, to base: String, expecting count: Int) -> HTTPRequestBatch {
        let (origin, path) = BaseURL.parts(of: base)
        return HTTPRequestBatch(
            method: method, origin: origin, basePath: path, timeout: timeout, wantsHeadersOfSuccess: false,
            expecting: count)
    }

    /// Sends each request of a batch once. The completion runs once for each, on ``completionQueue``, with its index in
    /// the batch.
    func send(
        _ batch: HTTPRequestBatch, completion: @escaping @Sendable (Int, Result<PushReply, NoAnswer>) -> Void
    ) {
        http.send(batch) { [self] index, result in completion(index, reply(result)) }
    }

    private func reply(_ result: Result<HTTPClientResponse, HTTPClientError>) -> Result<PushReply, NoAnswer> {
        switch result {
        case .success(let response):
            return .success(PushReply(status: response.status, headers: response.headers, body: response.body))
        case .failure(let error):
            let cause = NoAnswer(reason: reason(error))
            // For each single request: the lane reports an outage once.
            logger.debug("\(name) did not answer", metadata: ["reason": "\(cause.reason)"])
            return .failure(cause)
        }
    }

    private func reason(_ error: HTTPClientError) -> String {
        switch error {
        case .timedOut: "no answer within \(timeout.components.seconds) s"
        // The client's general words, which name neither an address nor a request.
        case .overloaded, .transport, .cutShort, .tooLarge, .closed: error.description
        }
    }

    func close(completion: @escaping @Sendable () -> Void) { http.close(completion: completion) }
}

extension HTTPRequestBatch: PushRequestWriter {}
