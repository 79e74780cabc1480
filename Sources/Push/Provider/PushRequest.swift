/// One HTTP request to a provider, ready to be sent.
package struct PushRequest: Sendable {
    package var method: String
    /// Absolute. Some providers have the device in it: a secret, never logged.
    package var url: String
    /// Names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(method: String, url: String, headers: [(name: String, value: String)], body: [UInt8]) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension PushRequest: CustomStringConvertible {
    /// Leaves out address, credentials and text.
    package var description: String { "\(method), \(headers.count) headers, \(body.count) bytes" }
}
