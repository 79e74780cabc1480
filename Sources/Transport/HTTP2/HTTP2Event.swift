/// A complete request of an HTTP/2 client.
package struct HTTP2Request: Sendable {
    package let method: String
    package let path: String
    package let authority: String?
    /// Names in lower case, as on the wire; without the pseudo-headers.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
}

/// An event that received bytes have caused.
package enum HTTP2Event: Sendable {
    /// The request is complete and waits for ``HTTP2ServerSession/respond(to:status:headers:body:)``.
    case request(stream: Int32, HTTP2Request)
    /// The client gave up a request before its answer.
    case cancelled(stream: Int32)
}
