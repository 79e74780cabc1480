package import WireProtocol

/// A request with its complete body.
package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    package let body: [UInt8]

    package init(head: HTTPRequestHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}
