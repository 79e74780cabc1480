@testable import Transport

extension HTTP2Exchange {
    /// Of a request whose end nobody waits for.
    convenience init(_ request: HTTPClientRequest) {
        self.init(HTTP2Batch(HTTPRequestBatch(request), deadline: .now + request.timeout) { _, _ in }, 0)
    }

    var path: String {
        let requests = batch.requests
        return String(decoding: requests.bytes[requests.requests[index].path], as: UTF8.self)
    }
}
