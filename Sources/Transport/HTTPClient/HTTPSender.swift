/// Sends HTTP requests: ``HTTPClient`` to any server, the HTTP/2 client to servers that take many at once.
package protocol HTTPSender: AnyObject, Sendable {
    typealias Completion = @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void
    /// Called with the index of the request in the batch.
    typealias BatchCompletion = @Sendable (Int, Result<HTTPClientResponse, HTTPClientError>) -> Void

    /// The queue of completions.
    var completionQueue: SerialQueue { get }

    /// Sends a request once. The completion runs once.
    func send(_ request: HTTPClientRequest, completion: @escaping Completion)

    /// Sends each request of a batch once. The completion runs once for each request, in any order.
    func send(_ batch: HTTPRequestBatch, completion: @escaping BatchCompletion)

    /// Ends all requests with ``HTTPClientError/closed``, then closes all connections.
    func close(completion: @escaping @Sendable () -> Void)
}

extension HTTPSender {
    /// Sends them one by one.
    package func send(_ batch: HTTPRequestBatch, completion: @escaping BatchCompletion) {
        for index in 0..<batch.count {
            send(batch.request(at: index)) { result in completion(index, result) }
        }
    }
}

extension HTTPClient: HTTPSender {}
