/// Takes a request to a provider part by part, from its path to its body: a single request, or one of a batch.
package protocol PushRequestWriter {
    /// Begins a request; the path is the two texts joined.
    mutating func path(_ start: String, _ end: String)
    /// - Parameter name: in lower case.
    mutating func header(_ name: String, _ value: String)
    /// Ends the request with a body that `write` appends.
    mutating func body(_ write: (inout [UInt8]) -> Void)
}

extension PushRequest: PushRequestWriter {
    package mutating func path(_ start: String, _ end: String) { url = String(joining: url, start, end) }

    package mutating func header(_ name: String, _ value: String) { headers.append((name, value)) }

    package mutating func body(_ write: (inout [UInt8]) -> Void) { write(&body) }
}
