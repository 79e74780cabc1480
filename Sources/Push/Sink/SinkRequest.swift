/// A request to the sink, in the view of a provider's server.
package struct SinkRequest: Sendable {
    package var method: String
    /// With the query, if any.
    package var path: String
    /// Names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(method: String, path: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// All values of a header; for most headers more than one is a mistake.
    package func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
