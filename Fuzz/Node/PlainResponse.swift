/// One answer of HTTP/1.1 (RFC 9112), read plainly.
package struct PlainResponse {
    package let status: Int
    /// Names in lower case.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// Reads all answers of a connection. What follows a switch of protocols, and an event stream, is the last one's body.
    ///
    /// - Parameter isToHead: whether the requests are all `HEAD`, whose answers have no bodies.
    /// - Returns: nil for bytes that are no answers.
    package static func all(in bytes: [UInt8], isToHead: Bool = false) -> [PlainResponse]? {
        var (responses, rest): ([PlainResponse], ArraySlice<UInt8>) = ([], bytes[...])
        while !rest.isEmpty {
            guard let response = PlainResponse(&rest, isToHead) else { return nil }
            responses.append(response)
        }
        return responses
    }

    /// Takes an answer off the front.
    private init?(_ rest: inout ArraySlice<UInt8>, _ isToHead: Bool) {
        guard let line = Self.line(&rest) else { return nil }
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", words[1].utf8.count == 3, let status = Int(words[1]) else {
            return nil
        }
        var headers: [(name: String, value: String)] = []
        while true {
            guard let line = Self.line(&rest) else { return nil }
            if line.isEmpty { break }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(" ") else { return nil }
            headers.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
        }
        (self.status, self.headers) = (status, headers)
        let length = headers.filter { $0.name == "content-length" }
        guard length.count <= 1 else { return nil }
        if isToHead, status >= 200 {
            body = []
        } else if let length = length.first {
            guard let count = Int(length.value), count <= rest.count else { return nil }
            body = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        } else if headers.contains(where: { $0 == ("transfer-encoding", "chunked") }) {
            guard let body = Self.chunks(&rest) else { return nil }
            self.body = body
        } else if status == 204 || status == 304 || status == 100 {
            body = []
        } else {
            body = Array(rest)
            rest = []
        }
    }

    private static func chunks(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        var body: [UInt8] = []
        while let line = line(&rest), let count = Int(line, radix: 16), count <= rest.count {
            body += rest.prefix(count)
            rest = rest.dropFirst(count)
            guard Self.line(&rest) == "" else { return nil }
            if count == 0 { return body }
        }
        // A stream that the client has ended.
        return rest.isEmpty ? body : nil
    }

    /// Takes a line with its end off the front.
    private static func line(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let end = rest.firstIndex(of: 13), end + 1 < rest.endIndex, rest[end + 1] == 10 else { return nil }
        defer { rest = rest[(end + 2)...] }
        return String(validating: rest[..<end], as: UTF8.self)
    }
}
