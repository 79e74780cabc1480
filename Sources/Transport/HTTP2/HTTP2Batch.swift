/// Requests on their way to the shard, with the completion. A class, because each request refers to it.
final class HTTP2Batch: Sendable {
    let requests: HTTPRequestBatch
    let deadline: ContinuousClock.Instant
    let completion: HTTPSender.BatchCompletion

    init(
        _ requests: HTTPRequestBatch, deadline: ContinuousClock.Instant,
        completion: @escaping HTTPSender.BatchCompletion
    ) {
        self.requests = requests
        self.deadline = deadline
        self.completion = completion
    }

    /// Ends all requests without an answer.
    func fail(_ error: HTTPClientError) {
        for index in 0..<requests.count { completion(index, .failure(error)) }
    }
}

extension HTTPRequestBatch {
    /// A batch of a single request.
    init(_ request: HTTPClientRequest) {
        let url = request.socketPath == nil ? HTTP2URL(request.url) : nil
        self.init(
            method: request.method,
            // An invalid URL becomes an empty origin, which is refused later.
            origin: url.map { "https://" + $0.authority } ?? "",
            timeout: request.timeout, wantsHeadersOfSuccess: request.wantsHeadersOfSuccess)
        path("", url.map { String($0.path) } ?? "")
        for (name, value) in request.headers { header(name, value) }
        body { $0 += request.body }
    }
}
