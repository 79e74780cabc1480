/// Whatever sends HTTP requests: ``HTTPClient`` to any server, the HTTP/2 client to those that take many at once.
package protocol HTTPSender: AnyObject, Sendable {
    /// Sends a request once. The completion runs once, on any queue.
    func send(
        _ request: HTTPClientRequest,
        completion: @escaping @Sendable (Result<HTTPClientResponse, HTTPClientError>) -> Void)

    /// Ends all requests with ``HTTPClientError/closed``, then closes all connections.
    func close(completion: @escaping @Sendable () -> Void)
}

extension HTTPClient: HTTPSender {}
