/// A request's first line, checked: "GET /path HTTP/1.1" (RFC 9112 §3).
struct HTTPRequestLine: Sendable, Hashable {
    let method: String
    /// As it was sent.
    let target: String
    let parts: HTTPTarget
    /// The minor version of HTTP/1: 0 or 1.
    let minorVersion: Int

    init(method: String, target: String, minorVersion: Int) throws(HTTPViolation) {
        guard method.utf8.isToken else { throw .badRequest("the method is not a token") }
        switch method {
        case "CONNECT": throw HTTPViolation(status: 501, reason: "CONNECT: this server is not a proxy")
        // An answer would reveal fields that only the client and its proxies should know (RFC 9110 §9.3.8).
        case "TRACE": throw HTTPViolation(status: 501, reason: "TRACE is not answered here")
        default: break
        }
        parts = try HTTPTarget(parsing: target, method: method)
        self.method = method
        self.target = target
        self.minorVersion = minorVersion
    }

    init(parsing line: UnsafeBufferPointer<UInt8>) throws(HTTPViolation) {
        guard let first = line.firstIndex(of: .space), let last = line.lastIndex(of: .space), first < last,
            !line[(first + 1)..<last].contains(.space)
        else { throw .badRequest("the request line is not a method, a target and a version with one space between") }
        let minorVersion = try HTTPVersion.minor(parsing: UnsafeBufferPointer(rebasing: line[(last + 1)...]))
        let octets = UnsafeBufferPointer(rebasing: line[(first + 1)..<last])
        guard let target = String(validating: octets, as: UTF8.self) else {
            throw .badRequest("the target has characters that a target cannot have")
        }
        try self.init(
            method: String(decoding: UnsafeBufferPointer(rebasing: line[..<first]), as: UTF8.self), target: target,
            minorVersion: minorVersion)
    }
}
